/** Show an agent pool. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { agentPoolById, agentPools } from './agent-pool.ts';

export const showAgentPool = endpoint({
  operation: 'agent-pools.show',
  section: '§1',
  summary: 'Show an agent pool',
  method: 'GET',
  paths: ['/agent-pools/:agent_pool_id'],
  subject: agentPoolById,
  needs: policy['agent-pool:read'],
  include: ['workspaces', 'organization', 'allowed-workspaces', 'allowed-projects', 'excluded-workspaces'],
  answer: { status: 200, document: agentPools },
  handle: ({ subject }) => subject,
});
