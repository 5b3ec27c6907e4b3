/** What a request is called where requests are counted: there are as many names as operations, whatever is asked for. */
import type { FastifyRequest } from 'fastify';
import type { RouteConfig } from '../bounds.ts';

/** The addresses that no endpoint has. */
const others: Record<string, string> = {
  '/': 'web',
  '/app': 'web',
  '/app/*': 'web',
  '/docs': 'docs',
  '/docs/*': 'docs',
  '/healthz': 'health',
  '/readyz': 'readiness',
  '/metrics': 'metrics',
  '/api/v2/ping': 'ping',
  '/api/v2/openapi.json': 'openapi',
  '/.well-known/terraform.json': 'discovery',
  '/oauth/authorize': 'oauth.authorize',
  '/oauth/token': 'oauth.token',
  '/sso/:provider': 'sso.begin',
  '/sso/:provider/callback': 'sso.callback',
  '/sso/:provider/assertions': 'sso.assertions',
  '/sso/:provider/finish': 'sso.finish',
  '/sso/:provider/metadata': 'sso.metadata',
};

/** `none` where nothing is at the address. */
export function operationOf({ is404, routeOptions }: FastifyRequest): string {
  if (is404) return 'none';
  return (routeOptions.config as RouteConfig).operation ?? others[routeOptions.url!] ?? 'other';
}
