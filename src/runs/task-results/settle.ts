/** What follows from what tasks said: a stage is over once none of its results is open, and the run goes on, or ends there. */
import type { Sql } from '../../core/store/store.ts';
import { moveRun, type QueuedRun, recordRunEvent } from '../queue/move.ts';
import { type Asked, afterPlan, pass } from '../queue/outcome.ts';
import { stamp } from '../queue/phases.ts';
import type { StageName } from '../queue/stages.ts';
import type { RunStatus } from '../queue/statuses.ts';
import type { ResultStatus } from './task-result.ts';

interface Stage {
  id: string;
  stage: StageName;
}

interface Counts {
  open: number;
  refusing: string[];
}

type StagedRun = QueuedRun & Asked & { has_changes: boolean };

/** Where the run goes from there. */
function afterStage(stage: StageName, run: Asked & { has_changes: boolean }): RunStatus[] {
  if (stage === 'pre_plan') return ['pre_plan_completed', 'plan_queued'];
  if (stage === 'pre_apply') return ['pre_apply_completed', 'apply_queued'];
  if (stage === 'post_apply') return ['post_apply_completed', 'applied'];
  return afterPlan(run, run.has_changes).map(status => (status === 'planned' ? 'post_plan_completed' : status));
}

export interface Said {
  status: ResultStatus;
  message?: string | null | undefined;
  url?: string | null | undefined;
}

/** The row of the workspace is held, and the result is open. */
export async function writeResult(sql: Sql, id: string, { status, message, url }: Said): Promise<void> {
  const [written] = await sql<{ task_stage_id: string }[]>`
    update task_results
    set status = ${status}, updated_at = clock_timestamp(), claimed_until = null,
      message = coalesce(${message ?? null}, task_results.message), url = coalesce(${url ?? null}, task_results.url),
      status_timestamps = task_results.status_timestamps || jsonb_build_object(${`${status}-at`}::text, ${stamp(sql)})
    where task_results.id = ${id}
    returning task_results.task_stage_id`;
  if (status === 'running') return;
  await sql`delete from tokens where tokens.task_result_id = ${id}`;
  await settleStage(sql, written!.task_stage_id);
}

async function settleStage(sql: Sql, stageId: string): Promise<void> {
  const [counts] = await sql<Counts[]>`
    select count(*) filter (where task_results.status in ('pending', 'running')) as open,
      coalesce(array_agg(task_results.task_name order by task_results.task_name) filter (
        where task_results.enforcement_level = 'mandatory' and task_results.status in ('failed', 'errored', 'unreachable')
      ), '{}') as refusing
    from task_results where task_results.task_stage_id = ${stageId}`;
  if (counts!.open > 0) return;
  const refusing = counts!.refusing;
  const status = refusing.length > 0 ? 'failed' : 'passed';
  const [stage] = await sql<Stage[]>`
    update task_stages
    set status = ${status}, updated_at = clock_timestamp(),
      status_timestamps = task_stages.status_timestamps || jsonb_build_object(${`${status}-at`}::text, ${stamp(sql)})
    where task_stages.id = ${stageId} and task_stages.status = 'running'
    returning task_stages.id, task_stages.stage`;
  if (stage) await moveOn(sql, stage, refusing);
}

async function moveOn(sql: Sql, { id, stage }: Stage, refusing: readonly string[]): Promise<void> {
  const [run] = await sql<StagedRun[]>`
    select runs.id, runs.workspace_id, runs.plan_id, runs.apply_id, runs.plan_only, runs.save_plan, runs.auto_apply,
      runs.allow_empty_apply, runs.has_changes
    from task_stages join runs on runs.id = task_stages.run_id where task_stages.id = ${id}`;
  if (refusing.length === 0) return pass(sql, run!, afterStage(stage, run!));
  const reason = `The run was stopped by mandatory run tasks: ${refusing.join(', ')}.`;
  await recordRunEvent(sql, run!.id, `${stage}_failed`, { actorId: null }, reason);
  await moveRun(sql, run!, 'errored');
}
