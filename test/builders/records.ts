/** Records for tests, made straight in the database: only what a test is not about. Names are random where none is given. */

import { type OrganizationAccess, organizationAccessBits } from '../../src/access/organization-access.ts';
import type { Actor } from '../../src/core/access/actor.ts';
import { newId, randomBase62 } from '../../src/core/store/ids.ts';
import { seal } from '../../src/core/store/secrets.ts';
import { row } from '../../src/core/store/store.ts';
import { foundOrganization } from '../../src/organizations/organizations/found.ts';
import { hashPassword } from '../../src/people/passwords/hash.ts';
import { authenticator, newSecret, sealContext } from '../../src/people/second-factor/codes.ts';
import { startSession } from '../../src/people/sessions/start.ts';
import { newToken, tokenHash } from '../../src/people/tokens/secret.ts';
import { pepper, type TestApp } from '../app.ts';

export interface Person {
  id: string;
  username: string;
  email: string;
  token: string;
}

export const randomName = (prefix: string) => `${prefix}-${randomBase62(8)}`;

/** A user with a token. */
export async function person(
  { store }: TestApp,
  given: { username?: string; isAdmin?: boolean } = {},
): Promise<Person> {
  const username = given.username ?? randomName('user');
  const email = `${username}@example.com`.toLowerCase();
  const id = newId('user');
  await store.read`insert into users ${row(store.read, { id, username, email, is_admin: given.isAdmin ?? false })}`;
  return { id, username, email, token: await tokenOf({ store } as TestApp, { kind: 'user', user_id: id }) };
}

/** A token made directly: `members` are columns of the row. */
export async function tokenOf({ store }: TestApp, members: Record<string, unknown>): Promise<string> {
  const token = newToken();
  await store.read`
    insert into tokens ${row(store.read, {
      id: newId('at'),
      hash: tokenHash(pepper, token),
      created_by_type: 'users',
      created_by_id: members['user_id'],
      ...members,
    })}`;
  return token;
}

/** A session of the user, in the place of a token. */
export async function sessionOf({ store, config }: TestApp, user: { id: string; username: string }): Promise<string> {
  const arrival = { config, remoteAddress: '127.0.0.1', userAgent: null };
  return `session ${(await startSession(store.read, user, 'password', arrival)).secret}`;
}

/** Gives the user a password; returns it. */
export async function passwordOf({ store }: TestApp, { id }: { id: string }): Promise<string> {
  const password = `${randomName('many words of')} and more`;
  const hash = await hashPassword(password);
  await store.read`
    insert into passwords (user_id, hash) values (${id}, ${hash})
    on conflict (user_id) do update set hash = excluded.hash`;
  return password;
}

/** Turns the user's second factor on; returns what its authenticator app has. */
export async function secondFactorOf(
  { store, config }: TestApp,
  { id }: { id: string },
): Promise<{ code: () => string }> {
  const secret = newSecret();
  const sealed = seal(config, secret, sealContext(id));
  await store.read`
    insert into second_factors (user_id, sealed_secret, confirmed_at) values (${id}, ${sealed}, now())
    on conflict (user_id) do update
    set sealed_secret = excluded.sealed_secret, confirmed_at = now(), last_period = 0`;
  return { code: () => authenticator(secret).generate() };
}

export interface TestOrganization {
  /** `org-…`; the wire shows the name. */
  key: string;
  name: string;
  owner: Person;
  ownersTeamId: string;
  projectId: string;
}

/** An organization with its owner. */
export async function organization(
  app: TestApp,
  given: { name?: string; owner?: Person } = {},
): Promise<TestOrganization> {
  const owner = given.owner ?? (await person(app));
  const actor = { userId: owner.id } as Actor;
  const name = given.name ?? randomName('org');
  const made = await app.store.transaction(sql => foundOrganization(sql, actor, { name, email: owner.email }));
  const [owners] = await app.store.read`
    select teams.id from teams where teams.organization_id = ${made.organization_id} and teams.is_owners`;
  return {
    key: made.organization_id,
    name,
    owner,
    ownersTeamId: owners!['id'],
    projectId: made.default_project_id,
  };
}

