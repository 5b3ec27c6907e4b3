/** What needs no token: ping, service discovery, the description of the API, and the two questions of balancers. */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../core/jsonapi/decide.ts';
import { openApiDocument } from '../core/jsonapi/openapi.ts';
import { agentPathItems } from './agents.ts';
import { discovery, openPathItems, pingHeaders, readiness } from './discovery.ts';
import { endpoints, resources } from './endpoints.ts';

const json = 'application/json';

export function answerOpenly(app: FastifyInstance, { config, deployment, store }: Services): void {
  app.get('/api/v2/ping', (_request, reply) => reply.code(204).headers(pingHeaders(deployment, config)).send());
  app.get('/.well-known/terraform.json', (_request, reply) => reply.type(json).send(discovery));
  app.get('/healthz', (_request, reply) => reply.type(json).send({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    if (app.going.aborted) return reply.code(503).type(json).send({ status: 'draining' });
    const { fault, ...document } = await readiness(store);
    if (fault) app.log.warn(fault, 'not ready');
    return reply
      .code(fault ? 503 : 200)
      .type(json)
      .send(document);
  });
  // Written when first asked for, and once: it is over a megabyte.
  let description: { bytes: Buffer; etag: string } | undefined;
  app.get('/api/v2/openapi.json', (request, reply) => {
    description ??= described(deployment);
    reply.header('etag', description.etag).header('cache-control', 'no-cache');
    if (request.headers['if-none-match'] === description.etag) return reply.code(304).send();
    return reply.type(json).send(description.bytes);
  });
}

function described(deployment: Services['deployment']): { bytes: Buffer; etag: string } {
  const others = { ...openPathItems, ...agentPathItems() };
  const bytes = Buffer.from(JSON.stringify(openApiDocument(endpoints, resources, deployment, others)));
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}
