/** §1 Sign in: a name or an e-mail address and a password begin a session, whose secret goes into a cookie. */

import { Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint, type Prelude } from '../../core/jsonapi/endpoint.ts';
import { computed, nullable, text } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import type { Sql } from '../../core/store/store.ts';
import { type Site, site } from '../../organizations/site/site.ts';
import { countAttempt } from '../attempts/attempts.ts';
import { hashPassword, isOutgrown, isPassword } from '../passwords/hash.ts';
import { givenPassword } from '../passwords/rules.ts';
import { givenCode, takeCode } from '../second-factor/codes.ts';
import { type Session, sessions } from '../sessions/session.ts';
import { sessionAsGiven, startSession } from '../sessions/start.ts';

const never = () => null;

/** What people sign in with, none of which a session shows. */
const credentials = resource({
  type: sessions.type,
  attributes: {
    name: computed(nullable(text), never, { write: Type.String({ minLength: 1, maxLength: 254 }) }),
    password: computed(nullable(text), never, { write: givenPassword }),
    code: computed(nullable(text), never, { write: nullable(givenCode) }),
  },
  relationships: {},
});

export const signIn = endpoint({
  operation: 'sessions.create',
  section: '§1',
  summary: 'Sign in with a password',
  method: 'POST',
  paths: ['/sessions'],
  subject: site,
  needs: policy['site:enter'],
  isOpen: true,
  holds: null,
  body: documentBody(credentials, { required: ['name', 'password'] }),
  answer: { status: 201, document: sessions },
  errors: ['sign-in-refused', 'second-factor-needed', 'second-factor-refused', 'sign-in-limited', 'server-busy'],
  prepare: prelude => {
    const { name = '', password = '', code = null } = prelude.body.attributes;
    return recognise(prelude, { name, password, code });
  },
  handle: async ({ sql, config, remoteAddress, userAgent, received: person, giveSession }): Promise<Session> => {
    await keepStanding(sql, person);
    const started = await startSession(sql, person, 'password', { config, remoteAddress, userAgent });
    giveSession(started);
    return sessionAsGiven(sql, started);
  },
});

interface Account {
  id: string;
  username: string;
  hash: string | null;
}

interface Recognised extends Account {
  /** In the place of a hash that was made with less than what is asked for now. */
  renewed: string | null;
}

/** Who that is. Refused the same way, after the same work, whether the account, its password or nothing is right. */
async function recognise(
  prelude: Prelude<Site, unknown>,
  { name, password, code }: { name: string; password: string; code: string | null },
): Promise<Recognised> {
  const { store, config, remoteAddress, recordRefusal } = prelude;
  const account = await accountNamed(store.read, name);
  const counted = account?.id ?? name.toLowerCase();
  const attempt = await countAttempt(store.read, config, counted, remoteAddress);
  if (!(await isPassword(account?.hash ?? null, password)) || !account?.hash) {
    await recordRefusal('sessions.refuse', account?.id ?? 'unknown');
    throw new ApiError('sign-in-refused');
  }
  await takeCode({ store, config, attempt, recordRefusal }, account.id, code);
  await attempt.forget();
  const renewed = isOutgrown(account.hash) ? await hashPassword(password) : null;
  return { ...account, renewed };
}

/** Usernames hold no @, addresses always do. */
async function accountNamed(sql: Sql, name: string): Promise<Account | undefined> {
  const isNamed = name.includes('@')
    ? sql`lower(users.email) = lower(${name}) and users.username is not null`
    : sql`users.username = ${name}`;
  const [account] = await sql<Account[]>`
    select users.id, users.username, passwords.hash from users
    left join passwords on passwords.user_id = users.id
    where ${isNamed} and not users.is_service_account`;
  return account;
}

/** The password may have been changed while it was being compared, and with it every session was ended. */
async function keepStanding(sql: Sql, { id, hash, renewed }: Recognised): Promise<void> {
  const [held] = await sql`
    select passwords.user_id from passwords
    where passwords.user_id = ${id} and passwords.hash = ${hash} for update`;
  if (!held) throw new ApiError('sign-in-refused');
  if (renewed) await sql`update passwords set hash = ${renewed} where passwords.user_id = ${id}`;
}
