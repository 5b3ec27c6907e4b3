/** Where metrics are read: at a port of their own, or at the server for who shows the token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../core/config.ts';
import { ApiError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Store } from '../../core/store/store.ts';
import { type Metrics, measureRequests } from './metrics.ts';

const path = '/metrics';

/** Begins to count where the configuration says so; without a port for them, they are read at the server. */
export function tellMetrics(app: FastifyInstance, { metricsPort, metricsToken }: Config, store: Store): void {
  const isWanted = metricsPort !== undefined || metricsToken !== undefined;
  const metrics = isWanted ? measureRequests(app, store) : null;
  app.decorate('metrics', metrics);
  if (!metrics || metricsPort !== undefined) return;
  app.get(path, async (request, reply) => {
    // As if nothing were there: it is nobody's business that metrics are kept.
    if (!mayRead(request.headers.authorization, metricsToken)) throw new ApiError('not-found');
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text());
  });
}

/** Listens at the port for metrics until the returned function is called. Throws what the system says against it. */
export async function listenForMetrics(
  metrics: Pick<Metrics, 'contentType' | 'text'>,
  { metricsHost, metricsPort, metricsToken }: Config,
): Promise<{ port: number; close: () => Promise<void> }> {
  const time_ms = limits.headersTime_ms.value;
  const times = { requestTimeout: time_ms, headersTimeout: time_ms };
  const server = createServer(times, (request, response) => {
    answer(request, response, metrics, metricsToken).catch(() => response.destroy());
  });
  server.maxConnections = limits.watchers_items.value;
  server.listen(metricsPort, metricsHost);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  metrics: Pick<Metrics, 'contentType' | 'text'>,
  token: string | undefined,
): Promise<void> {
  const plain = (status: number, text: string) =>
    response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
  if (request.url?.split('?', 1)[0] !== path) return void plain(404, `There is ${path} here and nothing else.\n`);
  if (request.method !== 'GET' && request.method !== 'HEAD') return void plain(405, 'Metrics are only read.\n');
  if (token !== undefined && !mayRead(request.headers.authorization, token))
    return void plain(401, 'Show the token of TERRANE_METRICS_TOKEN as "Authorization: Bearer".\n');
  const text = await metrics.text();
  response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(text);
}

/** Compared by their digests, which have one length, in one time. */
function mayRead(authorization: string | undefined, token: string | undefined): boolean {
  const shown = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  return shown !== undefined && token !== undefined && timingSafeEqual(digest(shown), digest(token));
}

const digest = (text: string) => createHash('sha256').update(text).digest();
