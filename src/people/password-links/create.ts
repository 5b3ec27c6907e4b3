/** §1 Make a one-time link for an account, as a site administrator: for a new one, or where the password was lost. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { sendsMail } from '../mail/mail.ts';
import { organizationsOf, userById } from '../users/user.ts';
import { mailLink } from './letter.ts';
import { issueLink, passwordLinks } from './password-link.ts';

export const createPasswordLink = endpoint({
  operation: 'password-links.create',
  section: '§1',
  summary: 'Make a one-time link by which a person sets a password',
  method: 'POST',
  paths: ['/admin/users/:user_id/password-links'],
  subject: userById,
  needs: policy['user:administer'],
  answer: { status: 201, document: passwordLinks },
  handle: async ({ sql, config, deployment, actor, subject, alsoIn, afterwards }) => {
    const link = await issueLink(sql, config, { id: subject.id, username: subject.username! });
    if (actor.userId !== subject.id) alsoIn(await organizationsOf(sql, subject.id));
    if (sendsMail(config)) afterwards(() => mailLink(config, deployment.publicUrl, subject.email, link));
    return link;
  },
});
