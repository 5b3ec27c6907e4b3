/** §1 Invite by e-mail address. Whoever has an account is asked to accept; others are members once an account has the address. */

import { policy } from '../../access/policy.ts';
import { teamIsVisible } from '../../access/teams.ts';
import { type Actor, standingIn } from '../../core/access/actor.ts';
import type { Config } from '../../core/config.ts';
import { type Fault, relationshipFault } from '../../core/errors.ts';
import { documentBody, toMany } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { limits } from '../../core/limits.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { keepWithin, tooManyTeams } from '../../organizations/crowds.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { membershipById, membershipIncludes, organizationMemberships } from './organization-membership.ts';

export const inviteMember = endpoint({
  operation: 'organization-memberships.create',
  section: '§1',
  summary: 'Invite someone to an organization',
  method: 'POST',
  paths: ['/organizations/:organization_name/organization-memberships'],
  subject: organizationByName,
  needs: policy['organization:manage-memberships'],
  holds: 'no key update',
  include: membershipIncludes,
  body: documentBody(organizationMemberships, { required: ['email'], relationships: { teams: toMany('teams') } }),
  answer: { status: 201, document: organizationMemberships, reads: membershipById, alwaysInclude: ['user'] },
  errors: ['membership-taken', 'invalid-relationship', 'invalid-document'],
  check: async ({ sql, actor, subject, body: { relationships }, faults }) => {
    const teamIds = [...new Set(relationships.teams ?? [])];
    if (teamIds.length > limits.membershipTeams_items.value) faults.push(relationshipFault('teams', tooManyTeams));
    else faults.push(...(await teamFaults(sql, actor, subject.organization_id, teamIds)));
    return teamIds;
  },
  handle: async ({ sql, config, subject, body: { attributes } }, teamIds) => {
    const email = attributes.email!;
    const account = await accountFor(sql, email);
    const id = newId('ou');
    await sql`
      insert into organization_memberships ${row(sql, {
        id,
        organization_id: subject.organization_id,
        user_id: account.id,
        status: account.username !== null && isImmediate(config) ? 'active' : 'invited',
        email,
      })}`;
    await sql`
      insert into team_memberships (team_id, organization_membership_id)
      select teams.id, ${id} from teams where teams.id = any(${teamIds})`;
    await keepWithin(sql, subject.organization_id, 'memberships');
    return id;
  },
});

/** Whether somebody with an account is a member unasked, which clients of the vendor's profile expect. */
function isImmediate({ invitations, profile }: Config): boolean {
  return (invitations ?? (profile === 'vendor' ? 'immediate' : 'accepted')) === 'immediate';
}

/** Teams of the organization that the caller sees; the owners team is for owners to give. */
async function teamFaults(sql: Sql, actor: Actor, organizationId: string, ids: string[]): Promise<Fault[]> {
  if (ids.length === 0) return [];
  const found = await sql<{ id: string; is_owners: boolean }[]>`
    select teams.id, teams.is_owners from teams
    where teams.id = any(${ids}) and teams.organization_id = ${organizationId} and ${teamIsVisible(sql, actor)}
    order by teams.id
    for key share of teams`;
  const missing = ids.filter(id => !found.some(team => team.id === id));
  const faults = missing.map(id => relationshipFault('teams', `Team ${id} does not exist in the organization`));
  if (found.some(team => team.is_owners) && !standingIn(actor, organizationId).isOwner) {
    faults.push(relationshipFault('teams', 'Only owners may add someone to the owners team'));
  }
  return faults;
}

/** The account with the address, or a new one without a username that waits for its person. It is locked either way. */
async function accountFor(sql: Sql, email: string): Promise<{ id: string; username: string | null }> {
  const [account] = await sql<{ id: string; username: string | null }[]>`
    insert into users (id, email) values (${newId('user')}, ${email})
    on conflict (lower(email)) where not is_service_account do update set email = users.email
    returning users.id, users.username`;
  return account!;
}
