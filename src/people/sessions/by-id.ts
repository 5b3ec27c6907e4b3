/** §1 Any session by its id: one's own, and everybody's for site administrators. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { sessionById, sessions } from './session.ts';

const paths = ['/sessions/:session_id'] as const;

export const showSession = endpoint({
  operation: 'sessions.show',
  section: '§1',
  summary: 'Show a session',
  method: 'GET',
  paths,
  subject: sessionById,
  needs: policy['session:read'],
  include: ['user'],
  answer: { status: 200, document: sessions },
  handle: ({ subject }) => subject,
});

export const endSession = endpoint({
  operation: 'sessions.end',
  section: '§1',
  summary: 'End a session',
  method: 'DELETE',
  paths,
  subject: sessionById,
  needs: policy['session:end'],
  answer: { status: 204 },
  handle: async ({ sql, subject, giveSession }) => {
    await sql`delete from sessions where sessions.id = ${subject.id}`;
    if (subject.is_current) giveSession(null);
  },
});
