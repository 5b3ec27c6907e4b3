/** §2.2 Saved plans that nobody applied: past their age they are discarded, and what their apply would have needed goes. */
import { limits } from '../../core/limits.ts';
import type { Sql, Store } from '../../core/store/store.ts';
import { moveRun, type QueuedRun, recordRunEvent } from './move.ts';

const batch = 100;

/** Any number of servers may do so at once. Returns the runs that were discarded. */
export async function discardAgedPlans(store: Store): Promise<string[]> {
  const { read: sql } = store;
  const aged = await sql<{ id: string; workspace_id: string }[]>`
    select runs.id, runs.workspace_id from runs where ${isAged(sql)}
    order by runs.created_at, runs.id limit ${batch}`;
  const discarded: string[] = [];
  for (const { id, workspace_id } of aged) {
    if (await store.transaction(inner => discard(inner, id, workspace_id))) discarded.push(id);
  }
  return discarded;
}

const isAged = (sql: Sql) => sql`
  runs.status = 'planned_and_saved' and runs.created_at < now() - make_interval(days => ${limits.savedPlan_days.value}::integer)`;

async function discard(sql: Sql, id: string, workspaceId: string): Promise<boolean> {
  await sql`select from workspaces where workspaces.id = ${workspaceId} for update`;
  const [run] = await sql<QueuedRun[]>`
    select runs.id, runs.workspace_id, runs.plan_id, runs.apply_id from runs where runs.id = ${id} and ${isAged(sql)}`;
  if (!run) return false;
  const reason = `Nobody applied the saved plan within ${limits.savedPlan_days.value} days.`;
  await recordRunEvent(sql, id, 'plan_aged', { actorId: null }, reason);
  await moveRun(sql, run, 'discarded');
  return true;
}
