/** Who stands at the agents' door: a pool's token, an agent's secret, or the token of one job. Each opens its own calls only. */
import { givenTo, signedPath } from '../../core/blobs/signed-path.ts';
import type { Config } from '../../core/config.ts';
import { ApiError } from '../../core/errors.ts';
import type { Sql, Store } from '../../core/store/store.ts';
import { agentIsPresent } from '../../organizations/executors.ts';
import { mayBeToken, tokenHash } from '../../people/tokens/secret.ts';
import type { AgentHolder, Holders, IngressHolder, JobHolder, PoolHolder } from './holders.ts';

/** What an agent of the server itself signs in with: it is given to the process that the server starts, and to nobody else. */
export const ownTicket = ({ tokenPepper = '' }: Config) => signedPath(tokenPepper, 'AGENT', 'built-in', 'agent');

/** Throws `unauthorized` unless the token is one of those that open the call. */
export async function signIn<Opens extends keyof Holders>(
  opens: Opens,
  store: Store,
  config: Config,
  token: string | undefined,
): Promise<Holders[Opens]> {
  const holder = token === undefined ? null : await finders[opens](store, config, token);
  if (!holder) throw new ApiError('unauthorized');
  return holder as Holders[Opens];
}

const finders: {
  [Opens in keyof Holders]: (store: Store, config: Config, token: string) => Promise<Holders[Opens] | null>;
} = { pool: poolOf, agent: agentOf, job: jobOf, ingress: ingressOf };

const sayAgainAfter = '2 seconds';
const noteUseAfter = '10 seconds';

const hashOf = ({ tokenPepper = '' }: Config, token: string) =>
  mayBeToken(token) ? tokenHash(tokenPepper, token) : null;

async function poolOf(store: Store, config: Config, token: string): Promise<PoolHolder | null> {
  const [path, query] = token.split('?', 2);
  if (path === 'built-in') {
    const given = Object.fromEntries(new URLSearchParams(query));
    return givenTo(config.tokenPepper ?? '', 'AGENT', 'built-in', given) ? { poolId: null, tokenId: null } : null;
  }
  const hash = hashOf(config, token);
  if (!hash) return null;
  const { read: sql } = store;
  const [found] = await sql<{ id: string; agent_pool_id: string; is_noted: boolean }[]>`
    select tokens.id, tokens.agent_pool_id,
      coalesce(tokens.last_used_at > now() - ${noteUseAfter}::text::interval, false) as is_noted
    from tokens
    where tokens.hash = ${hash} and tokens.kind = 'agent' and (tokens.expired_at is null or tokens.expired_at > now())`;
  if (!found) return null;
  // Many agents that begin at once would queue for the row.
  if (!found.is_noted) await store.transaction(inner => noteUse(inner, found.id));
  return { poolId: found.agent_pool_id, tokenId: found.id };
}

async function noteUse(sql: Sql, tokenId: string): Promise<void> {
  await sql`
    update tokens set last_used_at = now()
    from (select tokens.id from tokens where tokens.id = ${tokenId} for update skip locked) as free
    where tokens.id = free.id`;
}

/** One that was lost, or whose pool's token was revoked, is nobody any more. */
async function agentOf(store: Store, config: Config, token: string): Promise<AgentHolder | null> {
  const hash = hashOf(config, token);
  if (!hash) return null;
  const { read: sql } = store;
  const [found] = await sql<(AgentHolder & { isSilent: boolean })[]>`
    select agents.id as "agentId", agents.agent_pool_id as "poolId", agent_pools.organization_id as "organizationId",
      agents.git_version is not null as "hasGit",
      agents.last_ping_at < clock_timestamp() - ${sayAgainAfter}::text::interval as "isSilent"
    from agents
    left join agent_pools on agent_pools.id = agents.agent_pool_id
    where agents.secret_hash = ${hash} and ${agentIsPresent(sql)}
      and (agents.agent_pool_id is null or exists (
        select from tokens
        where tokens.id = agents.token_id and (tokens.expired_at is null or tokens.expired_at > now())
      ))`;
  if (found?.isSilent) await noteLife(store, found.agentId, null);
  return found ?? null;
}

/** A sign of life of the job, and of the agent that holds it. Of a job that is over it is none. */
async function jobOf(store: Store, config: Config, token: string): Promise<JobHolder | null> {
  const hash = hashOf(config, token);
  if (!hash) return null;
  const { read: sql } = store;
  const [found] = await sql<(JobHolder & { agentId: string; isSilent: boolean })[]>`
    select jobs.id as "jobId", jobs.run_id as "runId", runs.workspace_id as "workspaceId",
      jobs.organization_id as "organizationId", runs.plan_id as "planId", runs.apply_id as "applyId", jobs.phase,
      jobs.status, jobs.outcome, runs.canceled_at is not null as "isCanceled", jobs.agent_id as "agentId",
      ${isSilent(sql)} as "isSilent"
    from jobs
    join runs on runs.id = jobs.run_id
    where jobs.token_hash = ${hash}`;
  if (found?.isSilent) await noteLife(store, found.agentId, found.jobId);
  return found ?? null;
}

async function ingressOf(store: Store, config: Config, token: string): Promise<IngressHolder | null> {
  const hash = hashOf(config, token);
  if (!hash) return null;
  const { read: sql } = store;
  const [found] = await sql<(IngressHolder & { agentId: string; isSilent: boolean })[]>`
    select jobs.id as "jobId", jobs.configuration_version_id as "versionId",
      configuration_versions.workspace_id as "workspaceId", jobs.organization_id as "organizationId", jobs.status,
      jobs.outcome, jobs.is_built_in as "isBuiltIn", jobs.agent_id as "agentId", ${isSilent(sql)} as "isSilent"
    from jobs
    join configuration_versions on configuration_versions.id = jobs.configuration_version_id
    where jobs.token_hash = ${hash}`;
  if (found?.isSilent) await noteLife(store, found.agentId, found.jobId);
  return found ?? null;
}

const isSilent = (sql: Sql) => sql`
  (jobs.status <> 'over' and jobs.seen_at < clock_timestamp() - ${sayAgainAfter}::text::interval)`;

/** Not where it was noted just now: most calls write nothing, and reading does not wait for anything to be written. */
async function noteLife(store: Store, agentId: string, jobId: string | null): Promise<void> {
  await store.transaction(async sql => {
    await sql`update agents set last_ping_at = clock_timestamp() where agents.id = ${agentId}`;
    if (jobId === null) return;
    await sql`
      update jobs set seen_at = clock_timestamp()
      where jobs.id = ${jobId} and jobs.status in ('allocated', 'running')`;
  });
}
