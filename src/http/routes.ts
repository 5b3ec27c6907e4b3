/** From the tables of endpoints and transfers to routes: receive, decide, answer. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSigned } from '../core/blobs/signed-path.ts';
import { ApiError } from '../core/errors.ts';
import { decide } from '../core/jsonapi/decide.ts';
import type { AnyEndpoint } from '../core/jsonapi/endpoint.ts';
import { inspectParams } from '../core/jsonapi/guard.ts';
import type { RawQuery } from '../core/jsonapi/query.ts';
import type { Params } from '../core/jsonapi/records.ts';
import { readAhead, type Transfer } from '../core/jsonapi/transfer.ts';
import { mediaType, type Presentation, send } from './answer.ts';
import type { RouteConfig } from './bounds.ts';
import { incoming } from './incoming.ts';
import { receive } from './receive.ts';

/** Adds the routes of every endpoint that this deployment has (§9). Long bodies stay streams until their caller is let in. */
export function mount(app: FastifyInstance, endpoints: readonly AnyEndpoint[], presentation: Presentation): void {
  const present = endpoints.filter(one => one.when?.(presentation.deployment) !== false);
  for (const one of present.filter(one => !one.receives)) addRoutes(app, one, presentation);
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(mediaType, (_request, payload, done) => done(null, payload));
    for (const one of present.filter(one => one.receives)) addRoutes(scope, one, presentation);
  });
}

function addRoutes(app: FastifyInstance, one: AnyEndpoint, presentation: Presentation): void {
  for (const path of one.paths) {
    app.route({
      method: one.method,
      url: `/api/v2${path}`,
      config: { isLong: one.receives !== undefined, isOpen: one.isOpen === true } satisfies RouteConfig,
      handler: (request, reply) => serve(one, request, reply, presentation),
    });
  }
}

async function serve(
  one: AnyEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  presentation: Presentation,
): Promise<FastifyReply> {
  const received = receive(one, request, presentation.config);
  const decision = await decide(one, received, presentation);
  return send(one, decision, received, reply, presentation);
}

/** Adds the routes of content: their bodies stay streams, and their addresses are signed instead of asking for a token. */
export function mountTransfers(app: FastifyInstance, transfers: readonly Transfer[], presentation: Presentation): void {
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const one of transfers) {
      scope.route({
        method: one.method,
        url: one.path,
        config: { isLong: true } satisfies RouteConfig,
        handler: (request, reply) => transfer(one, request, reply, presentation),
      });
    }
  });
}

async function transfer(
  one: Transfer,
  request: FastifyRequest,
  reply: FastifyReply,
  { config, deployment, store }: Presentation,
): Promise<FastifyReply> {
  const params = request.params as Params;
  inspectParams(params);
  const query = request.query as RawQuery;
  const path = request.url.split('?', 1)[0]!;
  if (!isSigned(config.tokenPepper ?? '', one.method, path, query)) throw new ApiError('address-not-signed');
  const download = await one.handle({
    params,
    query,
    source: incoming(request.raw, one.limitBytes?.(config) ?? 0).pieces,
    store,
    config,
    deployment,
    requestId: request.id,
    remoteAddress: request.ip,
  });
  reply.header('cache-control', 'no-store');
  if (!download) return reply.code(200).send();
  const content = await readAhead(download.content);
  reply.header('content-type', download.mediaType).header('content-length', download.sizeBytes);
  return reply.send(content instanceof Buffer ? content : Readable.from(content, { objectMode: false }));
}
