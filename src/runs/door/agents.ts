/** An agent signs in, asks for a job, and takes its leave. */
import { Type } from 'typebox';
import { type Handed, longestWait_s, type Registered, type Registration } from '../../../agent/protocol.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { newToken, tokenHash } from '../../people/tokens/secret.ts';
import { call } from './call.ts';
import type { AgentHolder } from './holders.ts';

const engine = Type.Object({
  name: Type.Unsafe<'terraform' | 'tofu'>({ type: 'string', enum: ['terraform', 'tofu'] }),
  version: Type.String({ minLength: 1, maxLength: 255 }),
});

export const registerAgent = call<'pool', Registration>({
  operation: 'agents.register',
  summary: 'Sign in as an agent of the pool whose token is sent; the answer holds the secret for all that follows',
  method: 'POST',
  path: '/register',
  opens: 'pool',
  body: Type.Object({
    name: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 255 })),
    engines: Type.Array(engine, { maxItems: 200 }),
  }),
  handle: async ({ holder, value, store: { read: sql }, config, remoteAddress }) => {
    const [agent, secret] = [newId('agent'), newToken()];
    await sql`
      insert into agents ${row(sql, {
        id: agent,
        agent_pool_id: holder.poolId,
        token_id: holder.tokenId,
        secret_hash: tokenHash(config.tokenPepper ?? '', secret),
        name: value.name ?? null,
        ip_address: remoteAddress,
        engines: sql.json(value.engines as never),
      })}`;
    return { json: { agent, secret } satisfies Registered };
  },
});

export const claimJob = call<'agent', { wait_s?: number }>({
  operation: 'agents.claim',
  summary: 'Take the next job, waiting for one if need be: 204 where none came',
  method: 'POST',
  path: '/jobs/claim',
  opens: 'agent',
  body: Type.Object({ wait_s: Type.Optional(Type.Integer({ minimum: 0, maximum: longestWait_s })) }),
  handle: async ({ holder, value, store: { read: sql }, config, waiting, gone }) => {
    const end_ms = Date.now() + (value.wait_s ?? longestWait_s) * 1000;
    for (;;) {
      if (gone.aborted) return undefined;
      const token = newToken();
      const job = await claim(sql, holder, tokenHash(config.tokenPepper ?? '', token));
      if (job) return { json: { job, token } satisfies Handed };
      const left_ms = end_ms - Date.now();
      if (left_ms <= 0) return undefined;
      await waiting.forJob(holder.poolId, left_ms, gone);
    }
  },
});

/**
 * Applies before plans before speculative plans; among equals, the organization that has least under way goes first. Rows
 * that another server hands out at this moment are passed over.
 */
async function claim(sql: Sql, { agentId, poolId }: AgentHolder, hash: Buffer): Promise<string | null> {
  const [taken] = await sql<{ id: string }[]>`
    with under_way as (
      select jobs.organization_id, count(*) as count from jobs
      where jobs.status in ('allocated', 'running')
      group by jobs.organization_id
    ), next as (
      select jobs.id from jobs
      where jobs.status = 'queued' and ${poolId === null ? sql`jobs.is_built_in` : sql`jobs.agent_pool_id = ${poolId}`}
      order by jobs.precedence, coalesce((
        select under_way.count from under_way where under_way.organization_id = jobs.organization_id
      ), 0), jobs.created_at, jobs.id
      limit 1
      for update of jobs skip locked
    )
    update jobs
    set status = 'allocated', agent_id = ${agentId}, token_hash = ${hash}, seen_at = clock_timestamp(),
      attempts = jobs.attempts + 1
    from next where jobs.id = next.id
    returning jobs.id`;
  return taken?.id ?? null;
}

export const exitAgent = call<'agent'>({
  operation: 'agents.exit',
  summary: 'Take leave: the secret opens nothing any more',
  method: 'POST',
  path: '/exit',
  opens: 'agent',
  handle: async ({ holder, store: { read: sql } }) => {
    await sql`update agents set exited_at = now() where agents.id = ${holder.agentId}`;
    return undefined;
  },
});
