/** List the tokens of one connection: all of them, unless pages are asked for. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { oauthTokenPage, oauthTokens } from '../oauth-tokens/oauth-token.ts';
import { oauthClientById } from './oauth-client.ts';

export const listTokensOfClient = endpoint({
  operation: 'oauth-tokens.list-of-client',
  section: '§4.2',
  summary: 'List the tokens of a connection to version control',
  method: 'GET',
  paths: ['/oauth-clients/:oauth_client_id/oauth-tokens'],
  subject: oauthClientById,
  needs: policy['oauth-client:read'],
  answer: { status: 200, collection: oauthTokens, pages: 'when-asked' },
  handle: context => oauthTokenPage(context, context.sql`oauth_clients.id = ${context.subject.id}`),
});
