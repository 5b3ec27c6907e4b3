/**
 * Run tasks hold a run up at up to four points of its life. A stage is made with its run, begins when the run comes to it,
 * and ends when all of its tasks have said something; `task-results/settle.ts` says how the run goes on from there.
 */
import { newId } from '../../core/store/ids.ts';
import type { Sql } from '../../core/store/store.ts';
import { mayAskEverywhere } from '../../organizations/site/feature-sets.ts';
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

interface Wanted {
  run_task_id: string;
  name: string;
  url: string;
  /** Null where the workspace does not name the task, which is asked in all of them. */
  workspace_task_id: string | null;
  stages: StageName[] | null;
  enforcement_level: string | null;
  is_global: boolean;
  global_stages: StageName[];
  global_enforcement_level: string;
}

type Asked = Pick<Wanted, 'run_task_id' | 'name' | 'url' | 'workspace_task_id'> & { enforcement_level: string };

/** One stage for all tasks that are asked at the same point. A run that only plans is never applied. */
export async function makeStages(
  sql: Sql,
  run: { id: string; workspace_id: string; apply_id: string | null },
  organizationId: string,
): Promise<void> {
  const isGlobal = sql`(run_tasks.global_enabled and ${mayAskEverywhere(sql, sql`run_tasks.organization_id`)})`;
  const wanted = await sql<Wanted[]>`
    select run_tasks.id as run_task_id, run_tasks.name, run_tasks.url, workspace_tasks.id as workspace_task_id,
      workspace_tasks.stages, workspace_tasks.enforcement_level, ${isGlobal} as is_global, run_tasks.global_stages,
      run_tasks.global_enforcement_level
    from run_tasks
    left join workspace_tasks on workspace_tasks.run_task_id = run_tasks.id
      and workspace_tasks.workspace_id = ${run.workspace_id}
    where run_tasks.organization_id = ${organizationId} and run_tasks.enabled
      and (workspace_tasks.id is not null or ${isGlobal})
    order by workspace_tasks.created_at, workspace_tasks.id, run_tasks.name
    for key share of run_tasks`;
  const reached = run.apply_id ? stageNames : (['pre_plan', 'post_plan'] as const);
  for (const stage of reached) {
    const asked = wanted.flatMap(one => askedAt(stage, one));
    if (asked.length > 0) await makeStage(sql, run.id, stage, asked);
  }
}

/** A task that the workspace names and that is asked in all of them is asked once, and is mandatory where either says so. */
function askedAt(stage: StageName, { stages, enforcement_level, ...task }: Wanted): Asked[] {
  const levels = [
    ...(stages?.includes(stage) ? [enforcement_level] : []),
    ...(task.is_global && task.global_stages.includes(stage) ? [task.global_enforcement_level] : []),
  ];
  if (levels.length === 0) return [];
  return [{ ...task, enforcement_level: levels.includes('mandatory') ? 'mandatory' : 'advisory' }];
}

async function makeStage(sql: Sql, runId: string, stage: StageName, asked: readonly Asked[]): Promise<void> {
  const id = newId('ts');
  await sql`insert into task_stages (id, run_id, stage) values (${id}, ${runId}, ${stage})`;
  const results = asked.map(one => ({
    ...one,
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
