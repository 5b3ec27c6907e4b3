/** What a connection was told lately, the newest first: for whoever manages it. */
import { policy } from '../../access/policy.ts';
import { oauthClientById } from '../../connections/oauth-clients/oauth-client.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { limits } from '../../core/limits.ts';
import { webhookDeliveries, webhookDeliveryRecords } from './webhook-delivery.ts';

export const listWebhookDeliveries = endpoint({
  operation: 'webhook-deliveries.list',
  section: '§4.2',
  summary: 'List what a connection was told of its repositories, and what followed',
  method: 'GET',
  paths: ['/oauth-clients/:oauth_client_id/webhook-deliveries'],
  subject: oauthClientById,
  needs: policy['oauth-client:manage'],
  answer: { status: 200, collection: webhookDeliveries, pages: 'never' },
  handle: async ({ sql, actor, subject }) => {
    const newest = sql`order by webhook_deliveries.position desc limit ${limits.shownWebhooks_items.value}`;
    const condition = sql`webhook_deliveries.oauth_client_id = ${subject.id}`;
    const rows = await webhookDeliveryRecords.read(sql, actor, condition, newest);
    return { rows, total: rows.length };
  },
});

export const webhookDeliveryEndpoints = [listWebhookDeliveries];
