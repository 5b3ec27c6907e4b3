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
import { mediaType, send } from './answer.ts';
import type { Edge, RouteConfig } from './bounds.ts';
import { type Following, following } from './follow.ts';
import { incoming } from './incoming.ts';
import { receive } from './receive.ts';

/** Adds the routes of every endpoint that this deployment has (§9). Long bodies stay streams until their caller is let in. */
export function mount(app: FastifyInstance, endpoints: readonly AnyEndpoint[], services: Edge): void {
  const present = endpoints.filter(one => one.when?.(services.deployment) !== false);
  const mounting: Mounting = { present, services, follow: following(app, services) };
  for (const one of present.filter(one => !one.receives)) addRoutes(app, one, mounting);
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(mediaType, (_request, payload, done) => done(null, payload));
    for (const one of present.filter(one => one.receives)) addRoutes(scope, one, mounting);
  });
}

interface Mounting {
  present: readonly AnyEndpoint[];
  services: Edge;
  follow: Following;
}

function addRoutes(app: FastifyInstance, one: AnyEndpoint, { present, services, follow }: Mounting): void {
  for (const path of one.paths) {
    const shownBy = showing(path, present);
    app.route({
      method: one.method,
      url: `/api/v2${path}`,
      config: {
        operation: one.operation,
        isLong: one.receives !== undefined,
        isOpen: one.isOpen === true,
      } satisfies RouteConfig,
      handler: async (request, reply) => {
        const received = receive(one, shownBy, request, services);
        if (one.follows) return follow(one, received, request, reply);
        const asked = { ...services, store: services.store.askedBy(request.asker!) };
        const decision = await decide(one, received, asked);
        for (const work of decision.afterwards) {
          reply.raw.once(
            'close',
            () => void work(services.store).catch(fault => request.log.error(fault, `after ${one.operation}`)),
          );
        }
        return send(one, decision, received, reply, asked);
      },
    });
  }
}

/** The endpoint that shows the record of this address; for an action or a relationship, the record whose that is. */
function showing(path: string, present: readonly AnyEndpoint[]): AnyEndpoint | undefined {
  const shown = (address: string) =>
    present.find(({ method, paths, answer }) => method === 'GET' && 'document' in answer && paths.includes(address));
  return shown(path) ?? shown(path.replace(/\/(actions|relationships)\/[\w-]+$/, ''));
}

/** Adds the routes of content: their bodies stay streams, and their addresses are signed instead of asking for a token. */
export function mountTransfers(app: FastifyInstance, transfers: readonly Transfer[], services: Edge): void {
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const one of transfers) {
      scope.route({
        method: one.method,
        url: one.path,
        config: { operation: one.operation, isLong: true } satisfies RouteConfig,
        handler: (request, reply) => transfer(one, request, reply, services),
      });
    }
  });
}

async function transfer(
  one: Transfer,
  request: FastifyRequest,
  reply: FastifyReply,
  { config, deployment, store, callers, places }: Edge,
): Promise<FastifyReply> {
  const params = request.params as Params;
  inspectParams(params);
  const query = request.query as RawQuery;
  const path = request.url.split('?', 1)[0]!;
  const signed = one.isSignedInPath ? path.split('/').slice(0, -2).join('/') : path;
  if (!isSigned(config.tokenPepper ?? '', one.method, signed, one.isSignedInPath ? params : query))
    throw new ApiError('address-not-signed');
  // Whose upload it is turns out before the content is read.
  let holder = path;
  const download = await one.handle({
    params,
    query,
    source: incoming(request.raw, one.limitBytes?.(config) ?? 0, () => places(holder)).pieces,
    store: store.askedBy(request.asker!),
    config,
    deployment,
    actingFor: async (sql, accountId) => {
      const actor = await callers.account(sql, accountId);
      if (!actor) throw new ApiError('address-ended');
      holder = accountId;
      return actor;
    },
    requestId: request.id,
    remoteAddress: request.ip,
  });
  reply.header('cache-control', 'no-store');
  if (!download) return reply.code(200).send();
  const content = await readAhead(download.content);
  // Somebody's content is no page of ours: a browser keeps it as a file.
  if (!download.mediaType.startsWith('text/plain')) reply.header('content-disposition', 'attachment');
  reply.header('content-type', download.mediaType).header('content-length', download.sizeBytes);
  return reply.send(content instanceof Buffer ? content : Readable.from(content, { objectMode: false }));
}
