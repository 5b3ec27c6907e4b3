/** A job that an agent holds, with its run, while what becomes of them is decided. */
import { ApiError } from '../../core/errors.ts';
import type { Sql } from '../../core/store/store.ts';
import type { QueuedRun } from '../queue/move.ts';
import type { RunStatus } from '../queue/statuses.ts';
import type { JobHolder } from './holders.ts';

export interface HeldRun extends QueuedRun {
  status: RunStatus;
  organization_id: string;
  plan_only: boolean;
  save_plan: boolean;
  auto_apply: boolean;
  allow_empty_apply: boolean;
  is_assessment: boolean;
  canceled_at: string | null;
  created_by_id: string;
}

/** Holds the row of the workspace, as every move of its runs does. Throws `job-over` where the job is not in that status. */
export async function holdJob(
  sql: Sql,
  holder: Pick<JobHolder, 'jobId' | 'workspaceId'>,
  ...statuses: JobHolder['status'][]
): Promise<HeldRun> {
  await sql`select from workspaces where workspaces.id = ${holder.workspaceId} for update`;
  const [run] = await sql<HeldRun[]>`
    select runs.id, runs.workspace_id, runs.plan_id, runs.apply_id, runs.status, runs.organization_id, runs.plan_only,
      runs.save_plan, runs.auto_apply, runs.allow_empty_apply, runs.is_assessment, runs.canceled_at,
      runs.created_by_id
    from jobs
    join runs on runs.id = jobs.run_id
    where jobs.id = ${holder.jobId} and jobs.status = any(${statuses})
    for update of jobs`;
  if (!run) throw new ApiError('job-over');
  return run;
}

/** Throws `job-over` where somebody has ended it. */
export function requireRunning({ status }: JobHolder): void {
  if (status !== 'running') throw new ApiError('job-over');
}
