/** §1 The own second factor: begun with a secret, on once a code has confirmed it, and off again by another code. */
import { policy } from '../../access/policy.ts';
import { ApiError, attributeFault } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint, type Prelude } from '../../core/jsonapi/endpoint.ts';
import { computed, nullable, text } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { seal } from '../../core/store/secrets.ts';
import { countAttempt } from '../attempts/attempts.ts';
import { isPassword } from '../passwords/hash.ts';
import { givenPassword } from '../passwords/rules.ts';
import { endSecondFactor, givenCode, isTaken, newSecret, renewCodes, sealContext } from './codes.ts';
import { ownSecondFactor, type SecondFactor, secondFactors } from './second-factor.ts';

const never = () => null;
const path = '/account/second-factor';

export const showSecondFactor = endpoint({
  operation: 'second-factors.show',
  section: '§1',
  summary: 'Show whether the own second factor is on',
  method: 'GET',
  paths: [path],
  subject: ownSecondFactor,
  needs: policy['user:hold'],
  answer: { status: 200, document: secondFactors },
  handle: ({ subject }) => subject,
});

const beginning = resource({
  type: secondFactors.type,
  attributes: { 'current-password': computed(nullable(text), never, { write: nullable(givenPassword) }) },
  relationships: {},
});

export const beginSecondFactor = endpoint({
  operation: 'second-factors.create',
  section: '§1',
  summary: 'Begin a second factor: a secret for the authenticator app, which a first code has to confirm',
  method: 'POST',
  paths: [path],
  subject: ownSecondFactor,
  needs: policy['user:hold'],
  body: documentBody(beginning),
  answer: { status: 201, document: secondFactors },
  errors: ['second-factor-on', 'sign-in-limited', 'server-busy'],
  prepare: prelude => requirePassword(prelude, prelude.body.attributes['current-password'] ?? ''),
  handle: async ({ sql, config, subject }) => {
    if (subject.is_enabled) throw new ApiError('second-factor-on');
    const secret = newSecret();
    const sealed = seal(config, secret, sealContext(subject.id));
    await sql`
      insert into second_factors (user_id, sealed_secret) values (${subject.id}, ${sealed})
      on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, last_period = 0, created_at = default`;
    return { ...subject, secret };
  },
});

/** Whoever found a session open must not lock its person out. */
async function requirePassword(prelude: Prelude<SecondFactor, unknown>, given: string): Promise<void> {
  const { subject, store, config, remoteAddress, recordRefusal } = prelude;
  const [stored] = await store.read<{ hash: string }[]>`
    select passwords.hash from passwords where passwords.user_id = ${subject.id}`;
  if (!stored) return;
  const attempt = await countAttempt(store.read, config, subject.id, remoteAddress);
  if (!(await isPassword(stored.hash, given))) {
    await recordRefusal('passwords.refuse', subject.id);
    throw new ApiError([attributeFault('current-password', 'Current password is wrong')]);
  }
  await attempt.forget();
}

const withCode = documentBody(
  resource({
    type: secondFactors.type,
    attributes: { code: computed(nullable(text), never, { write: givenCode }) },
    relationships: {},
  }),
  { required: ['code'], typeIsOptional: true },
);

/** Takes the code, outside of the transaction: what was tried stays tried. */
async function prepareCode(prelude: Prelude<SecondFactor, { attributes: { code?: string } }>): Promise<void> {
  const { subject, store, config, remoteAddress, body, recordRefusal } = prelude;
  if (!subject.is_begun) throw new ApiError('second-factor-off');
  const attempt = await countAttempt(store.read, config, subject.id, remoteAddress);
  if (!(await isTaken(store.read, config, subject.id, body.attributes.code ?? ''))) {
    await recordRefusal('second-factors.refuse', subject.id);
    throw new ApiError('second-factor-refused');
  }
  await attempt.forget();
}

const action = {
  section: '§1',
  method: 'POST',
  subject: ownSecondFactor,
  needs: policy['user:hold'],
  body: withCode,
  errors: ['second-factor-on', 'second-factor-off', 'second-factor-refused', 'sign-in-limited'],
  prepare: prepareCode,
} as const;

export const confirmSecondFactor = endpoint({
  ...action,
  operation: 'second-factors.confirm',
  summary: 'Turn the second factor on with a first code; the answer shows the recovery codes, this once',
  paths: [`${path}/actions/confirm`],
  answer: { status: 200, document: secondFactors },
  handle: async ({ sql, config, subject, note }) => {
    if (subject.is_enabled) throw new ApiError('second-factor-on');
    await sql`update second_factors set confirmed_at = now() where second_factors.user_id = ${subject.id}`;
    note({ is_enabled: [false, true] });
    return withCodes(subject, await renewCodes(sql, config, subject.id));
  },
});

export const renewRecoveryCodes = endpoint({
  ...action,
  operation: 'second-factors.renew-codes',
  summary: 'Make new recovery codes in the place of those before; the answer shows them, this once',
  paths: [`${path}/actions/renew-recovery-codes`],
  answer: { status: 200, document: secondFactors },
  handle: async ({ sql, config, subject }) => {
    if (!subject.is_enabled) throw new ApiError('second-factor-off');
    return withCodes(subject, await renewCodes(sql, config, subject.id));
  },
});

export const turnSecondFactorOff = endpoint({
  ...action,
  operation: 'second-factors.turn-off',
  summary: 'Turn the second factor off, with a last code',
  paths: [`${path}/actions/turn-off`],
  answer: { status: 204 },
  handle: async ({ sql, subject, note }) => {
    await endSecondFactor(sql, subject.id);
    note({ is_enabled: [subject.is_enabled, false] });
  },
});

function withCodes(subject: SecondFactor, codes: string[]): SecondFactor {
  const confirmed = subject.confirmed_at ?? new Date().toISOString();
  return { ...subject, is_enabled: true, confirmed_at: confirmed, recovery_codes_left: codes.length, codes };
}
