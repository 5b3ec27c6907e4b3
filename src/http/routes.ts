/** From the table of endpoints to routes: receive, decide, answer. */
import type { FastifyInstance } from 'fastify';
import { decide } from '../core/jsonapi/decide.ts';
import { type AnyEndpoint, routeOf } from '../core/jsonapi/endpoint.ts';
import { mediaType, send } from './answer.ts';
import type { Edge, RouteConfig } from './bounds.ts';
import { type Following, following } from './follow.ts';
import { receive } from './receive.ts';

/** Adds the routes of every endpoint that this deployment has (§9). Long bodies stay streams until their caller is let in. */
export function mount(app: FastifyInstance, endpoints: readonly AnyEndpoint[], services: Edge): void {
  const present = endpoints.filter(one => one.when?.(services.deployment) !== false);
  const mounting: Mounting = { present, services, follow: following(app) };
  for (const one of present.filter(one => !one.receives && !one.signed)) addRoutes(app, one, mounting);
  const mountStreams = (type: string, streamed: readonly AnyEndpoint[]) =>
    app.register(async scope => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(type, (_request, payload, done) => done(null, payload));
      for (const one of streamed) addRoutes(scope, one, mounting);
    });
  mountStreams(
    mediaType,
    present.filter(one => one.receives && !one.signed),
  );
  // Whoever sends content calls it what it likes.
  mountStreams(
    '*',
    present.filter(one => one.signed),
  );
}

interface Mounting {
  present: readonly AnyEndpoint[];
  services: Edge;
  follow: Following;
}

function addRoutes(app: FastifyInstance, one: AnyEndpoint, { present, services, follow }: Mounting): void {
  for (const path of one.paths) {
    const shownBy = showing(one.shownAt ?? path, present);
    app.route({
      method: one.method,
      url: routeOf(one, path),
      config: {
        operation: one.operation,
        isLong: one.receives !== undefined,
        isOpen: one.isOpen === true,
        isPatient: one.isPatient === true,
        isAwaited: one.isAwaited === true,
        ...(one.signed && { signed: { method: one.method, place: one.signed } }),
      } satisfies RouteConfig,
      handler: async (request, reply) => {
        reply.headers(one.headers ?? {});
        const received = receive(one, shownBy, request, services);
        const asked = { ...services, store: services.store.askedBy(request.asker!) };
        if (one.follows) return follow(one, received, asked, request, reply);
        const answer = async () => {
          const decision = await decide(one, received, asked);
          for (const work of decision.afterwards) {
            const report = (fault: unknown) => request.log.error(fault, `after ${one.operation}`);
            request.atEnd(() => void work(services.store).catch(report));
          }
          return send(one, decision, received, reply, asked);
        };
        return one.isPatient ? app.patiently(request, answer) : answer();
      },
    });
  }
}

/**
 * The endpoints that show what `If-Match` of this address may name: the record that is read there; else the list that is read
 * there as a whole, and the record whose action, relationship or list of tags it is.
 */
function showing(path: string, present: readonly AnyEndpoint[]): readonly AnyEndpoint[] {
  const readAt = (address: string) => present.find(({ method, paths }) => method === 'GET' && paths.includes(address));
  const own = readAt(path);
  if (own && 'document' in own.answer) return [own];
  const record = readAt(path.replace(/\/((actions|relationships)\/[\w-]+|tag-bindings)$/, ''));
  return [
    ...(own && 'collection' in own.answer && own.answer.pages === 'never' ? [own] : []),
    ...(record && 'document' in record.answer ? [record] : []),
  ];
}
