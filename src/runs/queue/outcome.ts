/** What becomes of a run when the work on one of its phases has ended. The first part is pure. */
import { newId } from '../../core/store/ids.ts';
import type { Sql } from '../../core/store/store.ts';
import { moveRun, type QueuedRun } from './move.ts';
import { afterTasks } from './stages.ts';
import { is, type RunStatus } from './statuses.ts';

/** What was asked of the run. */
export interface Asked {
  plan_only: boolean;
  save_plan: boolean;
  auto_apply: boolean;
  allow_empty_apply: boolean;
  is_assessment: boolean;
}

/** Every status that it passes through, the last of which is where it stays. */
export function afterPlan(run: Asked, hasChanges: boolean): RunStatus[] {
  if (run.is_assessment) return ['assessed'];
  if (run.plan_only || (!hasChanges && !run.allow_empty_apply)) return ['planned_and_finished'];
  if (run.save_plan) return ['planned_and_saved'];
  const appliesItself = run.auto_apply || !hasChanges;
  return appliesItself ? ['planned', 'confirmed', 'apply_queued'] : ['planned'];
}

export type PhaseOutcome = 'finished' | 'errored' | 'canceled';

/** Whoever asked for a stop gets one, unless everything was done by then. */
export function afterPhase(
  phase: 'plan' | 'apply',
  run: Asked & { canceled_at: string | null },
  outcome: PhaseOutcome,
  hasChanges: boolean,
): RunStatus[] {
  if (outcome === 'finished' && phase === 'apply') return ['applied'];
  if (run.canceled_at !== null || outcome === 'canceled') return ['canceled'];
  return outcome === 'errored' ? ['errored'] : afterPlan(run, hasChanges);
}

/** Saved plans were made of another state than the one that there is now. The row of the workspace is held. */
async function discardSavedPlans(sql: Sql, workspaceId: string, exceptRunId: string): Promise<void> {
  const saved = await sql<QueuedRun[]>`
    select runs.id, runs.workspace_id, runs.plan_id, runs.apply_id from runs
    where runs.workspace_id = ${workspaceId} and runs.status = 'planned_and_saved' and runs.id <> ${exceptRunId}
    order by runs.position`;
  for (const run of saved) await moveRun(sql, run, 'discarded');
}

/** A version that was only tried is current once a run of it has been applied, unless there is a newer one. */
async function adoptProvisional(sql: Sql, run: QueuedRun): Promise<void> {
  await sql`
    update workspaces set current_configuration_version_id = used.id, revision = default
    from runs
    join configuration_versions as used on used.id = runs.configuration_version_id
    where runs.id = ${run.id} and workspaces.id = runs.workspace_id and used.workspace_id = workspaces.id
      and used.provisional and not exists (
        select from configuration_versions as newer
        where newer.id = workspaces.current_configuration_version_id and newer.position > used.position
      )`;
}

/** Moves the run through the statuses, as far as run tasks let it; what it was in the way of comes after it. */
export async function pass(sql: Sql, run: QueuedRun, statuses: readonly RunStatus[]): Promise<void> {
  for (const [index, status] of statuses.entries()) {
    const next = await afterTasks(sql, run.id, status);
    if (is(next, 'final')) await beforeEnd(sql, run, next);
    await moveRun(sql, run, next, { actorId: null, goesOn: index < statuses.length - 1 });
    if (next !== status) return;
  }
}

/** While the workspace is still the run's: nobody plans on what it leaves before all of it is there. */
async function beforeEnd(sql: Sql, run: QueuedRun, status: RunStatus): Promise<void> {
  if (status !== 'applied') return;
  await adoptProvisional(sql, run);
  await discardSavedPlans(sql, run.workspace_id, run.id);
  await rememberTriggers(sql, run);
}

/** What it begins in other workspaces is begun later: their rows are not held now, and two could wait for each other. */
async function rememberTriggers(sql: Sql, run: QueuedRun): Promise<void> {
  const targets = await sql<{ workspace_id: string }[]>`
    select run_triggers.workspace_id from run_triggers
    where run_triggers.sourceable_id = ${run.workspace_id}
    order by run_triggers.created_at, run_triggers.id`;
  for (const { workspace_id } of targets) {
    await sql`
      insert into pending_run_triggers (id, run_id, workspace_id) values (${newId('job')}, ${run.id}, ${workspace_id})`;
  }
}
