/** Whose account it is that a provider speaks of: known by the provider's name for the person, else by a proven address, else new. */

import type { SignInProvider } from '../../core/sign-in-provider.ts';
import { newId, randomBase62 } from '../../core/store/ids.ts';
import type { Sql } from '../../core/store/store.ts';
import { claimUsername } from '../users/kept-usernames.ts';
import { takeAccount } from '../users/take-account.ts';
import { type Profile, provenAddress } from './profile.ts';
import { SignInRefusal } from './refusal.ts';

export interface Account {
  id: string;
  username: string;
  email: string;
}

export interface Recognised extends Account {
  how: 'known' | 'linked' | 'created';
}

/** Finds, links or makes the account, whose row is held from then on. Throws SignInRefusal. */
export async function accountOf(sql: Sql, provider: SignInProvider, profile: Profile): Promise<Recognised> {
  const known = (await identified(sql, profile)) ?? (await identifiedMeanwhile(sql, profile));
  if (known) return { ...known, how: 'known' };
  const address = provenAddress(profile, provider);
  const existing = await accountAt(sql, address);
  if (existing) {
    await link(sql, existing.id, profile);
    return { ...existing, how: 'linked' };
  }
  if (!provider.creates_accounts) throw new SignInRefusal('account-missing');
  const username = await freeUsername(sql, profile.username ?? address);
  const id = await takeAccount(sql, { id: newId('user'), username, email: address, is_admin: false });
  await claimUsername(sql, id, username);
  await link(sql, id, profile);
  return { id, username, email: address, how: 'created' };
}

async function identified(sql: Sql, { issuer, subject }: Profile): Promise<Account | undefined> {
  const [account] = await sql<Account[]>`
    select users.id, users.username, users.email from users
    join sign_in_identities on sign_in_identities.user_id = users.id
    where sign_in_identities.issuer = ${issuer} and sign_in_identities.subject = ${subject}
    for no key update of users`;
  if (account) {
    await sql`
      update sign_in_identities set last_used_at = now()
      where sign_in_identities.issuer = ${issuer} and sign_in_identities.subject = ${subject}`;
  }
  return account;
}

/** Two browsers of a new person at once: the second waits, and finds what the first made. */
async function identifiedMeanwhile(sql: Sql, profile: Profile): Promise<Account | undefined> {
  await sql`select from site_settings for update`;
  return identified(sql, profile);
}

async function accountAt(sql: Sql, address: string): Promise<Account | undefined> {
  const [account] = await sql<Account[]>`
    select users.id, users.username, users.email from users
    where lower(users.email) = lower(${address}) and users.username is not null and not users.is_service_account
    for no key update of users`;
  return account;
}

/** An address that is somebody else's at the provider by now opens nothing of who had it before. */
async function link(sql: Sql, userId: string, { issuer, subject }: Profile): Promise<void> {
  const [linked] = await sql`
    insert into sign_in_identities (issuer, subject, user_id) values (${issuer}, ${subject}, ${userId})
    on conflict (user_id, issuer) do nothing
    returning sign_in_identities.subject`;
  if (!linked) throw new SignInRefusal('account-taken');
}

const longestUsername = 64;
const room = 5;

/** As near to what the provider calls the person as there is one free. */
async function freeUsername(sql: Sql, given: string): Promise<string> {
  const plain = given
    .split('@', 1)[0]!
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, longestUsername - room);
  const isTakenForm = plain === '' || /^api-/.test(plain) || /^user-[A-Za-z0-9]{16}$/.test(plain);
  const base = isTakenForm ? `person-${plain}`.replace(/-$/, '').slice(0, longestUsername - room) : plain;
  const wishes = [
    base,
    ...[2, 3, 4, 5, 6, 7, 8, 9].map(number => `${base}-${number}`),
    `${base}-${randomBase62(room - 1)}`,
  ];
  const [free] = await sql<{ username: string }[]>`
    select wishes.username from unnest(${wishes}::text[]) with ordinality as wishes (username, position)
    where not exists (select from users where users.username = wishes.username)
      and not exists (
        select from kept_usernames
        where kept_usernames.username = wishes.username and kept_usernames.kept_until > now()
      )
    order by wishes.position limit 1`;
  if (!free) throw new SignInRefusal('account-taken', `No username like ${base} is free.`);
  return free.username;
}
