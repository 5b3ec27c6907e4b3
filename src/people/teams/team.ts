/** §2.1 Team: the document, the SELECT and the finder. */

import { Type } from 'typebox';
import {
  accessKeys,
  listedAccessKeys,
  type OrganizationAccess,
  organizationAccessOf,
  organizationPowers,
  organizationPowersOf,
} from '../../access/organization-access.ts';
import { policy, teamPowers } from '../../access/policy.ts';
import { teamIsVisible } from '../../access/teams.ts';
import { type Actor, standingIn } from '../../core/access/actor.ts';
import type { Powers } from '../../core/access/powers.ts';
import { ApiError } from '../../core/errors.ts';
import {
  addressed,
  boolean,
  booleans,
  column,
  computed,
  type Deployment,
  integer,
  linked,
  metadata,
  nullable,
  references,
  text,
  word,
} from '../../core/jsonapi/fields.ts';
import { permitted, records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import type { Sql } from '../../core/store/store.ts';

interface TeamRow extends Subject<'team'> {
  has_token: boolean;
  /** Whether the answer is a list, which shows fewer keys. */
  is_listed?: boolean;
  organization_id: string;
  organization_name: string;
  allow_member_token_management: boolean;
  organization_access: number;
  is_owners: boolean;
  is_member: boolean;
  user_ids: string[];
  membership_ids: string[];
}

const visibility = word('secret', 'organization');

/** The list carries nine keys under the documented profile; every other answer carries all (§2.1). */
const organizationAccess = Type.Unsafe<Record<string, boolean>>({
  type: 'object',
  properties: Object.fromEntries(accessKeys.map(key => [key, boolean])),
  required: listedAccessKeys,
});
const organizationAccessGiven = Type.Unsafe<Partial<OrganizationAccess>>({
  type: 'object',
  properties: Object.fromEntries(accessKeys.map(key => [key, boolean])),
});

const attributes = {
  name: column(text, { write: text }),
  'sso-team-id': column(nullable(text), {
    write: nullable(Type.String({ maxLength: 255 })),
    default: null,
    when: ({ edition, release }) => edition === 'hosted' || release >= '202204-1',
  }),
  'users-count': column(integer),
  visibility: column(visibility, { write: true, default: 'secret' }),
  'allow-member-token-management': computed(
    boolean,
    (row: TeamRow, deployment) => row.allow_member_token_management && hasMemberTokens(deployment),
    { write: true },
  ),
  /** The other spelling of the same setting (§4.1): bodies may use either. */
  'allow-team-token-management': computed(
    boolean,
    (row: TeamRow, deployment) => row.allow_member_token_management && hasMemberTokens(deployment),
  ),
  'is-unified': computed(boolean, () => false),
  permissions: computed(
    booleans(
      'can-update-membership',
      'can-destroy',
      'can-update-organization-access',
      'can-update-api-token',
      'can-update-visibility',
    ),
    permissions,
  ),
  'organization-access': computed(organizationAccess, shownAccess, {
    write: organizationAccessGiven,
  }),
};

export const teams = resource({
  type: 'teams',
  attributes,
  relationships: {
    users: references('users', 'user_ids'),
    'organization-memberships': references('organization-memberships', 'membership_ids'),
    organization: addressed('organizations', 'organization_name'),
    'authentication-token': metadata((row: TeamRow) =>
      row.has_token ? `/api/v2/teams/${row.id}/authentication-token` : null,
    ),
    'authentication-tokens': linked(row => `/api/v2/teams/${row.id}/authentication-tokens`),
  },
  links: row => ({ self: `/api/v2/teams/${row.id}` }),
  load: (sql, actor, ids) => teamRecords.load(sql, actor, ids),
});

export interface Team extends RowOf<typeof attributes>, TeamRow {}

/** §9.2: releases before 202408-1 never let members manage the tokens of their teams. */
export function hasMemberTokens({ edition, release }: Deployment): boolean {
  return edition === 'hosted' || release >= '202408-1';
}

/** Owners may always; members while their team and the release (§9.2) let them. */
export function mayManageTokens({ powers }: { powers: Powers<'team'> }, deployment: Deployment): boolean {
  const { has } = teamPowers;
  return has(powers, 'own') || (has(powers, 'manage-tokens') && hasMemberTokens(deployment));
}

function permissions(row: TeamRow, deployment: Deployment): Record<string, boolean> {
  const { powers } = row;
  const isChangeable = teamPowers.has(powers, 'own') && !row.is_owners;
  return {
    'can-update-membership': teamPowers.has(powers, 'manage-members'),
    'can-destroy': isChangeable,
    'can-update-organization-access': isChangeable,
    'can-update-api-token': mayManageTokens(row, deployment) && teamPowers.has(powers, 'issue-tokens'),
    'can-update-visibility': isChangeable,
  };
}

function shownAccess(row: TeamRow, { profile }: Deployment): Record<string, boolean> {
  const access = organizationAccessOf(row.is_owners ? organizationPowers.all : row.organization_access);
  if (!row.is_listed || profile === 'vendor') return access;
  const known = listedAccess.get(access);
  if (known) return known;
  const listed = Object.fromEntries(listedAccessKeys.map(key => [key, access[key]]));
  listedAccess.set(access, listed);
  return listed;
}

const listedAccess = new WeakMap<object, Record<string, boolean>>();

/** Invited members and service accounts are on a team's membership list, not among its users (§2.1). */
export const teamRecords = records<Team>({
  table: 'teams',
  columns: (sql, actor) => sql`
    teams.id, teams.name, teams.visibility, teams.sso_team_id, teams.allow_member_token_management, teams.is_owners,
    teams.organization_access, teams.organization_id, organizations.name as organization_name,
    teams.id = any(${actor.teamIds as string[]}) as is_member,
    array(
      select organization_memberships.user_id from team_memberships
      join organization_memberships on organization_memberships.id = team_memberships.organization_membership_id
      where team_memberships.team_id = teams.id and organization_memberships.status = 'active'
      order by organization_memberships.user_id
    ) as user_ids,
    array(
      select team_memberships.organization_membership_id from team_memberships
      where team_memberships.team_id = teams.id
      order by team_memberships.organization_membership_id
    ) as membership_ids,
    exists (
      select from tokens
      where tokens.team_id = teams.id and tokens.kind = 'team' and tokens.description is null
    ) as has_token`,
  from: sql => sql`
    teams
    join organizations on organizations.id = teams.organization_id`,
  isVisible: teamIsVisible,
  powers: teamPowersOn,
  complete: row => ({ users_count: row.user_ids.length }),
});

export const teamById = teamRecords.byId('team_id');

type Membered = Pick<Team, 'organization_id' | 'is_owners' | 'is_member' | 'allow_member_token_management'>;

/** `is_member` says whether the actor is on the team. */
export function teamPowersOn(row: Membered, actor: Actor): Powers<'team'> {
  const organizationId = row.organization_id;
  const { isOwner } = standingIn(actor, organizationId);
  const managesMembers = organizationPowers.has(organizationPowersOf(actor, organizationId), 'manage-membership');
  const isPerson = actor.kind === 'user';
  const managesTokens = isOwner || (isPerson && row.is_member && row.allow_member_token_management);
  return teamPowers.where({
    read: true,
    own: isOwner,
    'see-reach': isOwner || row.is_member,
    'manage-members': isOwner || (managesMembers && !row.is_owners),
    'manage-tokens': managesTokens,
    // No token makes one that acts as an owner, nor one of its own team: a leaked one could not be revoked for good.
    'issue-tokens': managesTokens && (isPerson || !row.is_owners),
  });
}

/** The team that a body names, held so that it stays. Undefined when it names none; throws `not-found`. */
export async function namedTeam(sql: Sql, actor: Actor, id: string | null | undefined): Promise<Team | undefined> {
  if (typeof id !== 'string') return undefined;
  const team = await permitted({ sql, actor }, teamById, policy['team:read'], { team_id: id });
  if (!team) throw new ApiError('not-found');
  return team;
}
