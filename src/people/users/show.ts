/** §1 Show an account: to whoever shares an organization with it, to its holder, and to site administrators. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { ownAccount, userById, users, withEmail } from './user.ts';

export const showUser = endpoint({
  operation: 'users.show',
  section: '§1',
  summary: 'Show an account',
  method: 'GET',
  paths: ['/users/:user_id'],
  subject: userById,
  needs: policy['user:read'],
  answer: { status: 200, document: users },
  handle: ({ subject }) => subject,
});

/** The account behind the token: a person's, or the service account of a team or an organization. */
export const showOwnAccount = endpoint({
  operation: 'users.show-own',
  section: '§1',
  summary: 'Show the account behind the token',
  method: 'GET',
  paths: ['/account/details'],
  subject: ownAccount,
  needs: policy['user:hold'],
  answer: { status: 200, document: users },
  handle: ({ subject }) => subject,
});

export const inspectUser = endpoint({
  operation: 'users.inspect',
  section: '§1',
  summary: 'Show an account to a site administrator, with its e-mail address',
  method: 'GET',
  paths: ['/admin/users/:user_id'],
  subject: userById,
  needs: policy['user:administer'],
  answer: { status: 200, document: users },
  handle: ({ subject }) => withEmail(subject),
});
