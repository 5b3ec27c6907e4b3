/** §4.1 Create team: answers 200, and only owners may (§5.3). */

import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { idFor } from '../../core/jsonapi/chosen-id.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { columns, defaults } from '../../core/jsonapi/resource.ts';
import { row } from '../../core/store/store.ts';
import { keepWithin } from '../../organizations/crowds.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { nameFaults, settleAccess, settleSsoTeamId } from './rules.ts';
import { teamById, teams } from './team.ts';

export const teamBody = { aliases: { 'allow-team-token-management': 'allow-member-token-management' } };

export const createTeam = endpoint({
  operation: 'teams.create',
  section: '§4.1',
  summary: 'Create a team',
  method: 'POST',
  paths: ['/organizations/:organization_name/teams'],
  subject: organizationByName,
  needs: policy['organization:create-team'],
  holds: 'no key update',
  include: ['users', 'organization-memberships'],
  body: documentBody(teams, { ...teamBody, required: ['name'], idMayBeGiven: true }),
  answer: { status: 200, document: teams, reads: teamById },
  errors: ['name-taken', 'invalid-document'],
  check: ({ body: { attributes }, faults, deployment }) => {
    const access = settleAccess(attributes['organization-access'], 0, true);
    faults.push(...nameFaults(attributes.name, deployment), ...access.faults);
    return access.bits;
  },
  handle: async ({ sql, actor, subject, body }, organizationAccess) => {
    const { attributes } = body;
    const id = idFor('team', { actor, body });
    await sql`
      insert into teams ${row(sql, {
        ...defaults(teams),
        ...columns(teams, attributes),
        id,
        organization_id: subject.organization_id,
        organization_access: organizationAccess,
        sso_team_id: settleSsoTeamId(attributes['sso-team-id']) ?? null,
        allow_member_token_management: attributes['allow-member-token-management'] ?? true,
      })}`;
    await keepWithin(sql, subject.organization_id, 'teams');
    return id;
  },
});
