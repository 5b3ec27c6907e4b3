/** List the tokens of an organization's connections: all of them, unless pages are asked for. */

import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { oauthTokenPage, oauthTokens } from './oauth-token.ts';

export const listOauthTokens = endpoint({
  operation: 'oauth-tokens.list',
  section: '§4.2',
  summary: "List the tokens of an organization's connections to version control",
  method: 'GET',
  paths: ['/organizations/:organization_name/oauth-tokens'],
  subject: organizationByName,
  needs: policy['organization:list-oauth-clients'],
  include: ['oauth-client'],
  answer: { status: 200, collection: oauthTokens, pages: 'when-asked' },
  handle: context =>
    oauthTokenPage(context, context.sql`oauth_clients.organization_id = ${context.subject.organization_id}`),
});
