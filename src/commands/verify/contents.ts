/** What is sealed opens, and contents are the very bytes that were written. */

import { blobStore } from '../../core/blobs/blob-store.ts';
import type { Config } from '../../core/config.ts';
import { openBytes } from '../../core/store/secrets.ts';
import type { Sql } from '../../core/store/store.ts';
import { type Place, places, type SealedValue } from '../reseal/places.ts';
import { type Check, type Finding, finding } from './check.ts';

const atOnce = 500;

export const contentChecks: readonly Check[] = [
  {
    name: 'contents',
    means: 'every content that a record has opens, and is what was written by its checksum',
    look: contentsHold,
  },
  { name: 'secrets', means: 'every sealed value opens with the keys that are configured', look: secretsHold },
];

async function contentsHold(sql: Sql, config: Config): Promise<Finding> {
  const found = finding();
  const blobs = blobStore(config);
  for (let after = ''; ; ) {
    const kept = await sql<{ id: string; size_bytes: number }[]>`
      select blobs.id, blobs.size_bytes from blobs where blobs.is_kept and blobs.id > ${after} order by blobs.id limit ${atOnce}`;
    for (const { id, size_bytes } of kept) {
      found.looked += 1;
      try {
        let length = 0;
        for await (const piece of blobs.read(sql, id)) length += piece.length;
        if (length !== Number(size_bytes))
          found.add(`The content ${id} has ${length} bytes in place of ${size_bytes}.`);
      } catch (fault) {
        found.add(`The content ${id} cannot be read: ${(fault as Error).message}.`);
      }
    }
    if (kept.length < atOnce) break;
    after = kept.at(-1)!.id;
  }
  await addUnkept(sql, found);
  return found;
}

/** A content that a record has and that is not kept would be swept away. */
async function addUnkept(sql: Sql, found: ReturnType<typeof finding>): Promise<void> {
  const unkept = await sql<{ id: string; holder: string }[]>`
    select used.blob_id as id, used.holder from (
      select state_versions.blob_id, state_versions.id as holder from state_versions where state_versions.blob_id is not null
      union all
      select state_versions.json_blob_id, state_versions.id from state_versions where state_versions.json_blob_id is not null
      union all
      select configuration_versions.blob_id, configuration_versions.id from configuration_versions
      where configuration_versions.blob_id is not null
      union all
      select run_artifacts.blob_id, run_artifacts.run_id from run_artifacts
    ) as used
    left join blobs on blobs.id = used.blob_id
    where blobs.is_kept is not true order by used.blob_id`;
  for (const { id, holder } of unkept) found.add(`The content ${id} of ${holder} is not kept, or not there.`);
}

async function secretsHold(sql: Sql, config: Config): Promise<Finding> {
  const found = finding();
  // The pieces of contents have been opened with them.
  for (const place of places.filter(({ table }) => table !== 'blob_chunks')) {
    for (let after = ''; ; ) {
      const values = await sealedValues(sql, place, after);
      for (const value of values) {
        found.looked += 1;
        try {
          openBytes(config, value.sealed, place.contextOf(value));
        } catch (fault) {
          found.add(`${place.table} ${value.id}, ${place.column}: ${(fault as Error).message}`);
        }
      }
      if (values.length < atOnce) break;
      after = values.at(-1)!.id;
    }
  }
  return found;
}

function sealedValues(sql: Sql, { table, key, sealedIn }: Place, after: string): Promise<SealedValue[]> {
  const id = sql(`records.${key}`);
  return sql<SealedValue[]>`
    select ${id} as id, ${sealedIn(sql)} as sealed from ${sql(table)} as records
    where ${id} > ${after} and ${sealedIn(sql)} is not null
    order by ${id} limit ${atOnce}`;
}
