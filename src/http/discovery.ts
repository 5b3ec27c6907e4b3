/** What clients ask before anything else: service discovery, ping, and the health of this server. No token needed. */
import type { Config } from '../core/config.ts';
import type { Deployment } from '../core/jsonapi/fields.ts';
import { schemaVersion } from '../core/store/migrate.ts';
import type { Store } from '../core/store/store.ts';
import { loginClient } from '../people/terraform-login/client.ts';

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
  '/oauth/authorize': {
    ...atRoot,
    get: {
      operationId: 'oauth-authorize',
      summary: 'To the page that asks whether the command line may have a token',
      security: [],
      responses: { 303: { description: 'The page of the interface' } },
    },
  },
  '/oauth/token': {
    ...atRoot,
    post: {
      operationId: 'oauth-token',
      summary: 'Trade the code of a login for a token',
      security: [],
      requestBody: {
        required: true,
        content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } },
      },
      responses: { 200: json('The token'), 400: json('Why there is none') },
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

/** What service discovery answers: `terraform login` opens the page that asks for consent. */
export const discovery = {
  ...services,
  'login.v1': { ...loginClient, authz: '/oauth/authorize', token: '/oauth/token' },
} as const;

/** On every answer: content is what it says that it is, and where the server speaks https alone, so shall the browser. */
export function safetyHeaders({ tlsKey }: Config): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    ...(tlsKey && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/** On every answer of the API: the version that the `cloud` block asks for, and the name that messages show. */
export function clientHeaders({ edition }: Deployment): Record<string, string> {
  return {
    'tfp-api-version': '2.6',
    'tfp-appname': edition === 'hosted' ? 'HCP Terraform' : 'Terraform Enterprise',
  };
}

/** On the answer to a ping: the release too, and the limit that clients pace themselves by. */
export function pingHeaders(deployment: Deployment, { rateLimitPerSecond }: Config): Record<string, string> {
  return {
    ...clientHeaders(deployment),
    ...(deployment.edition === 'self-hosted' && { 'x-tfe-version': `v${deployment.release}` }),
    ...(rateLimitPerSecond > 0 && { 'x-ratelimit-limit': String(rateLimitPerSecond) }),
  };
}

/** Whether requests can be answered: the database is there with its schema. `fault` says why not. */
export async function readiness(store: Store): Promise<{ status: string; schema?: number; fault?: unknown }> {
  try {
    const schema = await schemaVersion(store.health);
    if (schema > 0) return { status: 'ready', schema };
    return { status: 'database without schema', fault: new Error('The database has no schema: nobody migrated it.') };
  } catch (fault) {
    return { status: 'database unavailable', fault };
  }
}
