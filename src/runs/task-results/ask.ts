/**
 * Asks run tasks, again and again until they take it or are taken for unreachable, and ends what they never said. Any number
 * of servers may do so at once; a task may be asked twice for the same result, and brings it once.
 */

import type { Claims } from '../../core/claims.ts';
import type { Config } from '../../core/config.ts';
import { limits } from '../../core/limits.ts';
import { newId } from '../../core/store/ids.ts';
import { open } from '../../core/store/secrets.ts';
import { row, type Sql, type Store } from '../../core/store/store.ts';
import { newToken, tokenHash } from '../../people/tokens/secret.ts';
import { organizationAccount } from '../../people/tokens/service-account.ts';
import type { StageName } from '../queue/stages.ts';
import { askTask } from '../run-tasks/request.ts';
import { sealContext } from '../run-tasks/run-task.ts';
import { type Said, writeResult } from './settle.ts';

const claimTime = '60 seconds';
const firstPause_s = 5;
const batch = 100;

export const pauseAfter_s = (attempts: number) => firstPause_s * 3 ** (attempts - 1);

interface Asker {
  store: Store;
  config: Config;
  /** The server's own address. */
  publicUrl: string;
}

export interface Claimed {
  id: string;
  attempts: number;
  enforcement_level: string;
  stage: StageName;
  run_task_id: string | null;
  task_url: string;
  sealed_hmac_key: Buffer | null;
  run_id: string;
  run_message: string;
  run_created_at: string;
  plan_id: string;
  plan_only: boolean;
  configuration_version_id: string | null;
  ingress: Record<string, string | null> | null;
  created_by_id: string;
  created_by: string | null;
  workspace_id: string;
  workspace_name: string;
  working_directory: string | null;
  organization_id: string;
  organization_name: string;
}

export const askingTasks = (asker: () => Asker): Claims<Claimed> => ({
  claim: most => claimDue(asker().store.read, most),
  work: one => ask(asker(), one),
  most: limits.tasksAtOnce_items.value,
});

async function claimDue(sql: Sql, most: number): Promise<Claimed[]> {
  return sql<Claimed[]>`
    with chosen as (
      select task_results.id from task_results
      where task_results.status = 'pending' and task_results.due_at <= clock_timestamp()
        and (task_results.claimed_until is null or task_results.claimed_until <= clock_timestamp())
      order by task_results.due_at, task_results.id
      limit ${most}
      for update skip locked
    ), claimed as (
      update task_results
      set attempts = task_results.attempts + 1, claimed_until = clock_timestamp() + ${claimTime}::text::interval
      from chosen where task_results.id = chosen.id
      returning task_results.*
    )
    select claimed.id, claimed.attempts, claimed.enforcement_level, claimed.run_task_id, claimed.task_url,
      task_stages.stage, run_tasks.sealed_hmac_key, runs.id as run_id, runs.message as run_message,
      runs.created_at as run_created_at, runs.plan_id, runs.plan_only, runs.configuration_version_id,
      configuration_versions.ingress_attributes as ingress, runs.created_by_id, users.username as created_by,
      workspaces.id as workspace_id, workspaces.name as workspace_name, workspaces.working_directory,
      organizations.id as organization_id, organizations.name as organization_name
    from claimed
    join task_stages on task_stages.id = claimed.task_stage_id
    join runs on runs.id = task_stages.run_id
    join workspaces on workspaces.id = runs.workspace_id
    join organizations on organizations.id = workspaces.organization_id
    left join run_tasks on run_tasks.id = claimed.run_task_id
    left join configuration_versions on configuration_versions.id = runs.configuration_version_id
    left join users on users.id = runs.created_by_id
    order by claimed.due_at, claimed.id`;
}

async function ask(asker: Asker, one: Claimed): Promise<void> {
  const { store, config } = asker;
  if (one.run_task_id === null) {
    return end(store, one, { status: 'unreachable', message: 'The run task was deleted.' });
  }
  const token = await store.transaction(sql => issueToken(sql, config, one));
  const key = one.sealed_hmac_key && open(config, one.sealed_hmac_key, sealContext(one.run_task_id));
  const refusal = await askTask(config, { url: one.task_url, key }, requestOf(one, token, asker.publicUrl));
  if (refusal === null) return accept(store.read, one.id);
  if (one.attempts < limits.taskAttempts_items.value) return postpone(store.read, one);
  await end(store, one, { status: 'unreachable', message: `The run task could not be asked: ${refusal}.` });
}

