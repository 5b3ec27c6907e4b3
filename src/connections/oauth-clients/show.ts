/** Show a connection to version control, without its secrets. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { oauthClientById, oauthClients } from './oauth-client.ts';

export const showOauthClient = endpoint({
  operation: 'oauth-clients.show',
  section: '§1',
  summary: 'Show a connection to version control',
  method: 'GET',
  paths: ['/oauth-clients/:oauth_client_id'],
  subject: oauthClientById,
  needs: policy['oauth-client:read'],
  include: ['oauth-tokens', 'projects'],
  answer: { status: 200, document: oauthClients },
  handle: ({ subject }) => subject,
});
