/** Update an agent pool: what the body leaves out keeps its value; a list that it gives takes the place of the one before. */
import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { agentPoolById, agentPools } from './agent-pool.ts';
import { addToScope, removeFromScope, scopeFaults, scopeLinks } from './scope.ts';

export const updateAgentPool = endpoint({
  operation: 'agent-pools.update',
  section: '§1',
  summary: 'Update an agent pool',
  method: 'PATCH',
  paths: ['/agent-pools/:agent_pool_id'],
  subject: agentPoolById,
  needs: policy['agent-pool:manage'],
  body: documentBody(agentPools, { relationships: scopeLinks }),
  answer: { status: 200, document: agentPools, reads: agentPoolById },
  errors: ['name-taken', 'invalid-relationship'],
  check: async ({ sql, actor, subject, body: { relationships }, faults }) => {
    faults.push(...(await scopeFaults(sql, actor, subject.organization_id, relationships)));
  },
  handle: async ({ sql, subject, body: { attributes, relationships } }) => {
    await sql`
      update agent_pools set
        name = ${attributes.name ?? subject.name},
        organization_scoped = ${attributes['organization-scoped'] ?? subject.organization_scoped}
      where agent_pools.id = ${subject.id}`;
    await removeFromScope(sql, subject.id, relationships, {
      'allowed-workspaces': subject.allowed_workspace_ids,
      'allowed-projects': subject.allowed_project_ids,
      'excluded-workspaces': subject.excluded_workspace_ids,
    });
    await addToScope(sql, subject.id, relationships);
  },
});
