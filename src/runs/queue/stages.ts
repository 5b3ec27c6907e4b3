/**
 * Run tasks hold a run up at up to four points of its life. A stage is made with its run, begins when the run comes to it,
 * and ends when all of its tasks have said something; `task-results/settle.ts` says how the run goes on from there.
 */
import { newId } from '../../core/store/ids.ts';
import type { Sql } from '../../core/store/store.ts';
import { stamp } from './phases.ts';
import { is, type RunStatus } from './statuses.ts';

export const stageNames = ['pre_plan', 'post_plan', 'pre_apply', 'post_apply'] as const;
export type StageName = (typeof stageNames)[number];

/** Before which statuses of a run its tasks come. */
const gates: Partial<Record<RunStatus, StageName>> = {
  plan_queued: 'pre_plan',
  planned: 'post_plan',
  planned_and_saved: 'post_plan',
  planned_and_finished: 'post_plan',
  apply_queued: 'pre_apply',
  applied: 'post_apply',
};

/** The stage that begins with the status. */
export const stageAt = (status: RunStatus): StageName | undefined =>
  stageNames.find(stage => status === `${stage}_running`);

/** Where the run has to go first; the status itself where no tasks come before it. */
export async function afterTasks(sql: Sql, runId: string, to: RunStatus): Promise<RunStatus> {
  const stage = gates[to];
  if (!stage) return to;
  const waiting = await sql`
    select from task_stages
    where task_stages.run_id = ${runId} and task_stages.stage = ${stage} and task_stages.status = 'pending'`;
  return waiting.length > 0 ? `${stage}_running` : to;
}

interface Attached {
  id: string;
  stages: StageName[];
  enforcement_level: string;
  run_task_id: string;
  name: string;
  url: string;
}

/** One stage for all tasks that are asked at the same point. A run that only plans is never applied. */
export async function makeStages(
  sql: Sql,
  run: { id: string; workspace_id: string; apply_id: string | null },
): Promise<void> {
  const attached = await sql<Attached[]>`
    select workspace_tasks.id, workspace_tasks.stages, workspace_tasks.enforcement_level, run_tasks.id as run_task_id,
      run_tasks.name, run_tasks.url
    from workspace_tasks
    join run_tasks on run_tasks.id = workspace_tasks.run_task_id
    where workspace_tasks.workspace_id = ${run.workspace_id} and run_tasks.enabled
    order by workspace_tasks.created_at, workspace_tasks.id
    for key share of run_tasks`;
  const reached = run.apply_id ? stageNames : (['pre_plan', 'post_plan'] as const);
  for (const stage of reached) {
    const asked = attached.filter(({ stages }) => stages.includes(stage));
    if (asked.length > 0) await makeStage(sql, run.id, stage, asked);
  }
}

async function makeStage(sql: Sql, runId: string, stage: StageName, asked: readonly Attached[]): Promise<void> {
  const id = newId('ts');
  await sql`insert into task_stages (id, run_id, stage) values (${id}, ${runId}, ${stage})`;
  const results = asked.map(one => ({
    ...one,
    workspace_task_id: one.id,
    id: newId('taskrs'),
    // What was applied cannot be stopped any more.
    enforcement_level: stage === 'post_apply' ? 'advisory' : one.enforcement_level,
  }));
  await sql`
    insert into task_results (
      id, task_stage_id, run_task_id, task_id, task_name, task_url, workspace_task_id, enforcement_level
    )
    select made.id, ${id}, made.run_task_id, made.run_task_id, made.name, made.url, made.workspace_task_id,
      made.enforcement_level
    from jsonb_to_recordset(${sql.json(results)}::jsonb) as made (
      id text, run_task_id text, name text, url text, workspace_task_id text, enforcement_level text
    )`;
}

/** Follows the run: the tasks of the stage that it has come to are asked, and those of a run that is over are not. */
export async function moveStages(sql: Sql, runId: string, to: RunStatus): Promise<void> {
  const stage = stageAt(to);
  if (stage) await beginStage(sql, runId, stage);
  else if (is(to, 'final')) await endStages(sql, runId);
}

async function beginStage(sql: Sql, runId: string, stage: StageName): Promise<void> {
  await sql`
    with begun as (
      update task_stages
      set status = 'running', updated_at = clock_timestamp(),
        status_timestamps = task_stages.status_timestamps || jsonb_build_object('running-at', ${stamp(sql)})
      where task_stages.run_id = ${runId} and task_stages.stage = ${stage}
      returning task_stages.id
    )
    update task_results set due_at = clock_timestamp() from begun where task_results.task_stage_id = begun.id`;
}

/** What had not begun is unreachable now, and what was under way is nobody's concern any more. */
async function endStages(sql: Sql, runId: string): Promise<void> {
  await sql`
    with ended as (
      update task_stages
      set status = case task_stages.status when 'pending' then 'unreachable' else 'canceled' end,
        updated_at = clock_timestamp(),
        status_timestamps = task_stages.status_timestamps || jsonb_build_object('canceled-at', ${stamp(sql)})
      where task_stages.run_id = ${runId} and task_stages.status in ('pending', 'running')
      returning task_stages.id, task_stages.status
    )
    update task_results
    set status = ended.status, updated_at = clock_timestamp(),
      status_timestamps = task_results.status_timestamps || jsonb_build_object('canceled-at', ${stamp(sql)})
    from ended
    where task_results.task_stage_id = ended.id and task_results.status in ('pending', 'running')`;
}
