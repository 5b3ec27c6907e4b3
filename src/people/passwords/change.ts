/** §1 Change the own password, or set the first one. Every other session of the person ends with it. */
import { policy } from '../../access/policy.ts';
import { ApiError, attributeFault } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint, type Prelude } from '../../core/jsonapi/endpoint.ts';
import { computed, nullable, text } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import type { Sql } from '../../core/store/store.ts';
import { countAttempt } from '../attempts/attempts.ts';
import { endSessions } from '../sessions/start.ts';
import { ownAccount, type User } from '../users/user.ts';
import { hashPassword, isPassword } from './hash.ts';
import { givenPassword, newPassword, passwordFaults } from './rules.ts';

const never = () => null;

/** Nothing of it is ever shown. */
const change = resource({
  type: 'passwords',
  attributes: {
    'current-password': computed(nullable(text), never, { write: nullable(givenPassword) }),
    password: computed(nullable(text), never, { write: newPassword }),
  },
  relationships: {},
});

export const changePassword = endpoint({
  operation: 'passwords.change',
  section: '§1',
  summary: 'Change the own password, or set the first one',
  method: 'PATCH',
  paths: ['/account/password'],
  subject: ownAccount,
  needs: policy['user:hold'],
  body: documentBody(change, { required: ['password'] }),
  answer: { status: 204 },
  errors: ['sign-in-limited', 'server-busy'],
  prepare: async prelude => {
    const { subject, store, body, recordRefusal } = prelude;
    if (subject.is_service_account) throw new ApiError('not-found');
    const before = await storedPassword(store.read, subject.id);
    const { password = '', 'current-password': current } = body.attributes;
    const faults = await passwordFaults(password, [subject.username ?? '', subject.email]);
    if (faults.length > 0) throw new ApiError(faults);
    if (before !== null && !(await isTheirs(prelude, before, current ?? ''))) {
      await recordRefusal('passwords.refuse', subject.id);
      throw new ApiError([wrongPassword]);
    }
    return { before, after: await hashPassword(password) };
  },
  handle: async ({ sql, actor, subject, received: { before, after }, note }) => {
    if (!(await replacePassword(sql, subject.id, before, after))) throw new ApiError([wrongPassword]);
    note({ ended: await endSessions(sql, subject.id, actor.sessionId) });
  },
});

const wrongPassword = attributeFault('current-password', 'Current password is wrong');

async function storedPassword(sql: Sql, userId: string): Promise<string | null> {
  const [found] = await sql<{ hash: string }[]>`
    select passwords.hash from passwords where passwords.user_id = ${userId}`;
  return found?.hash ?? null;
}

/** Whoever found somebody else's session open may guess no more often than one who signs in. */
async function isTheirs(prelude: Prelude<User, unknown>, stored: string, given: string): Promise<boolean> {
  const { subject, store, config, remoteAddress } = prelude;
  const attempt = await countAttempt(store.read, config, subject.id, remoteAddress);
  const isRight = await isPassword(stored, given);
  if (isRight) await attempt.forget();
  return isRight;
}

/** False where the password is another than the one that was compared. */
async function replacePassword(sql: Sql, userId: string, before: string | null, after: string): Promise<boolean> {
  const [replaced] =
    before === null
      ? await sql`
        insert into passwords (user_id, hash) values (${userId}, ${after})
        on conflict do nothing returning passwords.user_id`
      : await sql`
        update passwords set hash = ${after}, changed_at = default
        where passwords.user_id = ${userId} and passwords.hash = ${before} returning passwords.user_id`;
  return replaced !== undefined;
}
