/**
 * The end of an assessment, whoever brings it about: what it found is written down, and whoever wants to know is told.
 * `moveRun` alone calls these, as for jobs: an assessment is a plan of its own kind.
 */
import { newId } from '../../core/store/ids.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { announceWorkspace, type News } from '../notification-configurations/outbox.ts';
import type { RunStatus } from './statuses.ts';

/** What is kept of a workspace: the current one, and the one before, with which it is compared. */
const kept = 2;

export interface Counts {
  resources_drifted: number;
  resources_undrifted: number;
  checks_passed: number;
  checks_failed: number;
  checks_errored: number;
  checks_unknown: number;
}

export interface Found extends Counts {
  id: string;
  created_at: string;
  succeeded: boolean;
}

/** One that made way for a run has found nothing, and is begun again when the workspace is free. */
export async function concludeAssessment(sql: Sql, runId: string, to: RunStatus): Promise<void> {
  const [run] = await sql<{ workspace_id: string }[]>`
    select runs.workspace_id from runs where runs.id = ${runId} and runs.is_assessment`;
  if (!run) return;
  const { workspace_id: workspaceId } = run;
  if (to !== 'assessed' && to !== 'errored') {
    await sql`update workspaces set assessed_at = null, revision = default where workspaces.id = ${workspaceId}`;
    return;
  }
  const made = await insertResult(sql, runId, to === 'assessed');
  await sql`
    update workspaces
    set current_assessment_result_id = ${made.id}, last_assessment_result_at = ${made.created_at}, revision = default
    where workspaces.id = ${workspaceId}`;
  const [, before] = await forgetAllButLast(sql, workspaceId);
  for (const news of newsOf(made, before)) {
    const details = { new_assessment_result: told(made), prior_assessment_result: before ? told(before) : null };
    await announceWorkspace(sql, workspaceId, news, details);
  }
}

const counted = (sql: Sql): Fragment => sql`
  assessment_results.resources_drifted, assessment_results.resources_undrifted, assessment_results.checks_passed,
  assessment_results.checks_failed, assessment_results.checks_errored, assessment_results.checks_unknown`;

async function insertResult(sql: Sql, runId: string, succeeded: boolean): Promise<Found> {
  const [made] = await sql<Found[]>`
    insert into assessment_results (
      id, workspace_id, run_id, succeeded, error_message, resources_drifted, resources_undrifted, checks_passed,
      checks_failed, checks_errored, checks_unknown
    )
    select ${newId('asmtres')}, runs.workspace_id, runs.id, ${succeeded}, case when not ${succeeded} then (
        select run_events.description from run_events
        where run_events.run_id = runs.id and run_events.description is not null
        order by run_events.created_at desc, run_events.id desc limit 1
      ) end,
      coalesce(counts.resources_drifted, 0), coalesce(counts.resources_undrifted, 0), coalesce(counts.checks_passed, 0),
      coalesce(counts.checks_failed, 0), coalesce(counts.checks_errored, 0), coalesce(counts.checks_unknown, 0)
    from runs
    join plans on plans.id = runs.plan_id
    left join jsonb_to_record(plans.assessment) as counts (
      resources_drifted integer, resources_undrifted integer, checks_passed integer, checks_failed integer,
      checks_errored integer, checks_unknown integer
    ) on true
    where runs.id = ${runId}
    returning assessment_results.id, assessment_results.created_at, assessment_results.succeeded, ${counted(sql)}`;
  return made!;
}

/** Their plans, logs and files go with them. Returns what is left, the newest first. */
async function forgetAllButLast(sql: Sql, workspaceId: string): Promise<Found[]> {
  const last = await sql<(Found & { run_id: string })[]>`
    select assessment_results.id, assessment_results.run_id, assessment_results.created_at,
      assessment_results.succeeded, ${counted(sql)}
    from assessment_results where assessment_results.workspace_id = ${workspaceId}
    order by assessment_results.created_at desc, assessment_results.id desc limit ${kept}`;
  const forgotten = sql`
    runs.workspace_id = ${workspaceId} and runs.is_assessment and runs.finished_at is not null
    and runs.id <> all(${last.map(({ run_id }) => run_id)})`;
  await sql`
    delete from blobs where blobs.id in (
      select run_artifacts.blob_id from run_artifacts join runs on runs.id = run_artifacts.run_id where ${forgotten}
    )`;
  await sql`delete from runs where ${forgotten}`;
  return last;
}

/** What is as it was the day before is not told once more. */
export function newsOf(found: Found, before: Found | undefined): News[] {
  const failed = (one: Found) => one.checks_failed + one.checks_errored;
  const news: News[] = [];
  if (!found.succeeded && before?.succeeded !== false)
    news.push({ trigger: 'assessment:failed', message: 'Assessment Failed' });
  if (found.resources_drifted > 0 && found.resources_drifted !== before?.resources_drifted)
    news.push({ trigger: 'assessment:drifted', message: 'Drift Detected' });
  if (failed(found) > 0 && (!before || failed(found) !== failed(before)))
    news.push({ trigger: 'assessment:check_failure', message: 'Check Failed' });
  return news;
}

const told = ({ id, created_at, succeeded, ...counts }: Found) => ({
  id,
  succeeded,
  drifted: counts.resources_drifted > 0,
  all_checks_succeeded: counts.checks_failed + counts.checks_errored === 0,
  resources_drifted: counts.resources_drifted,
  resources_undrifted: counts.resources_undrifted,
  checks_passed: counts.checks_passed,
  checks_failed: counts.checks_failed,
  checks_errored: counts.checks_errored,
  checks_unknown: counts.checks_unknown,
  created_at,
});
