/** §1 Show an organization to whoever belongs to it. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { organizationByName, organizations } from './organization.ts';

export const showOrganization = endpoint({
  operation: 'organizations.show',
  section: '§1',
  summary: 'Show an organization',
  method: 'GET',
  paths: ['/organizations/:organization_name'],
  subject: organizationByName,
  needs: policy['organization:read'],
  include: ['default-project', 'default-agent-pool', 'entitlement-set'],
  answer: { status: 200, document: organizations },
  isForRuns: true,
  handle: ({ subject }) => subject,
});
