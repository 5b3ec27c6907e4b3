/** §1 Organization membership: the document, the SELECT and the finder. */

import { organizationPowers, organizationPowersOf } from '../../access/organization-access.ts';
import { membershipPowers } from '../../access/policy.ts';
import { teamIsVisible } from '../../access/teams.ts';
import { type Actor, standingIn } from '../../core/access/actor.ts';
import type { Powers } from '../../core/access/powers.ts';
import {
  addressed,
  boolean,
  column,
  computed,
  emailAddress,
  references,
  text,
  timestamp,
  word,
} from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';

interface OrganizationMembershipRow extends Subject<'membership'> {
  status: 'active' | 'invited';
  collaborator_auth_policy: 'password' | 'two_factor_mandatory';
  organization_id: string;
  organization_name: string;
  user_id: string;
  team_ids: string[];
  is_owner: boolean;
}

const attributes = {
  status: column(word('active', 'invited')),
  /** The address that was invited; of a founder, the account's. */
  email: column(text, { write: emailAddress }),
  'created-at': column(timestamp),
  'is-org-two-factor-required': computed(
    boolean,
    (row: OrganizationMembershipRow) => row.collaborator_auth_policy === 'two_factor_mandatory',
  ),
};

export const organizationMemberships = resource({
  type: 'organization-memberships',
  attributes,
  relationships: {
    user: addressed('users', 'user_id'),
    teams: references('teams', 'team_ids'),
    organization: addressed('organizations', 'organization_name'),
  },
  links: row => ({ self: `/api/v2/organization-memberships/${row.id}` }),
  load: (sql, actor, ids) => membershipRecords.load(sql, actor, ids),
});

export const membershipIncludes = ['user', 'teams', 'organization'] as const;

export interface OrganizationMembership extends RowOf<typeof attributes>, OrganizationMembershipRow {}

export const membershipRecords = records<OrganizationMembership>({
  table: 'organization_memberships',
  columns: (sql, actor) => sql`
    organization_memberships.id, organization_memberships.organization_id, organization_memberships.user_id,
    organization_memberships.status, organization_memberships.email, organization_memberships.created_at,
    organizations.name as organization_name, organizations.collaborator_auth_policy,
    exists (
      select from team_memberships
      join teams on teams.id = team_memberships.team_id
      where team_memberships.organization_membership_id = organization_memberships.id and teams.is_owners
    ) as is_owner,
    array(
      select teams.id from team_memberships
      join teams on teams.id = team_memberships.team_id
      where team_memberships.organization_membership_id = organization_memberships.id
        and ${teamIsVisible(sql, actor)}
      order by teams.id
    ) as team_ids`,
  from: sql => sql`
    organization_memberships
    join organizations on organizations.id = organization_memberships.organization_id
    join users on users.id = organization_memberships.user_id`,
  // One's own also where one is only invited, or where the organization lets nobody in who has no second factor.
  isVisible: (sql, actor) => sql`(
    organization_memberships.organization_id = any(${[...actor.standings.keys()]})
    or organization_memberships.user_id = ${actor.userId}
  )`,
  powers: powersOn,
});

export const membershipById = membershipRecords.byId('organization_membership_id');

/** Owners end every membership, managers of membership those of others than owners, and everybody their own. */
function powersOn(row: Omit<OrganizationMembershipRow, 'powers'>, actor: Actor): Powers<'membership'> {
  const organizationId = row.organization_id;
  const { isOwner } = standingIn(actor, organizationId);
  const isManager = organizationPowers.has(organizationPowersOf(actor, organizationId), 'manage-membership');
  const isOwn = row.user_id === actor.userId;
  const mayRemove = isOwner || isOwn || (isManager && !row.is_owner);
  const isInvited = isOwn && actor.kind === 'user' && row.status === 'invited';
  return membershipPowers.where({ read: true, remove: mayRemove, accept: isInvited });
}
