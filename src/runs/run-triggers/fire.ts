/** §4.2 What an applied run begins in other workspaces. The rows that say so were written when it was applied. */
import type { Config } from '../../core/config.ts';
import type { Sql, Store } from '../../core/store/store.ts';
import { recordRunEvent } from '../queue/move.ts';
import { beginRun, runningWorkspace } from '../queue/of-workspace.ts';

const batch = 100;
/** Workspaces that trigger each other in a circle would never come to rest. */
const deepest = 10;

interface Pending {
  id: string;
  run_id: string;
  workspace_id: string;
}

interface Source {
  trigger_depth: number;
  created_by_id: string;
  workspace_name: string;
}

/** Begins what is due, each in a transaction of its own. Any number of servers may do so at once. Returns the runs. */
export async function fireTriggers(store: Store, config: Config): Promise<string[]> {
  const pending = await store.read<Pending[]>`
    select pending_run_triggers.id, pending_run_triggers.run_id, pending_run_triggers.workspace_id
    from pending_run_triggers
    order by pending_run_triggers.created_at, pending_run_triggers.id limit ${batch}`;
  const runs: string[] = [];
  for (const one of pending) {
    const run = await store.transaction(sql => fire(sql, config, one));
    if (run) runs.push(run);
  }
  return runs;
}

async function fire(sql: Sql, config: Config, { id, run_id, workspace_id }: Pending): Promise<string | null> {
  await sql`select from workspaces where workspaces.id = ${workspace_id} for update`;
  const taken = await sql`delete from pending_run_triggers where pending_run_triggers.id = ${id}`;
  if (taken.count === 0) return null;
  const [workspace, [source]] = [
    await runningWorkspace(sql, workspace_id),
    await sql<Source[]>`
      select runs.trigger_depth, runs.created_by_id, workspaces.name as workspace_name from runs
      join workspaces on workspaces.id = runs.workspace_id
      where runs.id = ${run_id}`,
  ];
  if (!workspace?.configuration_version_id || !source) return null;
  if (source.trigger_depth >= deepest) {
    const reason = `It does not begin a run in ${workspace.name}: ${deepest} runs have triggered each other already.`;
    await recordRunEvent(sql, run_id, 'run_trigger_ended', { actorId: null }, reason);
    return null;
  }
  const begun = {
    source: 'tfe-run-trigger',
    created_by_id: source.created_by_id,
    configuration_version_id: workspace.configuration_version_id,
    trigger_depth: source.trigger_depth + 1,
  };
  const message = `Triggered by the run ${run_id} that was applied in ${source.workspace_name}`;
  return beginRun(sql, config, workspace, begun, { message, auto_apply: workspace.auto_apply_run_trigger });
}
