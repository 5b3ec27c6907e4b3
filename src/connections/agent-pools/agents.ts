/** The agents of a pool: what each one is doing follows from its last sign of life and from the jobs that it holds. */
import { agentPoolAccess } from '../../access/owned.ts';
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { addressed, column, nullable, text, timestamp, word } from '../../core/jsonapi/fields.ts';
import { instant } from '../../core/jsonapi/query.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { all } from '../../core/store/conditions.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { agentIsLost } from '../../organizations/executors.ts';
import { agentPoolById } from './agent-pool.ts';

interface AgentRow extends Subject<'agent-pool'> {
  organization_id: string;
}

const attributes = {
  name: column(nullable(text)),
  status: column(word('idle', 'busy', 'unknown', 'exited', 'errored')),
  'ip-address': column(nullable(text)),
  'last-ping-at': column(nullable(timestamp)),
};

export const agents = resource({
  type: 'agents',
  attributes,
  relationships: {
    'agent-pool': addressed('agent-pools', 'agent_pool_id'),
  },
  links: row => ({ self: `/api/v2/agents/${row.id}` }),
});

interface Agent extends RowOf<typeof attributes>, AgentRow {}

const quietAfter = '60 seconds';

const status = (sql: Sql): Fragment => sql`
  case
    when agents.exited_at is not null then 'exited'
    when ${agentIsLost(sql)} then 'errored'
    when agents.last_ping_at < now() - ${quietAfter}::text::interval then 'unknown'
    when exists (
      select from jobs where jobs.agent_id = agents.id and jobs.status in ('allocated', 'running')
    ) then 'busy'
    else 'idle'
  end`;

const agentRecords = records<Agent>({
  table: 'agents',
  columns: sql => sql`
    agents.id, agents.name, agents.ip_address, agents.last_ping_at, agents.agent_pool_id, agent_pools.organization_id,
    ${status(sql)} as status`,
  from: sql => sql`
    agents
    join agent_pools on agent_pools.id = agents.agent_pool_id`,
  isVisible: (sql, actor) => sql`agent_pools.organization_id = any(${agentPoolAccess.organizationsOf(actor)})`,
  powers: (row, actor) => agentPoolAccess.powersIn(actor, row.organization_id),
});

const agentById = agentRecords.byId('agent_id');

export const listAgents = endpoint({
  operation: 'agents.list',
  section: '§1',
  summary: 'List the agents of a pool',
  method: 'GET',
  paths: ['/agent-pools/:agent_pool_id/agents'],
  subject: agentPoolById,
  needs: policy['agent-pool:read'],
  query: {
    'filter[last-ping-since]': instant('Agents heard of at this time or later'),
  },
  answer: { status: 200, collection: agents, pages: 'always' },
  handle: async ({ sql, actor, subject, query, page }) => {
    const since = query['filter[last-ping-since]'];
    const condition = all(sql, [
      sql`agents.agent_pool_id = ${subject.id}`,
      since && sql`agents.last_ping_at >= ${since}::timestamptz`,
    ]);
    return agentRecords.page({ sql, actor, page }, condition, sql`agents.created_at, agents.id`);
  },
});

export const showAgent = endpoint({
  operation: 'agents.show',
  section: '§1',
  summary: 'Show an agent',
  method: 'GET',
  paths: ['/agents/:agent_id'],
  subject: agentById,
  needs: policy['agent-pool:read'],
  answer: { status: 200, document: agents },
  handle: ({ subject }) => subject,
});

export const deleteAgent = endpoint({
  operation: 'agents.delete',
  section: '§1',
  summary: 'Delete an agent that has gone: 412 while it may come back for work',
  method: 'DELETE',
  paths: ['/agents/:agent_id'],
  subject: agentById,
  needs: policy['agent-pool:manage'],
  answer: { status: 204 },
  errors: ['agent-at-work'],
  handle: async ({ sql, subject }) => {
    const status: string = subject['status'];
    if (!['unknown', 'exited', 'errored'].includes(status)) throw new ApiError('agent-at-work', { status });
    await sql`delete from agents where agents.id = ${subject.id}`;
  },
});
