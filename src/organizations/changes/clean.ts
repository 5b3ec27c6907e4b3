/** Changes are kept for a day: whoever was away longer reads everything again. */
import { limits } from '../../core/limits.ts';
import type { Store } from '../../core/store/store.ts';

const interval_ms = 600_000;
const batchSize = 5000;
/** Transactions may write a while before they end: a cursor of the whole time must find all that came after it. */
const spare_hours = 1;

/** Deletes what is too old. Any number of servers may do so at once. Returns how many were deleted. */
export async function cleanChanges({ read: sql }: Store): Promise<number> {
  // A database restored from a backup of another one begins to count its transactions anew.
  await sql`delete from changes where changes.transaction_id >= pg_snapshot_xmax(pg_current_snapshot())`;
  const hours = limits.keptChanges_hours.value + spare_hours;
  for (let all = 0; ; ) {
    const deleted = await sql`
      delete from changes where (changes.organization_id, changes.transaction_id, changes.position) in (
        select old.organization_id, old.transaction_id, old.position from changes as old
        where old.occurred_at < now() - make_interval(hours => ${hours}::integer)
        order by old.occurred_at limit ${batchSize} for update skip locked
      )`;
    all += deleted.count;
    if (deleted.count < batchSize) return all;
  }
}

interface Log {
  warn: (details: object, message: string) => void;
}

/** Cleans at once and every ten minutes until the returned function is called, which resolves when it is done. */
export function startCleaningChanges(store: Store, log: Log): () => Promise<void> {
  const clean = () =>
    cleanChanges(store).then(
      () => undefined,
      fault => log.warn({ err: fault }, 'old changes stay for now'),
    );
  let underWay = clean();
  const timer = setInterval(() => {
    underWay = underWay.then(clean);
  }, interval_ms);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}
