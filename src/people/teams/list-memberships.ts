/** §1 The memberships on a team, invited ones included, for whoever sees the team. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import {
  membershipIncludes,
  membershipRecords,
  organizationMemberships,
} from '../organization-memberships/organization-membership.ts';
import { teamById } from './team.ts';

export const listTeamMemberships = endpoint({
  operation: 'teams.list-organization-memberships',
  section: '§1',
  summary: 'List the organization memberships on a team',
  method: 'GET',
  paths: ['/teams/:team_id/relationships/organization-memberships'],
  subject: teamById,
  needs: policy['team:read'],
  include: membershipIncludes,
  answer: { status: 200, collection: organizationMemberships, pages: 'always' },
  handle: async ({ sql, actor, subject, page }) => {
    const ids = subject.membership_ids.slice(page.offset, page.offset + page.size);
    const condition = sql`organization_memberships.id = any(${ids})`;
    const rows = await membershipRecords.read(sql, actor, condition, sql`order by organization_memberships.id`);
    return { rows, total: subject.membership_ids.length };
  },
});
