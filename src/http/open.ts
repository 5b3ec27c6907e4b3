/** What needs no token: ping, service discovery, the description of the API, and the two questions of balancers. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Services } from '../core/jsonapi/context.ts';
import { openApiDocument } from '../core/jsonapi/openapi.ts';
import { agentPathItems } from './agents.ts';
import { type BuiltFile, builtFile, compressed, sendBuilt } from './built-file.ts';
import { discovery, openPathItems, pingHeaders, readiness } from './discovery.ts';
import { endpoints, resources } from './endpoints.ts';
import { singleSignOnPathItems } from './single-sign-on-paths.ts';
import { webhookPathItems } from './webhooks.ts';

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
  // Written when first asked for, and once: it is half a megabyte.
  let description: Promise<BuiltFile> | undefined;
  const turns = oneAtATime();
  app.get('/api/v2/openapi.json', async (request, reply) => {
    await turns(request);
    description ??= described(deployment);
    return sendBuilt(await description, request, reply);
  });
}

async function described(deployment: Services['deployment']): Promise<BuiltFile> {
  const others = { ...openPathItems, ...singleSignOnPathItems, ...webhookPathItems, ...agentPathItems() };
  const bytes = Buffer.from(JSON.stringify(openApiDocument(endpoints, resources, deployment, others)));
  return builtFile(bytes, json, await compressed(bytes));
}

/** Waits until nothing is on its way to the same address: whoever asks for many at once leaves room between two of them. */
function oneAtATime(): (request: FastifyRequest) => Promise<void> {
  const last = new Map<string, Promise<void>>();
  return async request => {
    const before = last.get(request.ip);
    // Whoever has left already is over at once.
    const own = new Promise<void>(resolve => request.atEnd(resolve));
    last.set(request.ip, own);
    void own.then(() => last.get(request.ip) === own && last.delete(request.ip));
    await before;
  };
}
