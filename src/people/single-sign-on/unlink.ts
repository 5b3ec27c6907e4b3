/** §1 End the links of an account to providers, as a site administrator: where a person was made anew at one. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { administeredUserById, organizationsOf, users } from '../users/user.ts';

export const unlinkSingleSignOn = endpoint({
  operation: 'users.unlink-single-sign-on',
  section: '§1',
  summary: 'End the links of an account to providers of single sign-on',
  method: 'POST',
  paths: ['/admin/users/:user_id/actions/unlink_single_sign_on'],
  subject: administeredUserById,
  needs: policy['user:administer'],
  answer: { status: 200, document: users, reads: administeredUserById },
  handle: async ({ sql, actor, subject, note, alsoIn }) => {
    const ended = await sql<{ issuer: string }[]>`
      delete from sign_in_identities where sign_in_identities.user_id = ${subject.id}
      returning sign_in_identities.issuer`;
    note({ unlinked: ended.map(({ issuer }) => issuer) });
    if (actor.userId !== subject.id) alsoIn(await organizationsOf(sql, subject.id));
  },
});
