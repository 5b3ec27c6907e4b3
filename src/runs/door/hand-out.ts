/** Who gets which of the jobs that wait: one statement for all agents that ask a server at the moment. */
import type { JobKind } from '../../../agent/protocol.ts';
import type { Sql } from '../../core/store/store.ts';

/** An agent that has a hand free. */
export interface Asking {
  agentId: string;
  /** Null for agents of the server itself. */
  poolId: string | null;
  /** Whether it has what it takes to fetch from repositories. */
  hasGit: boolean;
  /** Of the token that is to open the job. */
  hash: Buffer;
}

export interface HandedOut {
  job: string;
  kind: JobKind;
  hash: Buffer;
}

/**
 * Applies before plans before speculative plans; among equals, the organization that has least under way goes first, and
 * each job handed out counts at once. Rows that another server hands out at this moment are passed over: who got none
 * asks again. So does an agent without git whose turn is that of a fetch; those with git have the first turns, so that
 * the first job of a pool always finds somebody.
 */
export async function handOut(sql: Sql, all: readonly Asking[]): Promise<HandedOut[]> {
  const given = all.map(({ agentId, poolId, hasGit, hash }) => ({
    agent: agentId,
    pool: poolId,
    has_git: hasGit,
    hash: hash.toString('hex'),
  }));
  return sql<HandedOut[]>`
    with asking as (
      select asking.agent, coalesce(asking.pool, '') as pool, decode(asking.hash, 'hex') as hash,
        asking.has_git, row_number() over (partition by asking.pool order by asking.has_git desc, asking.place) as turn
      from jsonb_to_recordset(${sql.json(given.map((one, place) => ({ ...one, place })))})
        as asking (agent text, pool text, has_git boolean, hash text, place integer)
    ), under_way as (
      select jobs.organization_id, count(*) as count from jobs
      where jobs.status in ('allocated', 'running')
      group by jobs.organization_id
    ), waiting as (
      select jobs.id, jobs.organization_id, jobs.precedence, jobs.created_at, places.pool,
        row_number() over (
          partition by places.pool, jobs.organization_id order by jobs.precedence, jobs.created_at, jobs.id
        ) as own_turn
      from jobs
      cross join lateral (select case when jobs.is_built_in then '' else jobs.agent_pool_id end as pool) as places
      where jobs.status = 'queued' and places.pool in (
        select asking.pool from asking where asking.has_git or jobs.phase <> 'ingress'
      )
    ), next as (
      select waiting.id, waiting.pool, row_number() over (
        partition by waiting.pool
        order by waiting.precedence, coalesce(under_way.count, 0) + waiting.own_turn, waiting.created_at, waiting.id
      ) as turn
      from waiting
      left join under_way on under_way.organization_id = waiting.organization_id
    ), taken as (
      select jobs.id, asking.agent, asking.hash from next
      join asking on asking.pool = next.pool and asking.turn = next.turn
      join jobs on jobs.id = next.id and jobs.status = 'queued' and (asking.has_git or jobs.phase <> 'ingress')
      for update of jobs skip locked
    )
    update jobs
    set status = 'allocated', agent_id = taken.agent, token_hash = taken.hash, seen_at = clock_timestamp(),
      attempts = jobs.attempts + 1
    from taken where jobs.id = taken.id
    returning jobs.id as job, case jobs.phase when 'ingress' then 'ingress' else 'run' end as kind,
      jobs.token_hash as hash`;
}

/** The agent has gone away before it was told: the job waits again. */
export async function takeBack(sql: Sql, job: string, hash: Buffer): Promise<void> {
  await sql`
    update jobs set status = 'queued', agent_id = null, token_hash = null, seen_at = null
    where jobs.id = ${job} and jobs.status = 'allocated' and jobs.token_hash = ${hash}`;
}
