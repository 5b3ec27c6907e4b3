/** §1 End a membership: the teams of the organization lose the member, and an invitation is withdrawn. */

import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Sql } from '../../core/store/store.ts';
import { forgetUninvited } from '../../organizations/organizations/invited.ts';
import { membershipById, type OrganizationMembership } from './organization-membership.ts';

export const removeMember = endpoint({
  operation: 'organization-memberships.delete',
  section: '§1',
  summary: 'Remove a member, or withdraw an invitation',
  method: 'DELETE',
  paths: ['/organization-memberships/:organization_membership_id'],
  subject: membershipById,
  needs: policy['membership:remove'],
  answer: { status: 204 },
  errors: ['own-membership', 'last-owner'],
  handle: async ({ sql, actor, subject }) => {
    if (subject.is_owner) {
      if (subject.user_id === actor.userId) throw new ApiError('own-membership');
      await keepAnOwner(sql, subject);
    }
    await sql`delete from organization_memberships where organization_memberships.id = ${subject.id}`;
    await forgetUninvited(sql, [subject.user_id]);
  },
});

/** Two owners who remove each other at once queue for their team's row. */
async function keepAnOwner(sql: Sql, membership: OrganizationMembership): Promise<void> {
  const [owners] = await sql<{ id: string }[]>`
    select teams.id from teams
    where teams.organization_id = ${membership.organization_id} and teams.is_owners
    for update of teams`;
  const [other] = await sql`
    select organization_memberships.id from team_memberships
    join organization_memberships on organization_memberships.id = team_memberships.organization_membership_id
    where team_memberships.team_id = ${owners!.id}
      and organization_memberships.id <> ${membership.id} and organization_memberships.status = 'active'
    limit 1`;
  if (!other) throw new ApiError('last-owner');
}
