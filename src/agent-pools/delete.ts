/** Delete an agent pool that no workspace, no project and no organization's default names. */
import { policy } from '../access/policy.ts';
import { ApiError } from '../errors.ts';
import { endpoint } from '../jsonapi/endpoint.ts';
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
    const defaulting = await sql`
      select from organizations where organizations.default_agent_pool_id = ${subject.id}`;
    if (defaulting.length > 0) throw new ApiError('agent-pool-in-use');
    // The references of workspaces and projects refuse while there are any: see store/faults.ts.
    await sql`delete from agent_pools where agent_pools.id = ${subject.id}`;
  },
});
