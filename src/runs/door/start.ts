/** A job begins: from now on its run is planning or applying, and nobody else is handed it. */
import type { JobDescription } from '../../../agent/protocol.ts';
import { sealContext as sshKeyContext } from '../../connections/ssh-keys/ssh-key.ts';
import type { Config } from '../../core/config.ts';
import type { Deployment } from '../../core/jsonapi/fields.ts';
import { limits } from '../../core/limits.ts';
import { openBytes } from '../../core/store/secrets.ts';
import type { Sql } from '../../core/store/store.ts';
import { isExactVersion, newestSatisfying } from '../../organizations/engine-versions/constraint.ts';
import { erroredStateAddress } from '../phases/apply.ts';
import { moveRun } from '../queue/move.ts';
import { isStructured } from '../queue/sources.ts';
import { type RunWithVariables, variablesOfRun } from '../queue/variables.ts';
import { call } from './call.ts';
import { type HeldRun, holdJob } from './held-job.ts';
import type { JobHolder } from './holders.ts';
import { recordJobEvent } from './record.ts';
import { issueRunToken } from './run-token.ts';

export const startJob = call<'job'>({
  operation: 'jobs.start',
  summary: 'Begin with a job, and be told what it consists of; 410 where somebody has ended it meanwhile',
  method: 'POST',
  path: '/job/start',
  opens: 'job',
  handle: async context => {
    const { holder, store, config, deployment } = context;
    return store.transaction(async sql => {
      // Again by the same holder when the first answer was lost on its way.
      const run = await holdJob(sql, holder, 'allocated', 'running');
      const isNew = run.status === 'plan_queued' || run.status === 'apply_queued';
      await sql`
        update jobs set status = 'running', started_at = coalesce(jobs.started_at, clock_timestamp())
        where jobs.id = ${holder.jobId}`;
      if (isNew) {
        await writeExecutor(sql, holder);
        await moveRun(sql, run, holder.phase === 'plan' ? 'planning' : 'applying');
        await recordJobEvent(sql, context, 'jobs.start', { phase: holder.phase });
      }
      return { json: await description(sql, config, deployment, holder, run) };
    });
  },
});

async function writeExecutor(sql: Sql, { jobId, phase, planId, applyId }: JobHolder): Promise<void> {
  const table = phase === 'plan' ? 'plans' : 'applies';
  await sql`
    update ${sql(table)} as phase set execution_details = (
      select case when agents.agent_pool_id is null then jsonb_build_object('mode', 'remote')
        else jsonb_strip_nulls(jsonb_build_object(
        'mode', 'agent', 'agent-id', agents.id, 'agent-name', agents.name, 'agent-pool-id', agent_pools.id,
        'agent-pool-name', agent_pools.name
      )) end
      from jobs
      join agents on agents.id = jobs.agent_id
      left join agent_pools on agent_pools.id = agents.agent_pool_id
      where jobs.id = ${jobId}
    )
    where phase.id = ${phase === 'plan' ? planId : applyId!}`;
}

/** A run with all that its job says of it. */
interface DescribedRun extends RunWithVariables {
  is_destroy: boolean;
  refresh: boolean;
  refresh_only: boolean;
  allow_config_generation: boolean;
  is_assessment: boolean;
  debugging_mode: boolean;
  target_addrs: string[];
  replace_addrs: string[];
  invoke_action_addrs: string[];
  terraform_version: string;
  source: string;
  organization_name: string;
  project_name: string;
  workspace_name: string;
  working_directory: string | null;
  structured_run_output_enabled: boolean;
  ssh_key_id: string | null;
  sealed_ssh_key: Buffer | null;
  ingress_attributes: Record<string, string | null> | null;
  engines: { version: string }[] | null;
}

async function description(
  sql: Sql,
  config: Config,
  deployment: Deployment,
  holder: JobHolder,
  held: HeldRun,
): Promise<JobDescription> {
  const [found] = await sql<DescribedRun[]>`
    select runs.*, workspaces.name as workspace_name, workspaces.working_directory, projects.name as project_name,
      workspaces.structured_run_output_enabled, organizations.name as organization_name, ssh_keys.id as ssh_key_id,
      ssh_keys.sealed_value as sealed_ssh_key, configuration_versions.ingress_attributes, agents.engines
    from runs
    join workspaces on workspaces.id = runs.workspace_id
    join projects on projects.id = workspaces.project_id
    join organizations on organizations.id = workspaces.organization_id
    left join ssh_keys on ssh_keys.id = workspaces.ssh_key_id
    left join configuration_versions on configuration_versions.id = runs.configuration_version_id
    left join jobs on jobs.id = ${holder.jobId}
    left join agents on agents.id = jobs.agent_id
    where runs.id = ${holder.runId}`;
  const run = found!;
  const timeout_s = holder.phase === 'plan' ? limits.planTime_s.value : limits.applyTime_s.value;
  const ingress = run.ingress_attributes ?? {};
  return {
    job: holder.jobId,
    phase: holder.phase,
    run: holder.runId,
    organization: run.organization_name,
    project: run.project_name,
    workspace: { id: holder.workspaceId, name: run.workspace_name },
    engine_version: await engineVersion(sql, run),
    working_directory: run.working_directory ?? '',
    is_destroy: run.is_destroy,
    refresh: run.refresh,
    refresh_only: run.refresh_only,
    allow_config_generation: run.allow_config_generation,
    is_assessment: run.is_assessment,
    is_debugging: run.debugging_mode,
    target_addrs: run.target_addrs,
    replace_addrs: run.replace_addrs,
    invoke_action_addrs: run.invoke_action_addrs,
    variables: variablesOfRun(config, run),
    ssh_key: run.sealed_ssh_key
      ? openBytes(config, run.sealed_ssh_key, sshKeyContext(run.ssh_key_id!)).toString('utf8')
      : null,
    commit: { branch: ingress.branch ?? null, sha: ingress['commit-sha'] ?? null, tag: ingress.tag ?? null },
    is_structured: isStructured(run.source, run.structured_run_output_enabled) || run.is_assessment,
    token: await issueRunToken(sql, config, holder, held, run.organization_name, timeout_s),
    public_url: deployment.publicUrl,
    timeout_s,
    log_limit_bytes: limits.runLog_bytes.value,
    errored_state_url: holder.phase === 'apply' ? erroredStateAddress(holder.applyId!, holder.jobId, deployment) : null,
  };
}

/** The newest that the agent has, where the workspace names no exact one; else the newest that is known. */
async function engineVersion(sql: Sql, run: DescribedRun): Promise<string> {
  const wanted = run.terraform_version;
  if (isExactVersion(wanted)) return wanted;
  const installed = (run.engines ?? []).map(({ version }) => version);
  const best = newestSatisfying(wanted, installed.filter(isExactVersion));
  if (best) return best;
  const known = await sql<{ version: string }[]>`
    select engine_versions.version from engine_versions where engine_versions.enabled`;
  return (
    newestSatisfying(
      wanted,
      known.map(({ version }) => version),
    ) ?? wanted
  );
}
