/** Contents from PostgreSQL into the object store and back, one by one, while servers write and read them. */
import { createHash } from 'node:crypto';
import { newObjectName, type Placed } from '../../core/blobs/blob-store.ts';
import type { ObjectStore } from '../../core/blobs/object-store.ts';
import { readObject, readRows, writeObject } from '../../core/blobs/pieces.ts';
import { keyIdOf } from '../../core/store/secrets.ts';
import type { Sql, Store } from '../../core/store/store.ts';

export interface Moving {
  store: Store;
  objects: ObjectStore;
  to: 'objects' | 'rows';
}

export interface Moved {
  count: number;
  problems: { id: string; reason: string }[];
}

const batchSize = 200;
const atOnce = 4;

/**
 * Moves what is kept and lies at the other place. Each content is moved whole or not at all: broken off, it goes on where it
 * was when called again. What cannot be moved stays as it is, and is named. `told` hears how many have been moved.
 */
export async function moveAll(moving: Moving, told: (count: number) => void): Promise<Moved> {
  const total: Moved = { count: 0, problems: [] };
  for (let after = ''; ; ) {
    const batch = await nextOf(moving, after);
    const waiting = batch.values();
    const some = async () => {
      for (const blob of waiting) {
        try {
          if (await moveOne(moving, blob)) total.count += 1;
        } catch (fault) {
          const { message, cause } = fault as Error;
          total.problems.push({ id: blob.id, reason: cause instanceof Error ? cause.message : message });
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, some));
    told(total.count);
    if (batch.length < batchSize) return total;
    after = batch.at(-1)!.id;
  }
}

function nextOf({ store, to }: Moving, after: string): Promise<Placed[]> {
  const sql = store.read;
  const isElsewhere = to === 'objects' ? sql`blobs.object is null` : sql`blobs.object is not null`;
  return sql<Placed[]>`
    select blobs.id, blobs.object, blobs.chunk_count from blobs
    where ${isElsewhere} and blobs.is_kept and blobs.id > ${after} order by blobs.id limit ${batchSize}`;
}

/** False where somebody else moved it, sealed it anew or deleted it meanwhile. */
function moveOne(moving: Moving, blob: Placed): Promise<boolean> {
  return moving.to === 'objects' ? moveToObject(moving, blob) : moveToRows(moving, blob);
}

/** The rows stay until the object is durable, and go with the note of where it is. */
async function moveToObject({ store, objects }: Moving, { id, chunk_count }: Placed): Promise<boolean> {
  const { object, digest, keyIds, count } = await copied(store, objects, id, readRows(store.read, id, 0));
  if (count !== chunk_count) throw new Error('A piece of the content is missing.');
  return store.transaction(async sql => {
    const held = await sql`select from blobs where blobs.id = ${id} and blobs.object is null for update`;
    if (held.length === 0 || (await digestOfRows(sql, id)) !== digest) return false;
    await sql`update blobs set object = ${object}, object_keys = ${keyIds} where blobs.id = ${id}`;
    await sql`delete from blob_chunks where blob_chunks.blob_id = ${id}`;
    await sql`delete from object_removals where object_removals.object = ${object}`;
    return true;
  });
}

/** An object of these pieces, which is noted as one that nobody needs until a row names it. */
export async function copied(store: Store, objects: ObjectStore, blobId: string, pieces: AsyncIterable<Buffer>) {
  const object = newObjectName(blobId);
  await store.read`insert into object_removals (object, is_partial) values (${object}, true)`;
  const digest = createHash('sha256');
  const keyIds = new Set<string>();
  let count = 0;
  const watched = async function* () {
    for await (const piece of pieces) {
      digest.update(createHash('sha256').update(piece).digest());
      keyIds.add(keyIdOf(piece));
      count += 1;
      yield piece;
    }
  };
  await writeObject(objects, object, watched());
  return { object, digest: digest.digest('hex'), keyIds: [...keyIds], count };
}

/** Of the digests of the pieces: they may have been sealed anew since they were copied. */
async function digestOfRows(sql: Sql, id: string): Promise<string | null> {
  const [row] = await sql<{ digest: string | null }[]>`
    select encode(sha256(string_agg(sha256(blob_chunks.sealed), ''::bytea order by blob_chunks.position)), 'hex') as digest
    from blob_chunks where blob_chunks.blob_id = ${id}`;
  return row!.digest;
}

/** The object stays for some days, for whoever is reading it. */
function moveToRows({ store, objects }: Moving, { id }: Placed): Promise<boolean> {
  return store.transaction(async sql => {
    const [held] = await sql<Placed[]>`
      select blobs.id, blobs.object, blobs.chunk_count from blobs
      where blobs.id = ${id} and blobs.object is not null for update`;
    if (!held) return false;
    let position = 0;
    for await (const sealed of readObject(objects, held.object!, 0)) {
      await sql`insert into blob_chunks (blob_id, position, sealed) values (${id}, ${position}, ${sealed})`;
      position += 1;
    }
    if (position !== held.chunk_count) throw new Error('A piece of the content is missing.');
    await sql`update blobs set object = null, object_keys = null where blobs.id = ${id}`;
    return true;
  });
}
