/** Update an agent pool: what the body leaves out keeps its value. */
import { policy } from '../access/policy.ts';
import { documentBody } from '../jsonapi/body.ts';
import { endpoint } from '../jsonapi/endpoint.ts';
import { agentPoolById, agentPools } from './agent-pool.ts';

export const updateAgentPool = endpoint({
  operation: 'agent-pools.update',
  section: '§1',
  summary: 'Update an agent pool',
  method: 'PATCH',
  paths: ['/agent-pools/:agent_pool_id'],
  subject: agentPoolById,
  needs: policy['agent-pool:manage'],
  body: documentBody(agentPools),
  answer: { status: 200, document: agentPools },
  errors: ['name-taken'],
  handle: async ({ sql, actor, subject, body: { attributes } }) => {
    await sql`
      update agent_pools set
        name = ${attributes.name ?? subject.name},
        organization_scoped = ${attributes['organization-scoped'] ?? subject.organization_scoped}
      where agent_pools.id = ${subject.id}`;
    return (await agentPoolById.find(sql, actor, { agent_pool_id: subject.id }, null))!;
  },
});
