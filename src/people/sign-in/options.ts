/** §1 By what people can sign in here: what a page needs to know before anybody has. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { boolean, column } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { site } from '../../organizations/site/site.ts';
import { sendsMail } from '../mail/mail.ts';

export const signInOptions = resource({
  type: 'sign-in-options',
  attributes: {
    password: column(boolean),
    /** Whether a lost password is replaced by mail; otherwise a site administrator makes a link. */
    'lost-password-mail': column(boolean),
  },
  relationships: {},
});

export const showSignInOptions = endpoint({
  operation: 'sign-in-options.show',
  section: '§1',
  summary: 'Show by what people can sign in',
  method: 'GET',
  paths: ['/sign-in-options'],
  subject: site,
  needs: policy['site:enter'],
  isOpen: true,
  answer: { status: 200, document: signInOptions },
  handle: ({ config }) => ({ id: 'sign-in-options', password: true, lost_password_mail: sendsMail(config) }),
});
