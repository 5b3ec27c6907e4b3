/**
 * The jobs of a run: one for each phase that is to be executed, opened when the phase is queued and closed when it is over.
 * `moveRun` alone calls these, so that what agents are handed always fits the status of the run. And the job of a
 * configuration version whose content is to be fetched.
 */
import { newId } from '../../core/store/ids.ts';
import type { Sql } from '../../core/store/store.ts';
import { effectiveAgentPool, effectiveExecutionMode } from '../../workspaces/workspaces/execution-mode.ts';

export type PhaseName = 'plan' | 'apply';

/** What readers may still want stays: the plan as JSON, an errored state. */
const neededWhileUnderWay = ['plan', 'lock'];

/** Applies go before plans, both before plans that nobody can apply, and these before those that nobody asked for. */
export async function openJob(sql: Sql, runId: string, phase: PhaseName): Promise<void> {
  await sql`
    insert into jobs (id, run_id, organization_id, phase, precedence, is_built_in, agent_pool_id)
    select ${newId('job')}, runs.id, runs.organization_id, ${phase},
      case when ${phase} = 'apply' then 0 when runs.is_assessment then 3 when runs.plan_only then 2 else 1 end,
      runs.execution_mode = 'remote', runs.agent_pool_id
    from runs
    where runs.id = ${runId} and (runs.execution_mode = 'remote' or runs.agent_pool_id is not null)
    on conflict (run_id, phase) do nothing`;
}

/**
 * What a repository holds is fetched where the connection's own pool stands, else where the workspace's runs are executed.
 * It goes as early as the plan that waits for it.
 */
export async function openFetchJob(sql: Sql, versionId: string): Promise<void> {
  await sql`
    insert into jobs (id, configuration_version_id, organization_id, phase, precedence, is_built_in, agent_pool_id)
    select ${newId('job')}, configuration_versions.id, workspaces.organization_id, 'ingress',
      case when configuration_versions.speculative then 2 else 1 end, places.pool is null, places.pool
    from configuration_versions
    join workspaces on workspaces.id = configuration_versions.workspace_id
    join projects on projects.id = workspaces.project_id
    join organizations on organizations.id = workspaces.organization_id
    join configuration_fetches on configuration_fetches.configuration_version_id = configuration_versions.id
    left join oauth_tokens on oauth_tokens.id = configuration_fetches.oauth_token_id
    left join oauth_clients on oauth_clients.id = oauth_tokens.oauth_client_id
    cross join lateral (
      select coalesce(
        oauth_clients.agent_pool_id,
        case when ${effectiveExecutionMode(sql)} = 'agent' then ${effectiveAgentPool(sql)} end
      ) as pool
    ) as places
    where configuration_versions.id = ${versionId}`;
}

/** A phase is over: its job, and the token under which its engine read and wrote. */
export async function closeJobs(sql: Sql, runId: string): Promise<void> {
  await sql`
    update jobs set status = 'over', finished_at = clock_timestamp()
    where jobs.run_id = ${runId} and jobs.status <> 'over'`;
  await sql`delete from tokens where tokens.run_id = ${runId}`;
}

/** A run is over: nobody needs its variables, or what the apply would have been made of. */
export async function forgetRun(sql: Sql, runId: string): Promise<void> {
  await closeJobs(sql, runId);
  await sql`update runs set sealed_variables = null where runs.id = ${runId} and runs.sealed_variables is not null`;
  await sql`
    delete from blobs where blobs.id in (
      select run_artifacts.blob_id from run_artifacts
      where run_artifacts.run_id = ${runId} and run_artifacts.name = any(${neededWhileUnderWay})
    )`;
}
