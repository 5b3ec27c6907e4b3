/** §1 Create an organization, with its owners team, its default project and its creator as the first owner. */

import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Deployment } from '../../core/jsonapi/fields.ts';
import { columns } from '../../core/jsonapi/resource.ts';
import type { Sql } from '../../core/store/store.ts';
import { siteExecutes } from '../executors.ts';
import { site } from '../site/site.ts';
import {
  agentPoolFaults,
  defaultExecutionLinks,
  readDefaultExecution,
  settleDefaultExecution,
} from './default-execution.ts';
import { foundOrganization } from './found.ts';
import { type ExecutionMode, organizations } from './organization.ts';
import { secondFactorFaults } from './second-factor.ts';

export const createOrganization = endpoint({
  operation: 'organizations.create',
  section: '§1',
  summary: 'Create an organization',
  method: 'POST',
  paths: ['/organizations'],
  subject: site,
  needs: policy['site:create-organization'],
  holds: null,
  body: documentBody(organizations, { required: ['name', 'email'], relationships: defaultExecutionLinks }),
  answer: { status: 201, document: organizations, alwaysInclude: ['entitlement-set'] },
  errors: ['name-taken'],
  check: async ({ sql, actor, body: { attributes, relationships }, faults }) => {
    const given = readDefaultExecution(attributes, relationships, faults);
    const { settled, faults: broken } = settleDefaultExecution({ mode: 'remote', agentPoolId: null }, given);
    // A new organization has no pools, so every id is one too many.
    faults.push(...broken, ...(await agentPoolFaults(sql, '', settled.agentPoolId)));
    faults.push(...(await secondFactorFaults(sql, actor, attributes['collaborator-auth-policy'])));
  },
  handle: async ({ sql, actor, body, deployment }) => {
    const settings = columns(organizations, body.attributes);
    return foundOrganization(sql, actor, { default_execution_mode: await modeOfNew(sql, deployment), ...settings });
  },
});

/** Where nothing executes, a mode that says otherwise makes clients insist on a version that nobody runs. */
async function modeOfNew(sql: Sql, { profile }: Deployment): Promise<ExecutionMode> {
  return profile === 'vendor' && !(await siteExecutes(sql)) ? 'local' : 'remote';
}
