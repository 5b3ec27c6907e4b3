/** Where hosts of code tell of pushes and pull requests. Their signature is all that they show. */
import type { FastifyInstance } from 'fastify';
import type { Delivery } from '../connections/forges/forge.ts';
import type { Services } from '../core/jsonapi/context.ts';
import { inspectParams } from '../core/jsonapi/guard.ts';
import { type Taken, takeDelivery } from '../runs/webhook-deliveries/take.ts';
import type { RouteConfig } from './bounds.ts';

const status: Record<Taken, number> = { new: 202, nothing: 204, known: 200 };

export function answerWebhooks(app: FastifyInstance, { config, store }: Services): void {
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.route<{ Params: { oauth_client_id: string } }>({
      method: 'POST',
      url: '/webhooks/vcs/:oauth_client_id',
      config: { operation: 'webhook-deliveries.take' } satisfies RouteConfig,
      handler: async (request, reply) => {
        inspectParams(request.params);
        const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
        const delivery = { headers: request.headers as Delivery['headers'], body };
        const { oauth_client_id: id } = request.params;
        const taken = await takeDelivery(store.askedBy(request.asker!), config, id, delivery);
        return reply.code(status[taken]).header('cache-control', 'no-store').send();
      },
    });
  });
}

/** What the description of the API says of it. */
export const webhookPathItems = {
  '/webhooks/vcs/{oauth_client_id}': {
    servers: [{ url: '/' }],
    post: {
      operationId: 'webhook-deliveries-take',
      summary: 'Tell of a push or a pull request, signed with the secret of the connection',
      security: [],
      parameters: [{ name: 'oauth_client_id', in: 'path', required: true, schema: { type: 'string' } }],
      requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
      responses: {
        200: { description: 'It was taken before, and counts once' },
        202: { description: 'Taken: what follows is decided at once' },
        204: { description: 'Taken, and nothing follows from it' },
        404: { description: 'No such connection, or not signed with its secret' },
        422: { description: 'Signed, and not as documented' },
        429: { description: 'Too many within a minute' },
      },
    },
  },
};
