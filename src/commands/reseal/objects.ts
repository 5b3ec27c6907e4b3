/** Contents in an object store: each is sealed again as an object of its own, and then the row names that one. */
import { type Placed, placeOf, sealedPieces } from '../../core/blobs/blob-store.ts';
import { type ObjectStore, objectStoreOf } from '../../core/blobs/object-store.ts';
import type { Config } from '../../core/config.ts';
import { keyNames, openBytes, seal } from '../../core/store/secrets.ts';
import type { Sql, Store } from '../../core/store/store.ts';
import { copied } from '../blobs/move.ts';
import type { Resealed, Use } from './report.ts';

const place = { table: 'blobs', column: 'object' };
const batchSize = 50;

/** How many objects each key has sealed something of. */
export async function objectUses(sql: Sql): Promise<Use[]> {
  const found = await sql<{ key_id: string; count: number }[]>`
    select keys.id as key_id, count(*) as count from blobs, unnest(blobs.object_keys) as keys (id)
    where blobs.object is not null group by keys.id order by keys.id`;
  return found.map(({ key_id, count }) => ({ ...place, keyId: key_id, count }));
}

export async function resealObjects(store: Store, config: Config): Promise<Resealed> {
  const total: Resealed = { count: 0, problems: [] };
  const objects = objectStoreOf(config);
  if (!objects) return total;
  const keyId = keyNames(config)[0]!.id;
  for (let after = ''; ; ) {
    const batch = await store.read<Placed[]>`
      select blobs.id, blobs.object, blobs.chunk_count from blobs
      where blobs.object is not null and blobs.sha256 is not null and blobs.id > ${after}
        and blobs.object_keys is distinct from array[${keyId}::text]
      order by blobs.id limit ${batchSize}`;
    for (const blob of batch) {
      try {
        if (await resealOne(store, config, objects, blob)) total.count += 1;
      } catch (fault) {
        const { message, cause } = fault as Error;
        total.problems.push({ ...place, id: blob.id, reason: cause instanceof Error ? cause.message : message });
      }
    }
    if (batch.length < batchSize) return total;
    after = batch.at(-1)!.id;
  }
}

/** False where it was moved or deleted meanwhile. */
async function resealOne(store: Store, config: Config, objects: ObjectStore, blob: Placed): Promise<boolean> {
  const sealedAgain = async function* () {
    let position = 0;
    for await (const sealed of sealedPieces(store.read, objects, blob)) {
      const context = placeOf(blob.id, position);
      yield seal(config, openBytes(config, sealed, context), context);
      position += 1;
    }
  };
  const { object, keyIds } = await copied(store, objects, blob.id, sealedAgain());
  return store.transaction(async sql => {
    const updated = await sql`
      update blobs set object = ${object}, object_keys = ${keyIds}
      where blobs.id = ${blob.id} and blobs.object = ${blob.object}`;
    if (updated.count === 0) return false;
    await sql`delete from object_removals where object_removals.object = ${object}`;
    return true;
  });
}
