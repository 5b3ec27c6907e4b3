/** The agents of a pool. None connects yet, so that the list is empty. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { column, nullable, reference, text, timestamp, word } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { agentPoolById } from './agent-pool.ts';

export const agents = resource({
  type: 'agents',
  attributes: {
    name: column(text),
    status: column(word('idle', 'busy', 'unknown', 'exited', 'errored')),
    'ip-address': column(nullable(text)),
    'last-ping-at': column(nullable(timestamp)),
  },
  relationships: {
    'agent-pool': reference('agent-pools', 'agent_pool_id', row => `/api/v2/agent-pools/${row['agent_pool_id']}`),
  },
});

export const listAgents = endpoint({
  operation: 'agents.list',
  section: '§1',
  summary: 'List the agents of a pool',
  method: 'GET',
  paths: ['/agent-pools/:agent_pool_id/agents'],
  subject: agentPoolById,
  needs: policy['agent-pool:read'],
  answer: { status: 200, collection: agents, pages: 'always' },
  handle: () => ({ rows: [], total: 0 }),
});