/** Whoever answers fast has brought the result before this. */
async function accept(sql: Sql, id: string): Promise<void> {
  await sql`
    update task_results
    set status = 'running', claimed_until = null, updated_at = clock_timestamp(), started_at = clock_timestamp(),
      expires_at = clock_timestamp() + make_interval(secs => ${limits.taskTime_s.value}::integer)
    where task_results.id = ${id} and task_results.status = 'pending'`;
}

async function postpone(sql: Sql, { id, attempts }: Claimed): Promise<void> {
  await sql`
    update task_results
    set claimed_until = null,
      due_at = clock_timestamp() + make_interval(secs => ${pauseAfter_s(attempts)}::double precision)
    where task_results.id = ${id}`;
}

async function issueToken(sql: Sql, config: Config, one: Claimed): Promise<string> {
  const secret = newToken();
  const userId = one.created_by === null ? null : one.created_by_id;
  const holder = userId ?? (await organizationAccount(sql, one.organization_id, one.organization_name));
  await sql`
    insert into tokens ${row(sql, {
      id: newId('at'),
      kind: 'run',
      user_id: holder,
      run_id: one.run_id,
      run_phase: 'task',
      task_result_id: one.id,
      hash: tokenHash(config.tokenPepper ?? '', secret),
      expired_at: new Date(Date.now() + limits.taskWholeTime_s.value * 1000).toISOString(),
      created_by_type: 'users',
      created_by_id: holder,
    })}`;
  return secret;
}

function requestOf(one: Claimed, token: string, publicUrl: string): object {
  const api = `${publicUrl}/api/v2`;
  const workspace = ['app', one.organization_name, 'workspaces', one.workspace_name].map(encodeURIComponent).join('/');
  const version = one.configuration_version_id;
  return {
    payload_version: 1,
    stage: one.stage,
    access_token: token,
    capabilities: { outcomes: false },
    configuration_version_id: version,
    configuration_version_download_url: version && `${api}/configuration-versions/${version}/download`,
    is_speculative: one.plan_only,
    organization_name: one.organization_name,
    ...(one.stage !== 'pre_plan' && { plan_json_api_url: `${api}/plans/${one.plan_id}/json-output` }),
    run_app_url: `${publicUrl}/${workspace}/runs/${one.run_id}`,
    run_created_at: one.run_created_at,
    run_created_by: one.created_by,
    run_id: one.run_id,
    run_message: one.run_message,
    task_result_callback_url: `${api}/task-results/${one.id}/callback`,
    task_result_enforcement_level: one.enforcement_level,
    task_result_id: one.id,
    vcs_branch: one.ingress?.['branch'] ?? null,
    vcs_commit_url: one.ingress?.['commit-url'] ?? null,
    vcs_pull_request_url: one.ingress?.['pull-request-url'] ?? null,
    vcs_repo_url: one.ingress?.['clone-url'] ?? null,
    workspace_app_url: `${publicUrl}/${workspace}`,
    workspace_id: one.workspace_id,
    workspace_name: one.workspace_name,
    workspace_working_directory: one.working_directory,
  };
}

/** Where somebody has brought a result meanwhile, that one holds. */
async function end(
  store: Store,
  { id, workspace_id }: Pick<Claimed, 'id' | 'workspace_id'>,
  said: Said,
): Promise<void> {
  await store.transaction(async sql => {
    await sql`select from workspaces where workspaces.id = ${workspace_id} for update`;
    const [open] = await sql`
      select from task_results where task_results.id = ${id} and task_results.status in ('pending', 'running')
      for update`;
    if (open) await writeResult(sql, id, said);
  });
}

/** Results that did not come in time. Returns how many there were. */
export async function endOverdue(store: Store): Promise<number> {
  const overdue = await store.read<{ id: string; workspace_id: string }[]>`
    select task_results.id, runs.workspace_id from task_results
    join task_stages on task_stages.id = task_results.task_stage_id
    join runs on runs.id = task_stages.run_id
    where task_results.status = 'running' and task_results.expires_at <= clock_timestamp()
    order by task_results.expires_at, task_results.id limit ${batch}`;
  for (const one of overdue) {
    await end(store, one, { status: 'errored', message: 'The run task brought no result in time.' });
  }
  return overdue.length;
}
