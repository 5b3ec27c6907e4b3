/** §1 Update the own account. A new e-mail address waits as unconfirmed: nobody takes over invitations by naming one. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { claimUsername, keepUsername } from './kept-usernames.ts';
import { ownAccount, users } from './user.ts';

const { username, email } = users.attributes;

/** What people say of themselves; the rest is for site administrators. */
const given = resource({ type: users.type, attributes: { username, email }, relationships: {} });

export const updateOwnAccount = endpoint({
  operation: 'users.update-own',
  section: '§1',
  summary: 'Update the account behind the token',
  method: 'PATCH',
  paths: ['/account/update'],
  shownAt: '/account/details',
  subject: ownAccount,
  needs: policy['user:hold'],
  body: documentBody(given),
  answer: { status: 200, document: users, reads: ownAccount },
  errors: ['username-taken'],
  check: ({ subject }) => {
    if (subject.is_service_account) throw new ApiError('not-found');
  },
  handle: async ({ sql, subject, body: { attributes } }) => {
    const address = attributes.email;
    const isSame = address?.toLowerCase() === subject.email.toLowerCase();
    const unconfirmed = address === undefined ? subject.unconfirmed_email : isSame ? null : address;
    await sql`
      update users set username = ${attributes.username ?? subject.username}, unconfirmed_email = ${unconfirmed}
      where users.id = ${subject.id}`;
    if (attributes.username === undefined || attributes.username === subject.username) return;
    await claimUsername(sql, subject.id, attributes.username);
    await keepUsername(sql, subject);
  },
});
