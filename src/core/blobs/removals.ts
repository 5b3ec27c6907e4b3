/** Objects that no row names any more, removed from their store behind the commit that left them. */
import { type RepeatLog, repeat } from '../repeat.ts';
import type { Store } from '../store/store.ts';
import type { ObjectStore } from './object-store.ts';

const interval_ms = 60_000;
const batchSize = 200;
const atOnce = 8;

/**
 * Removes what was noted longer ago than the store's days: until then a backup finds the contents that it names, and whoever
 * is reading one reads on. Any number of servers may do so at once. Returns how many were removed.
 */
export async function removeObjects({ read: sql }: Store, objects: ObjectStore): Promise<number> {
  for (let removed = 0; ; ) {
    const due = await sql<{ object: string; is_partial: boolean }[]>`
      select object_removals.object, object_removals.is_partial from object_removals
      where object_removals.noted_at < now() - make_interval(days => ${objects.bucket.removal_days}::integer)
      order by object_removals.noted_at, object_removals.object limit ${batchSize}`;
    const names = due.values();
    const some = async () => {
      for (const { object, is_partial } of names) await objects.remove(object, is_partial);
    };
    await Promise.all(Array.from({ length: atOnce }, some));
    await sql`delete from object_removals where object_removals.object = any(${due.map(({ object }) => object)})`;
    removed += due.length;
    if (due.length < batchSize) return removed;
  }
}

/** Every minute until the returned function is called. */
export function startRemovingObjects(
  store: Store,
  objects: ObjectStore | undefined,
  log: RepeatLog,
): () => Promise<void> {
  if (!objects) return async () => undefined;
  return repeat(interval_ms, () => removeObjects(store, objects), log, 'objects that nobody needs stay for now');
}

/** Whether contents lie in an object store, so that a server without one could not read them. */
export async function isInObjects({ read: sql }: Store): Promise<boolean> {
  const [found] = await sql`select from blobs where blobs.object is not null limit 1`;
  return found !== undefined;
}
