/** §1 Show a membership to the members of its organization. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { membershipById, membershipIncludes, organizationMemberships } from './organization-membership.ts';

export const showMembership = endpoint({
  operation: 'organization-memberships.show',
  section: '§1',
  summary: 'Show an organization membership',
  method: 'GET',
  paths: ['/organization-memberships/:organization_membership_id'],
  subject: membershipById,
  needs: policy['membership:read'],
  include: membershipIncludes,
  answer: { status: 200, document: organizationMemberships },
  handle: ({ subject }) => subject,
});
