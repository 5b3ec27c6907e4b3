/** `terraform login`, the last step: the command line trades its code, once, for a token that has an end. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Actor, visitor } from '../../core/access/actor.ts';
import type { Config } from '../../core/config.ts';
import type { Store } from '../../core/store/store.ts';
import { recordEvent } from '../../organizations/audit/record.ts';
import { issueToken } from '../tokens/issue.ts';
import { codeHash } from './authorize.ts';
import { loginClient } from './client.ts';

/** Long enough not to be in the way, short enough that a forgotten machine loses its power. */
const tokenDays = 90;
const day_ms = 86_400_000;

/** What the command line sends, as a form; whatever is missing is undefined. */
export interface Exchange {
  grant_type?: string;
  client_id?: string;
  code?: string;
  redirect_uri?: string;
  code_verifier?: string;
}

export interface Origin {
  requestId: string;
  remoteAddress: string;
}

export type Exchanged =
  | { token: string; lifetime_s: number }
  | { error: 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type' };

/** The errors are those that OAuth has names for; which of its parts makes a grant invalid is not told. */
export async function exchangeCode(store: Store, config: Config, given: Exchange, from: Origin): Promise<Exchanged> {
  if (given.grant_type !== 'authorization_code') return { error: 'unsupported_grant_type' };
  if (given.client_id !== loginClient.client) return { error: 'invalid_client' };
  const { code, redirect_uri: address, code_verifier: verifier } = given;
  if (!code || !address || !verifier) return { error: 'invalid_request' };
  // Taken apart from what follows: a code that was shown with a wrong verifier is void, too.
  const [found] = await store.read<Grant[]>`
    delete from login_codes using users
    where login_codes.hash = ${codeHash(config.tokenPepper, code)} and users.id = login_codes.user_id
    returning login_codes.id, users.id as user_id, users.username, login_codes.challenge, login_codes.redirect_uri,
      login_codes.expires_at > now() as is_timely`;
  if (!found?.is_timely || found.redirect_uri !== address || !answers(found.challenge, verifier)) {
    return { error: 'invalid_grant' };
  }
  return grant(store, config, found, from);
}

interface Grant {
  id: string;
  user_id: string;
  username: string;
  challenge: string;
  redirect_uri: string;
  is_timely: boolean;
}

function answers(challenge: string, verifier: string): boolean {
  const digest = createHash('sha256').update(verifier).digest('base64url');
  return timingSafeEqual(Buffer.from(digest), Buffer.from(challenge));
}

async function grant(store: Store, config: Config, found: Grant, from: Origin): Promise<Exchanged> {
  const days = Math.min(tokenDays, config.tokenTtlDays || tokenDays);
  const expiry = new Date(Date.now() + days * day_ms).toISOString();
  const actor: Actor = { ...visitor, kind: 'user', userId: found.user_id, username: found.username };
  return store.transaction(async sql => {
    const wishes = { description: `terraform login from ${from.remoteAddress}`, 'expired-at': expiry };
    const token = await issueToken(sql, actor, config, { kind: 'user', user_id: found.user_id }, wishes);
    await recordEvent(sql, {
      operation: 'authentication-tokens.create-by-login',
      actor,
      subject: { id: found.user_id },
      result: { type: 'authentication-tokens', row: token },
      notes: {},
      ...from,
    });
    return { token: token.token!, lifetime_s: days * (day_ms / 1000) };
  });
}
