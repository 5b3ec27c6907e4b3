/** What clients ask before anything else: service discovery, ping, and the health of this server. No token needed. */
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { Deployment } from './jsonapi/fields.ts';
import { schemaVersion } from './store/migrate.ts';
import type { Store } from './store/store.ts';

const json = (description: string) => ({
  description,
  content: { 'application/json': { schema: { type: 'object' } } },
});
const atRoot = { servers: [{ url: '/' }] };

/** What the OpenAPI document says of the paths on this page, and of its own. */
export const openPathItems = {
  '/ping': {
    get: {
      operationId: 'ping',
      summary: 'Version, and the limit of requests',
      security: [],
      responses: { 204: { description: 'In the headers' } },
    },
  },
  '/openapi.json': {
    get: { operationId: 'openapi', summary: 'This description', security: [], responses: { 200: json('OpenAPI 3.1') } },
  },
  '/.well-known/terraform.json': {
    ...atRoot,
    get: {
      operationId: 'discovery',
      summary: 'Where each service lies',
      security: [],
      responses: { 200: json('Service → path') },
    },
  },
  '/healthz': {
    ...atRoot,
    get: {
      operationId: 'health',
      summary: 'Whether the process lives',
      security: [],
      responses: { 200: json('It does') },
    },
  },
  '/readyz': {
    ...atRoot,
    get: {
      operationId: 'readiness',
      summary: 'Whether requests can be served',
      security: [],
      responses: { 200: json('They can'), 503: json('The database is missing, or the server is closing') },
    },
  },
};

/** Service → path: every service of ours lies at one address. */
export const services = {
  'tfe.v2': '/api/v2/',
  'tfe.v2.1': '/api/v2/',
  'tfe.v2.2': '/api/v2/',
  'state.v2': '/api/v2/',
} as const;

/** `/.well-known/terraform.json`, where command lines look first. */
export function discovery(app: FastifyInstance): void {
  app.get('/.well-known/terraform.json', (_request, reply) => reply.type('application/json').send(services));
}

/** On every answer of the API: the version that the `cloud` block asks for, and the name that messages show. */
export function clientHeaders({ edition }: Deployment): Record<string, string> {
  return {
    'tfp-api-version': '2.6',
    'tfp-appname': edition === 'hosted' ? 'HCP Terraform' : 'Terraform Enterprise',
  };
}

/** 204 with the release, and the limit that clients pace themselves by. */
export function ping(app: FastifyInstance, deployment: Deployment, config: Config): void {
  app.get('/api/v2/ping', (_request, reply) => {
    reply.headers({
      ...clientHeaders(deployment),
      ...(deployment.edition === 'self-hosted' && { 'x-tfe-version': `v${deployment.release}` }),
      ...(config.rateLimitPerSecond > 0 && { 'x-ratelimit-limit': String(config.rateLimitPerSecond) }),
    });
    return reply.code(204).send();
  });
}

/** `/healthz`: the process. `/readyz`: the database and its schema; 503 from the moment that closing begins. */
export function health(app: FastifyInstance, store: Store): void {
  let isDraining = false;
  app.addHook('preClose', async () => {
    isDraining = true;
  });
  app.get('/healthz', (_request, reply) => reply.type('application/json').send({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    if (isDraining) return reply.code(503).type('application/json').send({ status: 'draining' });
    try {
      const version = await schemaVersion(store.read);
      return reply.type('application/json').send({ status: 'ready', schema: version });
    } catch (fault) {
      app.log.warn(fault, 'not ready');
      return reply.code(503).type('application/json').send({ status: 'database unavailable' });
    }
  });
}
