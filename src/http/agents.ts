/** The agents' door: routes of the calls that agents make. No JSON:API, and no way in with anybody else's token. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { protocolPath } from '../../agent/protocol.ts';
import { ApiError } from '../core/errors.ts';
import { valueBody } from '../core/jsonapi/body.ts';
import type { Services } from '../core/jsonapi/context.ts';
import { inspectParams, readJson } from '../core/jsonapi/guard.ts';
import type { RawQuery } from '../core/jsonapi/query.ts';
import type { Params } from '../core/jsonapi/records.ts';
import { limits } from '../core/limits.ts';
import type { AnyCall } from '../runs/door/call.ts';
import { agentCalls } from '../runs/door/calls.ts';
import type { AgentHolder } from '../runs/door/holders.ts';
import { signIn } from '../runs/door/sign-in.ts';
import { type Waiting, waitingAgents } from '../runs/door/waiting.ts';
import { type Counter, counter, isShort, type Places, placesForLongBodies, type RouteConfig } from './bounds.ts';
import { sendContent } from './content.ts';
import { incoming } from './incoming.ts';

export function mountAgentCalls(app: FastifyInstance, services: Services): void {
  const waiting = waitingAgents(services.store.askedBy({ caller: agents, hasLeft: false, statements: 0 }));
  app.addHook('preClose', async () => waiting.close());
  const underWay = counter(limits.callerRequests_items.value, limits.waitingAgents_items.value);
  const ofOrganizations = counter(limits.organizationWaitingAgents_items.value, Number.POSITIVE_INFINITY);
  // Of their own, so that many plans that end at once keep nobody's state waiting.
  const places = placesForLongBodies();
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const one of agentCalls) {
      scope.route({
        method: one.method,
        url: `${protocolPath}${one.path}`,
        config: { operation: one.operation, isLong: true } satisfies RouteConfig,
        handler: async (request, reply) => {
          const token = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
          const key = token ?? request.ip;
          underWay.take(key, 1);
          request.atEnd(() => underWay.giveBack(key, 1));
          return serve(one, token, request, reply, { ...services, places, waiting, ofOrganizations });
        },
      });
    }
  });
}

interface Serving extends Services {
  places: Places;
  waiting: Waiting;
  /** Agents of each that wait for a job. */
  ofOrganizations: Counter;
}

/** Whose statements wait in one queue: however many agents there are, people take turns with all of them together. */
const agents = 'agents';

async function serve(
  one: AnyCall,
  token: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  { config, deployment, store: all, places, waiting, ofOrganizations }: Serving,
): Promise<FastifyReply> {
  const params = (request.params ?? {}) as Params;
  inspectParams(params);
  request.asker!.caller = agents;
  const store = all.askedBy(request.asker!);
  const holder = await signIn(one.opens, store, config, token);
  const organization = one.waits ? (holder as AgentHolder).organizationId : null;
  if (organization !== null) {
    ofOrganizations.take(organization, 1);
    request.atEnd(() => ofOrganizations.giveBack(organization, 1));
  }
  const gone = new AbortController();
  request.atEnd(() => gone.abort());
  const answer = await one.handle({
    holder,
    value: one.body && (await valueIn(one, request.raw, deployment)),
    params,
    query: request.query as RawQuery,
    source: one.limitBytes ? contentOf(request.raw, one.limitBytes(config), () => places(token!)) : nothing(),
    store,
    config,
    deployment,
    waiting,
    gone: gone.signal,
    requestId: request.id,
    remoteAddress: request.ip,
  });
  reply.header('cache-control', 'no-store');
  if (!answer) return reply.code(204).send();
  if ('json' in answer) return reply.type('application/json').send(JSON.stringify(answer.json));
  return sendContent(answer.content, 'application/octet-stream', reply);
}

async function* nothing(): AsyncGenerator<Buffer> {}

/** What a piece of a log holds in memory is little; what an agent leaves behind takes a place, as any long body. */
const contentOf = (message: IncomingMessage, limitBytes: number, takePlace: () => () => void) =>
  incoming(message, limitBytes, ...(isShort(message) ? [] : [takePlace])).pieces;

/** Throws every fault of the body. */
async function valueIn(one: AnyCall, message: IncomingMessage, deployment: Services['deployment']): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming(message, limits.body_bytes.value).pieces) pieces.push(piece);
  const read = readJson(Buffer.concat(pieces));
  const { value, faults } = bodyOf(one).parse(read.json ?? {}, deployment);
  const all = [...read.faults, ...faults];
  if (all.length > 0) throw new ApiError(all);
  return value;
}

/** Compiled once for each call. */
const bodies = new Map<AnyCall, ReturnType<typeof valueBody>>();

function bodyOf(one: AnyCall) {
  const body = bodies.get(one) ?? valueBody(one.body!, json => json, {});
  bodies.set(one, body);
  return body;
}

/** What the OpenAPI document says of the calls. */
export function agentPathItems(): Record<string, object> {
  const items: Record<string, Record<string, object>> = {};
  for (const one of agentCalls) {
    const address = `${protocolPath}${one.path}`.replaceAll(/:(\w+)/g, '{$1}');
    const names = [...one.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
    const content = one.body ? { 'application/json': { schema: one.body } } : one.limitBytes && bytes;
    items[address] = {
      servers: [{ url: '/' }] as object,
      ...items[address],
      [one.method.toLowerCase()]: {
        operationId: one.operation,
        summary: one.summary,
        parameters: names.map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
        ...(content && { requestBody: { required: true, content } }),
        responses: { 200: { description: 'Success' }, 204: { description: 'Success, without a body' } },
      },
    };
  }
  return items;
}
