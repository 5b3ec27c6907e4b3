/** §1 User: the accounts of people, and the service accounts behind the tokens of teams and organizations (§2.1). */

import { Type } from 'typebox';
import { userPowers } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import {
  boolean,
  booleans,
  choice,
  column,
  computed,
  emailAddress,
  linked,
  nullable,
  text,
  timestamp,
} from '../../core/jsonapi/fields.ts';
import { type Finder, records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { avatarUrl } from './avatar.ts';

interface UserRow extends Subject<'user'> {
  username: string | null;
  is_admin: boolean;
  is_service_account: boolean;
  has_password: boolean;
  has_identity: boolean;
  has_second_factor: boolean;
  is_creation_limited: boolean;
  organization_name: string | null;
  /** Whether the caller may know more than the address that was invited. */
  is_acquainted: boolean;
  invitation: { email: string; created_at: string } | null;
  email: string;
  unconfirmed_email: string | null;
  /** The team or organization whose tokens the account stands for. */
  service_of_id: string | null;
  is_email_shown: boolean;
}

/** Names that look like ids or service accounts are not free: members are named by either. */
const username = Type.String({
  pattern: '^(?!api-)(?!user-[A-Za-z0-9]{16}$)[A-Za-z0-9_-]{1,64}$',
  'x-rule':
    'may only contain letters, numbers, - and _, at most 64 of them, and may not begin as service accounts and ids do',
});

const attributes = {
  /** Null for a person who was invited and has no account yet. */
  username: column(nullable(text), { write: username }),
  email: computed(nullable(text), shownEmail, { write: emailAddress }),
  'unconfirmed-email': computed(nullable(text), (row: UserRow) => (row.is_email_shown ? row.unconfirmed_email : null)),
  'avatar-url': computed(text, row => avatarUrl(row.id)),
  'created-at': column(timestamp),
  'is-service-account': column(boolean),
  'is-admin': column(boolean, { write: true, default: false }),
  'is-site-admin': computed(boolean, (row: UserRow) => row.is_admin),
  'is-confirmed': computed(boolean, (row: UserRow) => row.username !== null),
  /** Whether its person came by a provider of single sign-on. */
  'is-sso-login': computed(boolean, (row: UserRow) => row.has_identity),
  /** With what its person signs in, beside tokens. */
  'auth-method': computed(text, authMethod),
  'v2-only': computed(boolean, () => false),
  'two-factor': computed(booleans('enabled', 'verified'), ({ has_second_factor: isOn }: UserRow) => ({
    enabled: isOn,
    verified: isOn,
  })),
  permissions: computed(
    booleans(
      'can-create-organizations',
      'can-change-email',
      'can-change-username',
      'can-manage-user-tokens',
      'can-view2fa-settings',
      'can-manage-hcp-account',
    ),
    permissions,
  ),
};

export const users = resource({
  type: 'users',
  attributes,
  relationships: {
    'authentication-tokens': linked(row => `/api/v2/users/${row.id}/authentication-tokens`),
    'authenticated-resource': choice(['teams', 'organizations'], authenticatedResource),
  },
  links: row => ({ self: `/api/v2/users/${row.id}` }),
  load: (sql, actor, ids) => userRecords.load(sql, actor, ids),
});

export interface User extends RowOf<typeof attributes>, UserRow {}

function authMethod(row: UserRow): string {
  if (row.has_password) return 'password';
  return row.has_identity ? 'single-sign-on' : 'token';
}

/** Someone who was invited and has no account yet is only an address, which the invitation shows as well. */
function shownEmail(row: UserRow): string | null {
  return row.is_email_shown || row.username === null ? row.email : null;
}

/** What the caller may do with the account: nobody changes another's, and a new address stays unconfirmed. */
function permissions(row: UserRow): Record<string, boolean> {
  const isOwn = userPowers.has(row.powers, 'hold');
  const isPerson = !row.is_service_account;
  return {
    'can-create-organizations': isOwn && isPerson && (row.is_admin || !row.is_creation_limited),
    'can-change-email': false,
    'can-change-username': isOwn && isPerson,
    'can-manage-user-tokens': isPerson && (isOwn || userPowers.has(row.powers, 'administer')),
    'can-view2fa-settings': isOwn && isPerson,
    'can-manage-hcp-account': false,
  };
}

/** Only the caller's own service account says whom it stands for: the team may be a secret one. */
function authenticatedResource(row: UserRow): { type: string; id: string } | null {
  const { service_of_id: serviceOf, organization_name: organization } = row;
  if (serviceOf === null || !userPowers.has(row.powers, 'hold')) return null;
  return organization === null ? { type: 'teams', id: serviceOf } : { type: 'organizations', id: organization };
}

/** Oneself, whoever shares an organization with the caller, and every person with an account for site administrators. */
function userIsVisible(sql: Sql, actor: Actor): Fragment {
  const organizationIds = [...actor.standings.keys()];
  return sql`(
    users.id = ${actor.userId}
    or exists (
      select from organization_memberships
      where organization_memberships.user_id = users.id
        and organization_memberships.organization_id = any(${organizationIds})
    )
    or users.service_of_id = any(${organizationIds})
    or exists (
      select from teams where teams.id = users.service_of_id and teams.organization_id = any(${organizationIds})
    )
    ${actor.isSiteAdmin ? sql`or ${isPerson(sql)}` : sql``}
  )`;
}

/**
 * Whoever is only asked to join is an address to those who asked, whether there is an account or not: only who shares an
 * active membership, site administrators and the person see more.
 */
function isAcquainted(sql: Sql, actor: Actor): Fragment {
  return sql`(
    users.id = ${actor.userId} or users.is_service_account or ${actor.isSiteAdmin}
    or exists (
      select from organization_memberships
      where organization_memberships.user_id = users.id and organization_memberships.status = 'active'
        and organization_memberships.organization_id = any(${[...actor.standings.keys()]})
    )
  )`;
}

/** The first invitation of the caller's organizations. */
function invitation(sql: Sql, actor: Actor): Fragment {
  return sql`(
    select jsonb_build_object('email', organization_memberships.email, 'created_at', organization_memberships.created_at)
    from organization_memberships
    where organization_memberships.user_id = users.id
      and organization_memberships.organization_id = any(${[...actor.standings.keys()]})
    order by organization_memberships.created_at, organization_memberships.id limit 1
  )`;
}

/** What those see of a person who know no more than an address. */
function asInvited({ is_acquainted, invitation }: UserRow): Partial<User> {
  if (is_acquainted || !invitation) return {};
  const { email, created_at } = invitation;
  const account = { has_password: false, has_identity: false, has_second_factor: false, is_admin: false };
  return { ...account, username: null, email, created_at: new Date(created_at).toISOString() };
}

/**
 * The organizations of a person. Their owners are told what somebody else does to the account: it opens what is theirs.
 */
export async function organizationsOf(sql: Sql, userId: string): Promise<string[]> {
  const found = await sql<{ organization_id: string }[]>`
    select organization_memberships.organization_id from organization_memberships
    where organization_memberships.user_id = ${userId} and organization_memberships.status = 'active'
    order by organization_memberships.organization_id`;
  return found.map(({ organization_id }) => organization_id);
}

/** An account of a person: neither a service account nor someone who is only invited. */
export function isPerson(sql: Sql): Fragment {
  return sql`(users.username is not null and not users.is_service_account)`;
}

export const userRecords = records<User>({
  table: 'users',
  columns: (sql, actor) => sql`
    ${isAcquainted(sql, actor)} as is_acquainted, ${invitation(sql, actor)} as invitation, users.id, users.username, users.email, users.unconfirmed_email, users.is_admin, users.is_service_account,
    users.service_of_id, users.created_at, organizations.name as organization_name,
    exists (select from passwords where passwords.user_id = users.id) as has_password,
    exists (select from sign_in_identities where sign_in_identities.user_id = users.id) as has_identity,
    exists (
      select from second_factors
      where second_factors.user_id = users.id and second_factors.confirmed_at is not null
    ) as has_second_factor,
    (select site_settings.limit_user_organization_creation from site_settings) as is_creation_limited`,
  from: sql => sql`
    users
    left join organizations on organizations.id = users.service_of_id`,
  isVisible: userIsVisible,
  powers: (row, actor) =>
    userPowers.where({
      read: true,
      hold: row.id === actor.userId,
      administer: actor.isSiteAdmin && row.username !== null && !row.is_service_account,
    }),
  complete: (row, actor) => ({
    is_email_shown: row.id === actor.userId && !row.is_service_account,
    ...asInvited(row),
  }),
});

export const userById = userRecords.byId('user_id');

/** The document as site administration shows it, with the e-mail address. */
export function withEmail(user: User): User {
  return { ...user, is_email_shown: true };
}

/** As `userById`, with the e-mail address. */
export const administeredUserById: Finder<User> = {
  parameter: 'user_id',
  find: async (look, params) => {
    const found = await userById.find(look, params);
    return found && withEmail(found);
  },
};

/** The account behind the caller's token. */
export const ownAccount: Finder<User> = {
  parameter: 'user_id',
  find: look => userById.find(look, { user_id: look.actor.userId }),
};
