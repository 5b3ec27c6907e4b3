/** §4.1 Update team: what the body leaves out keeps its value. The owners team keeps its name, access and visibility. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { documentBody, type WriteOf } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { columns } from '../../core/jsonapi/resource.ts';
import { row } from '../../core/store/store.ts';
import { teamBody } from './create.ts';
import { nameFaults, settleAccess, settleSsoTeamId } from './rules.ts';
import { type Team, teamById, teams } from './team.ts';

export const updateTeam = endpoint({
  operation: 'teams.update',
  section: '§4.1',
  summary: 'Update a team',
  method: 'PATCH',
  paths: ['/teams/:team_id'],
  subject: teamById,
  needs: policy['team:update'],
  include: ['users', 'organization-memberships'],
  body: documentBody(teams, teamBody),
  answer: { status: 200, document: teams, reads: teamById },
  errors: ['name-taken', 'owners-team-protected'],
  check: ({ subject, body: { attributes }, faults, deployment }) => {
    // A name from before the profile was changed may be sent back.
    if (attributes.name !== subject.name) faults.push(...nameFaults(attributes.name, deployment));
    // The owners team has every key by being what it is; its column says nothing.
    if (subject.is_owners) return subject.organization_access;
    const access = settleAccess(attributes['organization-access'], subject.organization_access);
    faults.push(...access.faults);
    return access.bits;
  },
  handle: async ({ sql, subject, body: { attributes } }, organizationAccess) => {
    if (subject.is_owners) refuseOwnersChange(subject, attributes);
    const tokens = attributes['allow-member-token-management'];
    await sql`
      update teams set ${row(sql, {
        ...columns(teams, attributes),
        organization_access: organizationAccess,
        sso_team_id: settleSsoTeamId(attributes['sso-team-id']),
        allow_member_token_management: tokens ?? subject.allow_member_token_management,
      })}
      where teams.id = ${subject.id}`;
  },
});

/** Sending the values that it has is no change: clients send whole documents back. */
function refuseOwnersChange(team: Team, attributes: WriteOf<(typeof teams)['attributes']>): void {
  const { name, visibility } = attributes;
  if (name !== undefined && name !== team.name) throw new ApiError('owners-team-protected', { change: 'renamed' });
  if (visibility !== undefined && visibility !== team.visibility) {
    throw new ApiError('owners-team-protected', { change: 'given another visibility' });
  }
  if (Object.values(attributes['organization-access'] ?? {}).includes(false)) {
    throw new ApiError('owners-team-protected', { change: 'given less access' });
  }
}
