/** An agent signs in, asks for a job, and takes its leave. */
import { Type } from 'typebox';
import { type Handed, longestWait_s, type Registered, type Registration } from '../../../agent/protocol.ts';
import { ApiError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { agentIsPresent } from '../../organizations/executors.ts';
import { newToken, tokenHash } from '../../people/tokens/secret.ts';
import { call } from './call.ts';
import { takeBack } from './hand-out.ts';

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
    git: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 255 })),
  }),
  handle: async ({ holder, value, store, config, remoteAddress }) => {
    const [agent, secret] = [newId('agent'), newToken()];
    const columns = {
      id: agent,
      agent_pool_id: holder.poolId,
      token_id: holder.tokenId,
      secret_hash: tokenHash(config.tokenPepper ?? '', secret),
      name: value.name ?? null,
      git_version: value.git ?? null,
      ip_address: remoteAddress,
    };
    await store.transaction(async sql => {
      if (holder.poolId !== null) await requireRoom(sql, holder.poolId);
      await sql`insert into agents ${row(sql, { ...columns, engines: sql.json(value.engines) })}`;
    });
    return { json: { agent, secret } satisfies Registered };
  },
});

/** Those that sign in at the same moment do not see each other: a few more may be let in. */
async function requireRoom(sql: Sql, poolId: string): Promise<void> {
  const most = limits.presentAgents_items.value;
  const [found] = await sql<{ count: number }[]>`
    select count(*)::integer as count from (
      select from agent_pools as own
      join agent_pools on agent_pools.organization_id = own.organization_id
      join agents on agents.agent_pool_id = agent_pools.id and ${agentIsPresent(sql)}
      where own.id = ${poolId}
      limit ${most}
    ) as present`;
  if (found!.count >= most) throw new ApiError('too-many-agents', { count: most });
}

export const claimJob = call<'agent', { wait_s?: number }>({
  operation: 'agents.claim',
  summary: 'Take the next job, waiting for one if need be: 204 where none came',
  method: 'POST',
  path: '/jobs/claim',
  opens: 'agent',
  waits: true,
  body: Type.Object({ wait_s: Type.Optional(Type.Integer({ minimum: 0, maximum: longestWait_s })) }),
  handle: async ({ holder, value, store, config, waiting, gone }) => {
    const token = newToken();
    const hash = tokenHash(config.tokenPepper ?? '', token);
    const wait_ms = (value.wait_s ?? longestWait_s) * 1000;
    const handed = await waiting.forJob({ ...holder, hash }, wait_ms, gone);
    if (handed === null) return undefined;
    const { job, kind } = handed;
    if (!gone.aborted) return { json: { job, kind, token } satisfies Handed };
    await store.transaction(sql => takeBack(sql, job, hash));
    return undefined;
  },
});

export const exitAgent = call<'agent'>({
  operation: 'agents.exit',
  summary: 'Take leave: the secret opens nothing any more',
  method: 'POST',
  path: '/exit',
  opens: 'agent',
  handle: async ({ holder, store }) => {
    await store.transaction(sql => sql`update agents set exited_at = now() where agents.id = ${holder.agentId}`);
    return undefined;
  },
});
