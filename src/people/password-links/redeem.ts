/** §1 Set a password by a one-time link: it ends every session of the account and begins one. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { computed, nullable, text } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import type { Sql } from '../../core/store/store.ts';
import { site } from '../../organizations/site/site.ts';
import { countAttempt } from '../attempts/attempts.ts';
import { hashPassword } from '../passwords/hash.ts';
import { newPassword, passwordFaults } from '../passwords/rules.ts';
import { givenCode, takeCode } from '../second-factor/codes.ts';
import { type Session, sessions } from '../sessions/session.ts';
import { endSessions, sessionAsGiven, startSession } from '../sessions/start.ts';
import { linkHash, linkSecret } from './password-link.ts';

const never = () => null;

const redemption = resource({
  type: 'passwords',
  attributes: {
    link: computed(nullable(text), never, { write: linkSecret }),
    password: computed(nullable(text), never, { write: newPassword }),
    code: computed(nullable(text), never, { write: nullable(givenCode) }),
  },
  relationships: {},
});

export const redeemPasswordLink = endpoint({
  operation: 'passwords.create',
  section: '§1',
  summary: 'Set a password by a one-time link, and sign in',
  method: 'POST',
  paths: ['/passwords'],
  subject: site,
  needs: policy['site:enter'],
  isOpen: true,
  holds: null,
  body: documentBody(redemption, { required: ['link', 'password'] }),
  answer: { status: 201, document: sessions },
  errors: ['password-link-void', 'second-factor-needed', 'second-factor-refused', 'sign-in-limited', 'server-busy'],
  prepare: async ({ store, config, remoteAddress, body, recordRefusal }) => {
    const { link = '', password = '', code } = body.attributes;
    const account = await accountOf(store.read, linkHash(config, link));
    if (!account) throw new ApiError('password-link-void');
    const faults = await passwordFaults(password, [account.username, account.email]);
    if (faults.length > 0) throw new ApiError(faults);
    const attempt = await countAttempt(store.read, config, account.id, remoteAddress);
    await takeCode({ store, config, attempt, recordRefusal }, account.id, code ?? null);
    await attempt.forget();
    return { ...account, hash: await hashPassword(password) };
  },
  handle: async ({ sql, config, remoteAddress, userAgent, received, giveSession, note }): Promise<Session> => {
    const { link_id, hash, ...user } = received;
    const [used] =
      await sql`delete from password_links where password_links.id = ${link_id} returning password_links.id`;
    if (!used) throw new ApiError('password-link-void');
    await sql`delete from password_links where password_links.user_id = ${user.id}`;
    await sql`
      insert into passwords (user_id, hash) values (${user.id}, ${hash})
      on conflict (user_id) do update set hash = excluded.hash, changed_at = default`;
    note({ ended: await endSessions(sql, user.id) });
    const started = await startSession(sql, user, 'one-time-link', { config, remoteAddress, userAgent });
    giveSession(started);
    return sessionAsGiven(sql, started);
  },
});

interface Linked {
  link_id: string;
  id: string;
  username: string;
  email: string;
}

async function accountOf(sql: Sql, hash: Buffer): Promise<Linked | undefined> {
  const [found] = await sql<Linked[]>`
    select password_links.id as link_id, users.id, users.username, users.email from password_links
    join users on users.id = password_links.user_id
    where password_links.hash = ${hash} and password_links.expires_at > now()`;
  return found;
}
