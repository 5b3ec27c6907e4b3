/** The start of a session, whichever way its person signed in, and the end of those that a change makes void. */
import { type Actor, visitor } from '../../core/access/actor.ts';
import type { Config } from '../../core/config.ts';
import type { GivenSession } from '../../core/jsonapi/endpoint.ts';
import { newId, randomBase62 } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { rememberAddress } from '../attempts/attempts.ts';
import { tokenHash } from '../tokens/secret.ts';
import { type Session, sessionEnds, sessionIsOpen, sessionRecords } from './session.ts';

export interface Arrival {
  config: Config;
  remoteAddress: string;
  userAgent: string | null;
}

/** Begins a session of the user, who proved to be that by `method`. Whoever calls gives it to the caller. */
export async function startSession(
  sql: Sql,
  user: { id: string; username: string },
  method: 'password' | 'one-time-link' | 'single-sign-on',
  { config, remoteAddress, userAgent }: Arrival,
): Promise<GivenSession> {
  const id = newId('sess');
  const secret = randomBase62(43);
  const endsAt = new Date(Date.now() + config.sessionDays * 86_400_000);
  await sql`
    insert into sessions ${row(sql, {
      id,
      user_id: user.id,
      hash: sessionHash(config, secret),
      method,
      idle_minutes: config.sessionIdleMinutes,
      expires_at: endsAt.toISOString(),
      remote_address: remoteAddress,
      user_agent: userAgent,
    })}`;
  await rememberAddress(sql, config, user.id, remoteAddress);
  return { id, secret, endsAt, userId: user.id, username: user.username };
}

/** As the person sees it who has just begun it. */
export async function sessionAsGiven(sql: Sql, { id, userId }: GivenSession): Promise<Session> {
  const actor: Actor = { ...visitor, kind: 'user', userId, sessionId: id };
  const [session] = await sessionRecords.read(sql, actor, sql`sessions.id = ${id}`);
  return session!;
}

/** Under which a session's secret is stored: never that of a token with the same text. */
export function sessionHash({ tokenPepper = '' }: Config, secret: string): Buffer {
  return tokenHash(tokenPepper, `session ${secret}`);
}

/** Deletes those that ended by themselves. */
export async function sweepSessions(sql: Sql): Promise<void> {
  await sql`
    delete from sessions using (
      select sessions.id from sessions ${sessionEnds(sql)} where not ${sessionIsOpen(sql)}
    ) as ended
    where sessions.id = ended.id`;
}

/** Ends the sessions of a person, but the one that is to stay. Returns their ids. */
export async function endSessions(sql: Sql, userId: string, keptId: string | null = null): Promise<string[]> {
  const ended = await sql<{ id: string }[]>`
    delete from sessions
    where sessions.user_id = ${userId} and sessions.id is distinct from ${keptId}
    returning sessions.id`;
  return ended.map(({ id }) => id);
}
