/** Codes of the second factor: those of an authenticator app, of which none is taken twice, and those on paper. */
import { Secret, TOTP } from 'otpauth';
import { Type } from 'typebox';
import type { Config } from '../../core/config.ts';
import { ApiError } from '../../core/errors.ts';
import type { Prelude } from '../../core/jsonapi/endpoint.ts';
import { randomBase62 } from '../../core/store/ids.ts';
import { open } from '../../core/store/secrets.ts';
import type { Sql } from '../../core/store/store.ts';
import type { Attempt } from '../attempts/attempts.ts';
import { tokenHash } from '../tokens/secret.ts';

const period_s = 30;
/** A clock may be one period off. */
const window = 1;
const recoveryCodes = 10;

export const givenCode = Type.String({ maxLength: 64 });

export const sealContext = (userId: string) => `second-factors/${userId}`;

/** As the app computes them: of the secret, and shown under these names. */
export function authenticator(secret: string, issuer = 'Terrane', label = ''): TOTP {
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), digits: 6, period: period_s });
}

/** In the letters of base 32, 160 bits, as apps take it. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

interface Door {
  store: Prelude<never, unknown>['store'];
  config: Config;
  attempt: Attempt;
  recordRefusal: Prelude<never, unknown>['recordRefusal'];
}

/** Takes the code of an account that has a second factor, of others nothing. Throws where it is missing or wrong. */
export async function takeCode(door: Door, userId: string, code: string | null): Promise<void> {
  const { store, config, attempt, recordRefusal } = door;
  const [factor] = await store.read`
    select second_factors.user_id from second_factors
    where second_factors.user_id = ${userId} and second_factors.confirmed_at is not null`;
  if (!factor) return;
  if (!code) {
    await attempt.giveBack();
    throw new ApiError('second-factor-needed');
  }
  if (await isTaken(store.read, config, userId, code)) return;
  await recordRefusal('second-factors.refuse', userId);
  throw new ApiError('second-factor-refused');
}

/** Whether the code was good, which it is no more then. */
export async function isTaken(sql: Sql, config: Config, userId: string, code: string): Promise<boolean> {
  const plain = code.replaceAll(/[\s-]/g, '');
  return /^\d{6}$/.test(plain) ? isTimely(sql, config, userId, plain) : isOnPaper(sql, config, userId, plain);
}

async function isTimely(sql: Sql, config: Config, userId: string, token: string): Promise<boolean> {
  const [factor] = await sql<{ sealed_secret: Buffer }[]>`
    select second_factors.sealed_secret from second_factors where second_factors.user_id = ${userId}`;
  if (!factor) return false;
  const totp = authenticator(open(config, factor.sealed_secret, sealContext(userId)));
  const now = Date.now();
  const distance = totp.validate({ token, timestamp: now, window });
  if (distance === null) return false;
  const period = Math.floor(now / 1000 / period_s) + distance;
  const [taken] = await sql`
    update second_factors set last_period = ${period}
    where second_factors.user_id = ${userId} and second_factors.last_period < ${period}
    returning second_factors.user_id`;
  return taken !== undefined;
}

async function isOnPaper(sql: Sql, config: Config, userId: string, code: string): Promise<boolean> {
  const [taken] = await sql`
    delete from recovery_codes
    where recovery_codes.user_id = ${userId} and recovery_codes.hash = ${codeHash(config, userId, code)}
    returning recovery_codes.user_id`;
  return taken !== undefined;
}

/** The second factor of an account is off, and none of its codes is left. */
export async function endSecondFactor(sql: Sql, userId: string): Promise<void> {
  await sql`delete from recovery_codes where recovery_codes.user_id = ${userId}`;
  await sql`delete from second_factors where second_factors.user_id = ${userId}`;
}

/** New codes for paper, in the place of those before. */
export async function renewCodes(sql: Sql, config: Config, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () => randomBase62(16));
  const hashes = codes.map(code => codeHash(config, userId, code));
  await sql`delete from recovery_codes where recovery_codes.user_id = ${userId}`;
  for (const hash of hashes) await sql`insert into recovery_codes (user_id, hash) values (${userId}, ${hash})`;
  return codes.map(code => code.replace(/(.{4})(?=.)/g, '$1-'));
}

function codeHash({ tokenPepper = '' }: Config, userId: string, code: string): Buffer {
  return tokenHash(tokenPepper, `recovery code ${userId} ${code}`);
}
