/** §1 Create an account, by a site administrator. Invitations that wait for its e-mail address become memberships at once. */
import { policy } from '../../access/policy.ts';
import { type Fault, faultAt } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { newId } from '../../core/store/ids.ts';
import type { Sql } from '../../core/store/store.ts';
import { site } from '../../organizations/site/site.ts';
import { claimUsername } from './kept-usernames.ts';
import { emailTaken, takeAccount } from './take-account.ts';
import { administeredUserById, users } from './user.ts';

export const createUser = endpoint({
  operation: 'users.create',
  section: '§1',
  summary: 'Create an account',
  method: 'POST',
  paths: ['/admin/users'],
  subject: site,
  needs: policy['site:administer'],
  holds: null,
  body: documentBody(users, { required: ['username', 'email'] }),
  answer: { status: 201, document: users, reads: administeredUserById },
  errors: ['username-taken', 'email-taken'],
  check: async ({ sql, body: { attributes }, faults }) => {
    faults.push(...(await takenFaults(sql, attributes)));
  },
  handle: async ({ sql, body: { attributes } }) => {
    const userId = await takeAccount(sql, {
      id: newId('user'),
      username: attributes.username,
      email: attributes.email,
      is_admin: attributes['is-admin'] ?? false,
    });
    await claimUsername(sql, userId, attributes.username!);
    return userId;
  },
});

/** Both faults at once; what is taken between here and the insert, its constraints find. */
async function takenFaults(sql: Sql, { username, email }: { username?: string; email?: string }): Promise<Fault[]> {
  const [taken] = await sql<{ username: boolean; email: boolean }[]>`
    select
      exists (select from users where users.username = ${username ?? ''}) as username,
      exists (
        select from users
        where lower(users.email) = lower(${email ?? ''}) and not users.is_service_account and users.username is not null
      ) as email`;
  const faults: Fault[] = [];
  if (taken!.username) faults.push(faultAt('username-taken', '/data/attributes/username'));
  if (taken!.email) faults.push(emailTaken);
  return faults;
}
