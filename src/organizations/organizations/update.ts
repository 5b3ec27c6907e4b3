/** §1 Update an organization, by its owners. A new name is a new id: the old address answers 404 from then on. */
import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { columns } from '../../core/jsonapi/resource.ts';
import { row } from '../../core/store/store.ts';
import {
  agentPoolFaults,
  type DefaultExecution,
  defaultExecutionLinks,
  readDefaultExecution,
  settleDefaultExecution,
} from './default-execution.ts';
import { organizationByName, organizations } from './organization.ts';
import { secondFactorFaults } from './second-factor.ts';

export const updateOrganization = endpoint({
  operation: 'organizations.update',
  section: '§1',
  summary: 'Update an organization',
  method: 'PATCH',
  paths: ['/organizations/:organization_name'],
  subject: organizationByName,
  needs: policy['organization:update'],
  body: documentBody(organizations, { relationships: defaultExecutionLinks }),
  answer: { status: 200, document: organizations, reads: organizationByName },
  errors: ['name-taken'],
  check: async ({ sql, actor, subject, body: { attributes, relationships }, faults }) => {
    const before: DefaultExecution = {
      mode: subject.default_execution_mode,
      agentPoolId: subject.default_agent_pool_id,
    };
    const given = readDefaultExecution(attributes, relationships, faults);
    const { settled, faults: broken } = settleDefaultExecution(before, given);
    faults.push(...broken, ...(await agentPoolFaults(sql, subject.organization_id, settled.agentPoolId)));
    const policy = attributes['collaborator-auth-policy'];
    if (policy !== subject.collaborator_auth_policy) faults.push(...(await secondFactorFaults(sql, actor, policy)));
    return settled;
  },
  handle: async ({ sql, subject, body: { attributes } }, execution) => {
    await sql`
      update organizations set ${row(sql, {
        ...columns(organizations, attributes),
        default_execution_mode: execution.mode,
        default_agent_pool_id: execution.agentPoolId,
      })}, revision = default
      where organizations.id = ${subject.organization_id}`;
    return attributes.name;
  },
});
