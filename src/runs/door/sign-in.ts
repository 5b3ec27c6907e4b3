/** Who stands at the agents' door: a pool's token, an agent's secret, or the token of one job. Each opens its own calls only. */
import { givenTo, signedPath } from '../../core/blobs/signed-path.ts';
import type { Config } from '../../core/config.ts';
import { ApiError } from '../../core/errors.ts';
import type { Sql } from '../../core/store/store.ts';
import { agentIsPresent } from '../../organizations/executors.ts';
import { mayBeToken, tokenHash } from '../../people/tokens/secret.ts';
import type { AgentHolder, Holders, JobHolder, PoolHolder } from './holders.ts';

/** What an agent of the server itself signs in with: it is given to the process that the server starts, and to nobody else. */
export const ownTicket = ({ tokenPepper = '' }: Config) => signedPath(tokenPepper, 'AGENT', 'built-in', 'agent');

/** Throws `unauthorized` unless the token is one of those that open the call. */
export async function signIn<Opens extends keyof Holders>(
  opens: Opens,
  sql: Sql,
  config: Config,
  token: string | undefined,
): Promise<Holders[Opens]> {
  const holder = token === undefined ? null : await finders[opens](sql, config, token);
  if (!holder) throw new ApiError('unauthorized');
  return holder as Holders[Opens];
}

const finders: {
  [Opens in keyof Holders]: (sql: Sql, config: Config, token: string) => Promise<Holders[Opens] | null>;
} = { pool: poolOf, agent: agentOf, job: jobOf };

const hashOf = ({ tokenPepper = '' }: Config, token: string) =>
  mayBeToken(token) ? tokenHash(tokenPepper, token) : null;

async function poolOf(sql: Sql, config: Config, token: string): Promise<PoolHolder | null> {
  const [path, query] = token.split('?', 2);
  if (path === 'built-in') {
    const given = Object.fromEntries(new URLSearchParams(query));
    return givenTo(config.tokenPepper ?? '', 'AGENT', 'built-in', given) ? { poolId: null, tokenId: null } : null;
  }
  const hash = hashOf(config, token);
  if (!hash) return null;
  const [found] = await sql<{ id: string; agent_pool_id: string }[]>`
    update tokens set last_used_at = now()
    where tokens.hash = ${hash} and tokens.kind = 'agent' and (tokens.expired_at is null or tokens.expired_at > now())
    returning tokens.id, tokens.agent_pool_id`;
  return found ? { poolId: found.agent_pool_id, tokenId: found.id } : null;
}

/** One that was lost, or whose pool's token was revoked, is nobody any more. */
async function agentOf(sql: Sql, config: Config, token: string): Promise<AgentHolder | null> {
  const hash = hashOf(config, token);
  if (!hash) return null;
  const [found] = await sql<{ id: string; agent_pool_id: string | null; engines: AgentHolder['engines'] }[]>`
    update agents set last_ping_at = now()
    where agents.secret_hash = ${hash} and ${agentIsPresent(sql)}
      and (agents.agent_pool_id is null or exists (
        select from tokens
        where tokens.id = agents.token_id and (tokens.expired_at is null or tokens.expired_at > now())
      ))
    returning agents.id, agents.agent_pool_id, agents.engines`;
  return found ? { agentId: found.id, poolId: found.agent_pool_id, engines: found.engines } : null;
}

/** A sign of life of the job, and of the agent that holds it. Of a job that is over it is none. */
async function jobOf(sql: Sql, config: Config, token: string): Promise<JobHolder | null> {
  const hash = hashOf(config, token);
  if (!hash) return null;
  const [found] = await sql<JobHolder[]>`
    with seen as (
      update jobs set seen_at = clock_timestamp()
      where jobs.token_hash = ${hash} and jobs.status in ('allocated', 'running')
        and jobs.seen_at < clock_timestamp() - interval '2 seconds'
      returning jobs.agent_id
    ), alive as (
      update agents set last_ping_at = now() from seen where agents.id = seen.agent_id
    )
    select jobs.id as "jobId", jobs.run_id as "runId", runs.workspace_id as "workspaceId",
      jobs.organization_id as "organizationId", runs.plan_id as "planId", runs.apply_id as "applyId", jobs.phase,
      jobs.status, jobs.outcome
    from jobs
    join runs on runs.id = jobs.run_id
    where jobs.token_hash = ${hash}`;
  return found ?? null;
}
