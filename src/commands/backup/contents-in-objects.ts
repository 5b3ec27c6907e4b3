/** Contents that lie in an object store, as the rows that they would be in PostgreSQL. */
import type pg from 'pg';
import { type ObjectStore, objectStoreOf } from '../../core/blobs/object-store.ts';
import { readObject } from '../../core/blobs/pieces.ts';
import type { Config } from '../../core/config.ts';
import { CommandError } from '../command-error.ts';
import type { Table } from './tables.ts';

const batchSize = 500;

/** What a backup changes of the rows that it writes, so that it needs no object store when it is restored. */
export interface Inclusion {
  /** Columns that say where a content is, in which the backup says that it is in rows. */
  cleared: (table: Table) => readonly string[];
  /** Lines for `copy` behind those of the table itself. */
  more: (table: Table) => AsyncIterable<Buffer>;
}

export const nothingMore: Inclusion = { cleared: () => [], more: async function* () {} };

/** Reads the rows in the transaction that the client is in. Throws where there are objects and no store is configured. */
export async function contentsIncluded(client: pg.Client, config: Config): Promise<Inclusion> {
  const { rows } = await client.query('select from blobs where blobs.object is not null limit 1');
  if (rows.length === 0) return nothingMore;
  const objects = objectStoreOf(config);
  if (!objects)
    throw new CommandError(
      'Contents lie in an object store, and TERRANE_BLOBS is not set: the backup would lack them.',
    );
  return {
    cleared: ({ name }) => (name === 'blobs' ? ['object', 'object_keys'] : []),
    more: ({ name, columns }) =>
      name === 'blob_chunks' ? linesOf(client, objects, columns) : nothingMore.more({ name, columns }),
  };
}

async function* linesOf(client: pg.Client, objects: ObjectStore, columns: readonly string[]): AsyncGenerator<Buffer> {
  for (let after = ''; ; ) {
    const { rows } = await client.query<{ id: string; object: string; chunk_count: number }>(
      `select blobs.id, blobs.object, blobs.chunk_count from blobs
       where blobs.object is not null and blobs.is_kept and blobs.id > $1 order by blobs.id limit $2`,
      [after, batchSize],
    );
    for (const { id, object, chunk_count } of rows) {
      let position = 0;
      for await (const sealed of readObject(objects, object, 0)) {
        const values: Record<string, string> = {
          blob_id: id,
          position: String(position),
          sealed: `\\\\x${sealed.toString('hex')}`,
        };
        yield Buffer.from(`${columns.map(column => values[column]!).join('\t')}\n`);
        position += 1;
      }
      // A backup that lacks something is none.
      if (position !== chunk_count)
        throw new CommandError(`The content ${id} is damaged: run terrane verify. Nothing was written.`);
    }
    if (rows.length < batchSize) return;
    after = rows.at(-1)!.id;
  }
}
