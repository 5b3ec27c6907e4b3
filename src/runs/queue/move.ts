/**
 * How runs move from status to status. Nothing else writes a run's status, or what a workspace says of its runs: so the
 * run, its plan and apply, its events, the lock and the figures of the workspace never tell different stories.
 * Every function here expects the row of the workspace to be held.
 */

import { newId } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { promoteIntermediate } from '../../workspaces/workspaces/current-state.ts';
import { announce } from './announce.ts';
import { concludeAssessment } from './assessments.ts';
import { closeJobs, forgetRun, openJob } from './jobs.ts';
import { writeMetrics } from './metrics.ts';
import { movePhase, stamp } from './phases.ts';
import { afterTasks, moveStages, stageAt } from './stages.ts';
import { is, type RunStatus, statusesThat, timestampName } from './statuses.ts';

export interface QueuedRun {
  id: string;
  workspace_id: string;
  plan_id: string;
  apply_id: string | null;
}

/** Who made it happen, and what they said; nobody when its turn has come. */
export interface Cause {
  actorId: string | null;
  commentId?: string | null;
  /** Ends the work without waiting for whoever does it. */
  isForced?: boolean;
  /** Whether it moves on from there at once, so that nobody has anything to decide. */
  goesOn?: boolean;
}

const nobody: Cause = { actorId: null };

/** Moves a run. One that is over lets go of its workspace, and the next pending run takes it. */
export async function moveRun(sql: Sql, run: QueuedRun, to: RunStatus, cause: Cause = nobody): Promise<void> {
  const isOver = is(to, 'final');
  await sql`
    update runs
    set status = ${to},
      status_timestamps = runs.status_timestamps || jsonb_build_object(${timestampName(to)}::text, ${stamp(sql)}),
      confirmed_by_id = ${to === 'confirmed' ? cause.actorId : sql`runs.confirmed_by_id`},
      canceled_at = ${to === 'canceled' ? sql`coalesce(runs.canceled_at, clock_timestamp())` : sql`runs.canceled_at`},
      force_canceled_at = ${cause.isForced ? sql`clock_timestamp()` : sql`runs.force_canceled_at`},
      finished_at = ${isOver ? sql`clock_timestamp()` : null}
    where runs.id = ${run.id}`;
  await movePhase(sql, 'plans', run.plan_id, to);
  if (run.apply_id) await movePhase(sql, 'applies', run.apply_id, to);
  await recordRunEvent(sql, run.id, cause.isForced ? 'force_canceled' : to, cause);
  if (!cause.goesOn) await announce(sql, run.id, to, cause.actorId);
  await moveJobs(sql, run, to);
  await moveStages(sql, run.id, to);
  await sql`
    update workspaces set current_run_status = ${to}, revision = default
    where workspaces.id = ${run.workspace_id} and workspaces.current_run_id = ${run.id}`;
  if (to === 'errored' || to === 'applied') await writeMetrics(sql, run.workspace_id);
  if (!isOver) return;
  if (!run.apply_id) await concludeAssessment(sql, run.id, to);
  await release(sql, run);
  await startNextRun(sql, run.workspace_id);
}

/** Moves a run on, unless run tasks come first. Returns where it is now. */
export async function advanceRun(sql: Sql, run: QueuedRun, to: RunStatus, cause: Cause = nobody): Promise<RunStatus> {
  const next = await afterTasks(sql, run.id, to);
  await moveRun(sql, run, next, cause);
  return next;
}

/** What waits to be executed is handed out from now on; what is over is nobody's work any more. */
async function moveJobs(sql: Sql, run: QueuedRun, to: RunStatus): Promise<void> {
  if (to === 'plan_queued') await openJob(sql, run.id, 'plan');
  else if (to === 'apply_queued') await openJob(sql, run.id, 'apply');
  else if (is(to, 'final')) await forgetRun(sql, run.id);
  else if (is(to, 'rests') || stageAt(to)) await closeJobs(sql, run.id);
}

/** An event of a run, in the word for what happened. */
export async function recordRunEvent(
  sql: Sql,
  runId: string,
  action: string,
  cause: Cause,
  description: string | null = null,
): Promise<void> {
  await sql`
    insert into run_events ${row(sql, {
      id: newId('re'),
      run_id: runId,
      action,
      description,
      actor_id: cause.actorId,
      comment_id: cause.commentId ?? null,
    })}`;
}

/**
 * Where no run is under way in the workspace, the first pending run becomes its current one: it takes the workspace and is
 * queued, or waits until whoever locked it lets go.
 */
export async function startNextRun(sql: Sql, workspaceId: string): Promise<void> {
  const isFree = [...statusesThat('final'), 'pending'];
  const [next] = await sql<(QueuedRun & { locked: boolean })[]>`
    select runs.id, runs.workspace_id, runs.plan_id, runs.apply_id, workspaces.locked
    from runs
    join workspaces on workspaces.id = runs.workspace_id
    where runs.workspace_id = ${workspaceId} and runs.status = 'pending'
      and (workspaces.current_run_status is null or workspaces.current_run_status = any(${isFree}))
    order by runs.position
    limit 1`;
  if (!next) return;
  if (next.locked) return waitForLock(sql, next);
  await takeWorkspace(sql, next);
  await advanceRun(sql, next, 'plan_queued');
}

/** Command lines say that a lock is waited for where the current run is pending. */
async function waitForLock(sql: Sql, run: QueuedRun): Promise<void> {
  await sql`
    update workspaces
    set current_run_id = runs.id, current_run_status = runs.status, current_run_created_at = runs.created_at,
      revision = default
    from runs
    where workspaces.id = ${run.workspace_id} and runs.id = ${run.id}
      and workspaces.current_run_id is distinct from runs.id`;
}

/** Locks the workspace for the run, and makes it the current one. False when somebody else has the lock. */
export async function takeWorkspace(sql: Sql, run: QueuedRun): Promise<boolean> {
  const taken = await sql`
    update workspaces
    set locked = true, locked_reason = '', locked_by_type = 'runs', locked_by_id = runs.id,
      locked_at = clock_timestamp(), lock_expires_at = null,
      current_run_id = runs.id, current_run_status = runs.status, current_run_created_at = runs.created_at,
      revision = default
    from runs
    where workspaces.id = ${run.workspace_id} and runs.id = ${run.id} and not workspaces.locked`;
  if (taken.count === 1) await stopAssessment(sql, run.workspace_id);
  return taken.count === 1;
}

/** What the run changes would be taken for drift. One at work ends when its agent says so. */
async function stopAssessment(sql: Sql, workspaceId: string): Promise<void> {
  const [found] = await sql<(QueuedRun & { status: RunStatus })[]>`
    select runs.id, runs.workspace_id, runs.plan_id, runs.apply_id, runs.status from runs
    where runs.workspace_id = ${workspaceId} and runs.is_assessment and runs.finished_at is null`;
  if (!found) return;
  if (is(found.status, 'waits')) return moveRun(sql, found, 'canceled');
  await sql`update runs set canceled_at = clock_timestamp() where runs.id = ${found.id} and runs.canceled_at is null`;
}

/** What the run wrote of the state holds from now on, as when anybody else lets go of the lock (§3). */
async function release(sql: Sql, run: QueuedRun): Promise<void> {
  const released = await sql`
    update workspaces
    set locked = false, locked_reason = null, locked_by_type = null, locked_by_id = null, revision = default
    where workspaces.id = ${run.workspace_id} and workspaces.locked_by_type = 'runs'
      and workspaces.locked_by_id = ${run.id}`;
  if (released.count === 1) await promoteIntermediate(sql, run.workspace_id);
}
