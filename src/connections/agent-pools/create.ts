/** Create an agent pool: owners and teams that manage agent pools may (§2.1 `manage-agent-pools`). */

import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { idFor } from '../../core/jsonapi/chosen-id.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { columns, defaults } from '../../core/jsonapi/resource.ts';
import { row } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { agentPoolById, agentPools } from './agent-pool.ts';
import { addToScope, scopeFaults, scopeLinks } from './scope.ts';

export const createAgentPool = endpoint({
  operation: 'agent-pools.create',
  section: '§1',
  summary: 'Create an agent pool',
  method: 'POST',
  paths: ['/organizations/:organization_name/agent-pools'],
  subject: organizationByName,
  needs: policy['organization:manage-agent-pools'],
  holds: 'key share',
  body: documentBody(agentPools, { required: ['name'], idMayBeGiven: true, relationships: scopeLinks }),
  answer: { status: 201, document: agentPools, reads: agentPoolById },
  errors: ['name-taken', 'invalid-relationship'],
  check: async ({ sql, actor, subject, body: { relationships }, faults }) => {
    faults.push(...(await scopeFaults(sql, actor, subject.organization_id, relationships)));
  },
  handle: async ({ sql, actor, subject, body }) => {
    const { attributes, relationships } = body;
    const id = idFor('apool', { actor, body });
    await sql`
      insert into agent_pools ${row(sql, {
        ...defaults(agentPools),
        ...columns(agentPools, attributes),
        id,
        organization_id: subject.organization_id,
      })}`;
    await addToScope(sql, id, relationships);
    return id;
  },
});
