/**
 * Answers that are put off until there is something to tell, and answers that never end: both are the endpoint asked again
 * and again, so that its caller is let in anew before anything is told. When a permission ends, so does the stream.
 */

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, errorDocument } from '../core/errors.ts';
import type { Decision, Services } from '../core/jsonapi/context.ts';
import { decide } from '../core/jsonapi/decide.ts';
import type { AnyEndpoint, Collection, Follows } from '../core/jsonapi/endpoint.ts';
import { columnValue } from '../core/jsonapi/fields.ts';
import { single } from '../core/jsonapi/query.ts';
import { limits } from '../core/limits.ts';
import { send } from './answer.ts';
import { counter } from './bounds.ts';
import type { Received } from './receive.ts';

export type Following = (
  one: AnyEndpoint,
  received: Received,
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** How an endpoint that can be followed answers. */
export function following(app: FastifyInstance): Following {
  const open = counter(limits.callerStreams_items.value, limits.streams_items.value);
  return async (one, received, services, request, reply) => {
    const follows: Follows = one.follows!;
    const isStream = request.method === 'GET' && /\btext\/event-stream\b/.test(request.headers.accept ?? '');
    const seconds = follows.seconds(received.query as never);
    if (!isStream && seconds === 0) return send(one, await decide(one, received, services), received, reply, services);
    const caller = received.actor.userId;
    open.take(caller, 1);
    const gone = new AbortController();
    request.atEnd(() => {
      open.giveBack(caller, 1);
      gone.abort();
    });
    const signal = AbortSignal.any([gone.signal, app.going]);
    const round = rounds({ one, follows, services, signal }, isStream ? resumed(received, request, follows) : received);
    if (isStream) return stream(one, round, request, reply, { services, signal });
    const until_ms = Date.now() + seconds * 1000;
    let decision = await round(0);
    while (follows.isEmpty(decision.answer as Collection) && Date.now() < until_ms && !signal.aborted) {
      decision = await round(until_ms - Date.now());
    }
    return send(one, decision, received, reply, services);
  };
}

/** Where a browser says that its stream broke off. */
function resumed(received: Received, request: FastifyRequest, follows: Follows): Received {
  const last = single({ id: request.headers['last-event-id'] }, 'id');
  if (last === undefined) return received;
  return { ...received, query: follows.at(received.query as never, follows.readCursor(last)) };
}

interface Asking {
  one: AnyEndpoint;
  follows: Follows;
  services: Services;
  signal: AbortSignal;
}

type Round = (timeout_ms: number) => Promise<Decision>;

/** Each round waits for news behind the one before, up to the time given, and asks the endpoint again. */
function rounds({ one, follows, services, signal }: Asking, first: Received): Round {
  let received = first;
  let before: Decision | null = null;
  return async timeout_ms => {
    if (before && follows.isEmpty(before.answer as Collection)) {
      const cursor = follows.cursor(before.answer as Collection);
      await follows.news({ store: services.store, subject: before.subject, cursor, timeout_ms, signal });
    }
    const decision = await decide(one, received, services);
    const query = follows.at(received.query as never, follows.cursor(decision.answer as Collection));
    received = { ...received, query, actor: decision.actor, isCertain: false };
    before = decision;
    return decision;
  };
}

interface Streaming {
  services: Services;
  signal: AbortSignal;
}

/** Until the caller goes, may no more, or the server stops. The first round may still be refused like any request. */
async function stream(
  one: AnyEndpoint,
  round: Round,
  request: FastifyRequest,
  reply: FastifyReply,
  { services, signal }: Streaming,
): Promise<FastifyReply> {
  let decision = await round(0);
  const until_ms = Date.now() + limits.streamTime_ms.value;
  reply.hijack();
  const { raw } = reply;
  // Nothing follows a stream on its connection: a server that stops would wait for that.
  const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no', connection: 'close' };
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers });
  try {
    while (!signal.aborted && Date.now() < until_ms) {
      await write(raw, eventsOf(one, decision.answer as Collection, services), signal);
      decision = await round(limits.heartbeat_ms.value);
    }
  } catch (fault) {
    if (!(fault instanceof ApiError) && !signal.aborted) request.log.warn(fault, 'a stream ends');
    if (fault instanceof ApiError && !raw.destroyed) raw.write(`event: end\ndata: ${errorDocument(fault)}\n\n`);
  }
  raw.end();
  return reply;
}

/** Each with the place behind it; without any, only the place: that keeps the connection open, and is where to go on. */
function eventsOf({ follows, answer }: AnyEndpoint, collection: Collection, { registry }: Services): string {
  const { compiled } = registry.get((answer as { collection: { type: string } }).collection.type)!;
  const events = collection.rows.map(
    row => `id: ${columnValue(row, 'cursor')}\nevent: change\ndata: ${compiled.stringify(row)}\n\n`,
  );
  return `${events.join('')}id: ${follows!.cursor(collection)}\n\n`;
}

/** Waits where the caller reads slower than there is to tell; one who does not read at all is let go. */
async function write(raw: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (raw.write(text)) return;
  const late = AbortSignal.timeout(limits.heartbeat_ms.value);
  await once(raw, 'drain', { signal: AbortSignal.any([signal, late]) });
}
