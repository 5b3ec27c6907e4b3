/** §1 By what people can sign in here: what a page needs to know before anybody has. */
import { Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { boolean, column, text } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { site } from '../../organizations/site/site.ts';
import { sendsMail } from '../mail/mail.ts';
import { allProviders } from '../sign-in-providers/provider.ts';

const provider = Type.Object({ label: text, address: text }, { additionalProperties: false });

export const signInOptions = resource({
  type: 'sign-in-options',
  attributes: {
    password: column(boolean),
    /** Whether a lost password is replaced by mail; otherwise a site administrator makes a link. */
    'lost-password-mail': column(boolean),
    /** Where people sign in by somebody else, each with the words of its button. */
    providers: column(Type.Array(provider)),
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
  handle: async ({ sql, config }) => ({
    id: 'sign-in-options',
    password: true,
    lost_password_mail: sendsMail(config),
    providers: (await allProviders(sql, config)).map(({ name, label }) => ({ label, address: `/sso/${name}` })),
  }),
});
