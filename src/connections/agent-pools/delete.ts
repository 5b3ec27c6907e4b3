/** Delete an agent pool that no workspace, no project and no organization's default names. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { agentPoolById } from './agent-pool.ts';

export const deleteAgentPool = endpoint({
  operation: 'agent-pools.delete',
  section: '§1',
  summary: 'Delete an agent pool',
  method: 'DELETE',
  paths: ['/agent-pools/:agent_pool_id'],
  subject: agentPoolById,
  needs: policy['agent-pool:manage'],
  answer: { status: 204 },
  errors: ['agent-pool-in-use'],
  handle: async ({ sql, subject }) => {
    // The references refuse while there are any: see store/faults.ts.
    await sql`delete from agent_pools where agent_pools.id = ${subject.id}`;
  },
});
