/** §1 Session: a person who signed in with a browser. The document, the SELECT and the finders; its secret is in a cookie alone. */

import { sessionPowers } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import { addressed, boolean, column, computed, nullable, text, timestamp, word } from '../../core/jsonapi/fields.ts';
import { type Finder, records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { any } from '../../core/store/conditions.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';

interface SessionRow extends Subject<'session'> {
  user_id: string;
  username: string;
  is_current: boolean;
}

/** By what people sign in. */
const signInMethod = word('password', 'one-time-link', 'single-sign-on');

const attributes = {
  'created-at': column(timestamp),
  'last-used-at': column(timestamp),
  /** When it ends if nobody uses it until then. */
  'idle-ends-at': column(timestamp),
  /** When it ends, however much it is used. */
  'ends-at': column(timestamp),
  method: column(signInMethod),
  'remote-address': column(nullable(text)),
  'user-agent': column(nullable(text)),
  'is-current': computed(boolean, (row: SessionRow) => row.is_current),
};

export const sessions = resource({
  type: 'sessions',
  attributes,
  relationships: { user: addressed('users', 'user_id') },
  links: row => ({ self: `/api/v2/sessions/${row.id}` }),
});

export interface Session extends RowOf<typeof attributes>, SessionRow {}

/** To join to `sessions`: when each ends, at rest and at the latest. The strictest of its person's organizations counts. */
export const sessionEnds = (sql: Sql): Fragment => sql`
  cross join lateral (
    select
      date_trunc('milliseconds', sessions.last_used_at
        + least(sessions.idle_minutes, min(organizations.session_timeout)) * interval '1 minute') as idle_ends_at,
      least(
        sessions.expires_at,
        sessions.created_at + min(organizations.session_remember) * interval '1 minute'
      ) as ends_at
    from organization_memberships
    join organizations on organizations.id = organization_memberships.organization_id
    where organization_memberships.user_id = sessions.user_id and organization_memberships.status = 'active'
  ) as session_ends`;

/** Beside `sessionEnds`. */
export const sessionIsOpen = (sql: Sql): Fragment => sql`
  (session_ends.idle_ends_at > now() and session_ends.ends_at > now())`;

export const sessionRecords = records<Session>({
  table: 'sessions',
  columns: sql => sql`
    sessions.id, sessions.user_id, sessions.created_at, sessions.last_used_at, sessions.method,
    sessions.remote_address, sessions.user_agent, session_ends.idle_ends_at, session_ends.ends_at, users.username`,
  from: sql => sql`sessions join users on users.id = sessions.user_id ${sessionEnds(sql)}`,
  isVisible: (sql, actor) => sql`${sessionIsOpen(sql)} and ${isTheirs(sql, actor)}`,
  powers: () => sessionPowers.all,
  complete: (row, actor) => ({ is_current: row.id === actor.sessionId }),
});

/** One's own, and for site administrators those of everybody. */
function isTheirs(sql: Sql, actor: Actor): Fragment {
  return any(sql, [sql`sessions.user_id = ${actor.userId}`, actor.isSiteAdmin && sql`true`]);
}

export const sessionById = sessionRecords.byId('session_id');

/** The session that the caller is known by; none for who shows a token. */
export const currentSession: Finder<Session> = {
  parameter: 'session_id',
  find: look => sessionById.find(look, { session_id: look.actor.sessionId ?? '' }),
};
