/** After a change of the encryption key: what other keys sealed is sealed again by the present one. */
import type { Config } from '../../core/config.ts';
import { type KeyMaterial, keyIdColumn, keyIdOf, keyNames, openBytes, seal } from '../../core/store/secrets.ts';
import type { Sql, Store } from '../../core/store/store.ts';
import { objectUses, resealObjects } from './objects.ts';
import { type Place, places, type SealedValue } from './places.ts';
import type { Problem, Resealed, Use } from './report.ts';

/** Who sealed what there is now. */
export async function keyUses({ read: sql }: Store): Promise<Use[]> {
  const uses: Use[] = [];
  for (const { table, column, sealedIn } of places) {
    const sealed = sealedIn(sql);
    const found = await sql<{ key_id: string; count: number }[]>`
      select ${keyIdColumn(sql, sealed)} as key_id, count(*) as count from ${sql(table)} as records
      where ${sealed} is not null group by key_id order by key_id`;
    uses.push(...found.map(({ key_id, count }) => ({ table, column, keyId: key_id, count })));
  }
  return [...uses, ...(await objectUses(sql))];
}

/**
 * Goes through every place once, in batches that are kept one by one: broken off, it goes on where it was when called
 * again. Servers may work meanwhile; those that know the old key alone no longer open what was resealed.
 */
export async function reseal(store: Store, config: Config): Promise<Resealed> {
  const total = await resealObjects(store, config);
  for (const place of places) {
    for (let last: SealedValue | undefined; ; ) {
      const batch = await store.transaction(sql => resealBatch(sql, config, place, last ?? null));
      total.count += batch.values.length - batch.problems.length;
      total.problems.push(...batch.problems);
      last = batch.values.at(-1);
      if (!last) break;
    }
  }
  return total;
}

async function resealBatch(sql: Sql, keys: KeyMaterial, place: Place, after: SealedValue | null) {
  const values = await place.next(sql, keyNames(keys)[0]!.id, after);
  const problems: Problem[] = [];
  await Promise.all(
    values.map(async value => {
      const context = place.contextOf(value);
      const plain = opened(keys, value, context);
      if (typeof plain !== 'string') return place.replace(sql, value, seal(keys, plain, context));
      problems.push({ table: place.table, column: place.column, id: value.id, reason: plain });
    }),
  );
  return { values, problems };
}

/** What was sealed, or why it does not open. */
function opened(keys: KeyMaterial, { sealed }: SealedValue, context: string): Buffer | string {
  const keyId = keyIdOf(sealed);
  if (!keyNames(keys).some(({ id }) => id === keyId))
    return `it was sealed by the key ${keyId}, which is not configured`;
  try {
    return openBytes(keys, sealed, context);
  } catch {
    return `it is damaged, or not where it was sealed (key ${keyId})`;
  }
}
