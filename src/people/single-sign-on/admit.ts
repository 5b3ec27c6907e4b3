/** The end of every way by a provider: the account, the teams of its groups, and a session, in one transaction with its events. */
import { type Actor, visitor } from '../../core/access/actor.ts';
import type { Config } from '../../core/config.ts';
import type { GivenSession } from '../../core/jsonapi/endpoint.ts';
import type { SignInProvider } from '../../core/sign-in-provider.ts';
import type { Sql, Store } from '../../core/store/store.ts';
import { recordEvent } from '../../organizations/audit/record.ts';
import { sessionAsGiven, startSession } from '../sessions/start.ts';
import { accountOf, type Recognised } from './account.ts';
import { followGroups } from './groups.ts';
import type { Profile } from './profile.ts';
import type { SignInRefusal } from './refusal.ts';

/** Of the request that is answered. */
export interface Visit {
  config: Config;
  requestId: string;
  remoteAddress: string;
  userAgent: string | null;
}

/** Begins a session of whom the provider speaks of. Throws SignInRefusal. */
export function admit(store: Store, provider: SignInProvider, profile: Profile, visit: Visit): Promise<GivenSession> {
  return store.transaction(async sql => {
    const account = await accountOf(sql, provider, profile);
    const { id, username, how } = account;
    const session = await startSession(sql, { id, username }, 'single-sign-on', visit);
    const actor: Actor = {
      ...visitor,
      kind: 'user',
      userId: id,
      username,
      tokenId: session.id,
      sessionId: session.id,
    };
    const { requestId, remoteAddress } = visit;
    const origin = { actor, requestId, remoteAddress };
    await followGroups(sql, provider, profile, account, origin);
    if (how !== 'known') await recordIdentity(sql, provider, account, origin);
    await recordEvent(sql, {
      operation: 'sessions.create',
      subject: { id: session.id },
      result: { type: 'sessions', row: await sessionAsGiven(sql, session) },
      notes: { provider: provider.name },
      ...origin,
    });
    return session;
  });
}

function recordIdentity(
  sql: Sql,
  provider: SignInProvider,
  { id, username, how }: Recognised,
  origin: { actor: Actor; requestId: string; remoteAddress: string },
): Promise<void> {
  const operation = how === 'created' ? 'users.create-by-single-sign-on' : 'users.link-single-sign-on';
  return recordEvent(sql, {
    operation,
    subject: { id, username },
    result: null,
    notes: { provider: provider.name },
    ...origin,
  });
}

/** Who was not signed in, and why: the page that people see says less. */
export function recordRefusal(
  store: Store,
  providerName: string,
  { reason, message }: SignInRefusal,
  { requestId, remoteAddress }: Visit,
): Promise<void> {
  return recordEvent(store.read, {
    operation: 'sessions.refuse',
    actor: visitor,
    subject: { id: 'unknown' },
    result: null,
    notes: { provider: providerName, reason, ...(message !== reason && { detail: message }) },
    requestId,
    remoteAddress,
  });
}
