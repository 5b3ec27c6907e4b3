/** The secret that signs what a connection is told of its repositories: made when it is asked for, and shown that once. */
import { randomBytes } from 'node:crypto';
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { computed, text } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { seal } from '../../core/store/secrets.ts';
import { oauthClientById, webhookUrl } from './oauth-client.ts';
import { secretContext } from './settings.ts';

interface WebhookSecret {
  id: string;
  secret: string;
}

export const webhookSecrets = resource({
  type: 'webhook-secrets',
  attributes: {
    secret: computed(text, (row: WebhookSecret) => row.secret),
    'webhook-url': computed(text, (row: WebhookSecret, deployment) => webhookUrl(row.id, deployment)),
  },
  relationships: {},
});

const secretBytes = 32;

/** The former one is believed no longer, from the commit on. */
export const rotateWebhookSecret = endpoint({
  operation: 'oauth-clients.rotate-webhook-secret',
  section: '§4.2',
  summary: 'Give the webhooks of a connection to version control a new secret',
  method: 'POST',
  paths: ['/oauth-clients/:oauth_client_id/actions/rotate-webhook-secret'],
  subject: oauthClientById,
  needs: policy['oauth-client:manage'],
  answer: { status: 200, document: webhookSecrets },
  handle: async ({ sql, subject: { id }, config, note }) => {
    const secret = randomBytes(secretBytes).toString('hex');
    const sealed = seal(config, secret, secretContext(id, 'webhook-secret'));
    await sql`update oauth_clients set sealed_webhook_secret = ${sealed} where oauth_clients.id = ${id}`;
    note({ secrets: ['webhook-secret changed'] });
    return { id, secret };
  },
});
