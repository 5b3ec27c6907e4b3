/** §1 Accept an invitation: nobody but the person who is invited, by their own account. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { membershipById, membershipIncludes, organizationMemberships } from './organization-membership.ts';

export const acceptInvitation = endpoint({
  operation: 'organization-memberships.accept',
  section: '§1',
  summary: 'Accept an invitation to an organization',
  method: 'POST',
  paths: ['/organization-memberships/:organization_membership_id/actions/accept'],
  subject: membershipById,
  needs: policy['membership:accept'],
  include: membershipIncludes,
  answer: { status: 200, document: organizationMemberships },
  handle: async ({ sql, subject }) => {
    await sql`
      update organization_memberships set status = 'active' where organization_memberships.id = ${subject.id}`;
    return { ...subject, status: 'active' };
  },
});