/** An active member of the organization, on the given teams. */
export async function member(app: TestApp, of: TestOrganization, ...teamIds: string[]): Promise<Person> {
  const someone = await person(app);
  await join(app, of, someone, ...teamIds);
  return someone;
}

/** Makes someone a member of the organization and the teams. Returns the membership's id. */
export async function join(app: TestApp, of: TestOrganization, someone: Person, ...teamIds: string[]): Promise<string> {
  const sql = app.store.read;
  const [membership] = await sql`
    insert into organization_memberships ${row(sql, {
      id: newId('ou'),
      organization_id: of.key,
      user_id: someone.id,
      status: 'active',
      email: someone.email,
    })}
    on conflict (organization_id, user_id) do update set status = 'active'
    returning organization_memberships.id`;
  for (const teamId of teamIds) {
    await sql`
      insert into team_memberships ${row(sql, { team_id: teamId, organization_membership_id: membership!['id'] })}
      on conflict do nothing`;
  }
  return membership!['id'];
}

export interface TeamGiven {
  name?: string;
  visibility?: 'secret' | 'organization';
  access?: Partial<OrganizationAccess>;
  isTokenManagedByMembers?: boolean;
}

/** A team; returns its id. */
export async function team(app: TestApp, of: TestOrganization, given: TeamGiven = {}): Promise<string> {
  const sql = app.store.read;
  const id = newId('team');
  await sql`
    insert into teams ${row(sql, {
      id,
      organization_id: of.key,
      name: given.name ?? randomName('team'),
      visibility: given.visibility,
      organization_access: organizationAccessBits(given.access ?? {}),
      allow_member_token_management: given.isTokenManagedByMembers,
    })}`;
  return id;
}

/** The body of a create or update. */
export function bodyOf(type: string, attributes: object, relationships?: object): { data: object } {
  return { data: { type, attributes, ...(relationships && { relationships }) } };
}

/** A person who was invited by e-mail and has not come yet: no username, no token. */
export async function invite(
  { store }: TestApp,
  of: TestOrganization,
  ...teamIds: string[]
): Promise<{ userId: string; membershipId: string; email: string }> {
  const sql = store.read;
  const userId = newId('user');
  const membershipId = newId('ou');
  const email = `${randomName('guest')}@example.com`.toLowerCase();
  await sql`insert into users ${row(sql, { id: userId, email })}`;
  await sql`
    insert into organization_memberships ${row(sql, {
      id: membershipId,
      organization_id: of.key,
      user_id: userId,
      status: 'invited',
      email,
    })}`;
  for (const teamId of teamIds) {
    await sql`insert into team_memberships ${row(sql, { team_id: teamId, organization_membership_id: membershipId })}`;
  }
  return { userId, membershipId, email };
}

/** A token of a team, or of the organization when no team is given: then it takes the place of the one before. */
export async function serviceTokenOf(
  app: TestApp,
  of: TestOrganization,
  teamId?: string,
  members: Record<string, unknown> = {},
): Promise<string> {
  const sql = app.store.read;
  const serviceOfId = teamId ?? of.key;
  const username = teamId ? randomName('api-team') : `api-org-${of.name}-${randomBase62(6)}`;
  const [account] = await sql`
    insert into users ${row(sql, {
      id: newId('user'),
      username,
      email: `${username}@service.invalid`,
      is_service_account: true,
      service_of_id: serviceOfId,
    })}
    on conflict (service_of_id) do update set service_of_id = excluded.service_of_id
    returning users.id`;
  if (!teamId) await sql`delete from tokens where tokens.organization_id = ${of.key}`;
  return tokenOf(app, {
    description: teamId ? randomName('token') : null,
    kind: teamId ? 'team' : 'organization',
    user_id: account!['id'],
    team_id: teamId ?? null,
    organization_id: teamId ? null : of.key,
    created_by_type: 'users',
    created_by_id: of.owner.id,
    ...members,
  });
}
