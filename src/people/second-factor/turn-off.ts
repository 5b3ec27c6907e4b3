/** §1 Turn somebody's second factor off, as a site administrator: where the app is lost, and the codes on paper too. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { administeredUserById, organizationsOf, users } from '../users/user.ts';
import { endSecondFactor } from './codes.ts';

export const disableSecondFactor = endpoint({
  operation: 'users.disable-second-factor',
  section: '§1',
  summary: 'Turn the second factor of an account off',
  method: 'POST',
  paths: ['/admin/users/:user_id/actions/disable_two_factor'],
  subject: administeredUserById,
  needs: policy['user:administer'],
  answer: { status: 200, document: users, reads: administeredUserById },
  handle: async ({ sql, actor, subject, alsoIn }) => {
    await endSecondFactor(sql, subject.id);
    if (actor.userId !== subject.id) alsoIn(await organizationsOf(sql, subject.id));
  },
});
