/** §1 The sessions of the caller: the one at hand, the list of all, and their end. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { ownAccount } from '../users/user.ts';
import { currentSession, sessionRecords, sessions } from './session.ts';
import { endSessions } from './start.ts';

export const showOwnSession = endpoint({
  operation: 'sessions.show-own',
  section: '§1',
  summary: 'Show the session at hand',
  method: 'GET',
  paths: ['/account/session'],
  subject: currentSession,
  needs: policy['session:read'],
  include: ['user'],
  answer: { status: 200, document: sessions },
  handle: ({ subject }) => subject,
});

export const signOut = endpoint({
  operation: 'sessions.end-own',
  section: '§1',
  summary: 'Sign out: end the session at hand',
  method: 'DELETE',
  paths: ['/account/session'],
  subject: currentSession,
  needs: policy['session:end'],
  answer: { status: 204 },
  handle: async ({ sql, subject, giveSession }) => {
    await sql`delete from sessions where sessions.id = ${subject.id}`;
    giveSession(null);
  },
});

export const listOwnSessions = endpoint({
  operation: 'sessions.list-own',
  section: '§1',
  summary: "List the caller's sessions, the latest first",
  method: 'GET',
  paths: ['/account/sessions'],
  subject: ownAccount,
  needs: policy['user:hold'],
  answer: { status: 200, collection: sessions, pages: 'always' },
  handle: context => {
    const { sql, actor } = context;
    const own = sql`sessions.user_id = ${actor.userId}`;
    return sessionRecords.page(context, own, sql`sessions.created_at desc, sessions.id`);
  },
});

export const endOtherSessions = endpoint({
  operation: 'sessions.end-others',
  section: '§1',
  summary: "End the caller's sessions, all but the one at hand",
  method: 'DELETE',
  paths: ['/account/sessions'],
  subject: ownAccount,
  needs: policy['user:hold'],
  answer: { status: 204 },
  handle: async ({ sql, actor, note }) => {
    note({ ended: await endSessions(sql, actor.userId, actor.sessionId) });
  },
});
