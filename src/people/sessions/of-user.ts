/** §1 The sessions of any person, for site administrators: listed, and ended all at once. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { userById } from '../users/user.ts';
import { sessionRecords, sessions } from './session.ts';
import { endSessions } from './start.ts';

const paths = ['/admin/users/:user_id/sessions'] as const;

export const listSessionsOfUser = endpoint({
  operation: 'sessions.list-of-user',
  section: '§1',
  summary: 'List the sessions of an account, the latest first',
  method: 'GET',
  paths,
  subject: userById,
  needs: policy['user:administer'],
  answer: { status: 200, collection: sessions, pages: 'always' },
  handle: context => {
    const { sql, subject } = context;
    const theirs = sql`sessions.user_id = ${subject.id}`;
    return sessionRecords.page(context, theirs, sql`sessions.created_at desc, sessions.id`);
  },
});

export const endSessionsOfUser = endpoint({
  operation: 'sessions.end-of-user',
  section: '§1',
  summary: 'End all sessions of an account',
  method: 'DELETE',
  paths,
  subject: userById,
  needs: policy['user:administer'],
  answer: { status: 204 },
  handle: async ({ sql, subject, actor, note, giveSession }) => {
    note({ ended: await endSessions(sql, subject.id) });
    if (subject.id === actor.userId && actor.sessionId) giveSession(null);
  },
});
