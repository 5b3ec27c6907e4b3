/** How many workspaces have a current run of each status: counted by the database, each of its backends in rows of its own. */
import { type RepeatLog, repeat } from '../../core/repeat.ts';
import type { Store } from '../../core/store/store.ts';

const interval_ms = 600_000;

/** What backends have counted that are gone goes into one row. Any number of servers may do so at once. */
export async function gatherStatusCounts(store: Store): Promise<void> {
  await store.transaction(
    sql => sql`
      with gone as (
        delete from workspace_status_counts as counts
        where counts.slot <> 0 and not exists (select from pg_stat_activity where pg_stat_activity.pid = counts.slot)
        returning counts.organization_id, counts.status, counts.workspaces
      )
      insert into workspace_status_counts as counts (organization_id, slot, status, workspaces)
      select gone.organization_id, 0, gone.status, sum(gone.workspaces) from gone
      group by gone.organization_id, gone.status
      order by gone.organization_id, gone.status
      on conflict (organization_id, slot, status) do update set workspaces = counts.workspaces + excluded.workspaces`,
  );
}

/** Now and then until the returned function is called. */
export function startGatheringCounts(store: Store, log: RepeatLog): () => Promise<void> {
  return repeat(interval_ms, () => gatherStatusCounts(store), log, 'counts of workspaces could not be gathered');
}
