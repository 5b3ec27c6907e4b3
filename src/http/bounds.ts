/** What one caller, and all of them together, may have under way; and how long a body may take to come. */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../core/errors.ts';
import type { Services } from '../core/jsonapi/context.ts';
import type { SignaturePlace } from '../core/jsonapi/fields.ts';
import { limits } from '../core/limits.ts';
import type { Asker } from '../core/store/store.ts';

/** Counts what is under way, by key and altogether. */
export interface Counter {
  /** Takes `amount` more for this key, to be given back; throws where the key, or the server, has no room for it. */
  take: (key: string, amount: number) => void;
  /** Counts one of the first key for the second one: whoever turns out to be somebody takes no second place meanwhile. */
  move: (from: string, to: string) => void;
  /** What this key has taken. */
  takenBy: (key: string) => number;
  giveBack: (key: string, amount: number) => void;
}

export function counter(mostOfOne: number, mostOfAll: number): Counter {
  const taken = new Map<string, number>();
  let all = 0;
  const takenBy = (key: string) => taken.get(key) ?? 0;
  const set = (key: string, own: number) => void (own > 0 ? taken.set(key, own) : taken.delete(key));
  const requireRoom = (key: string, amount: number) => {
    if (takenBy(key) + amount > mostOfOne) throw new ApiError('too-many-requests');
  };
  return {
    take: (key, amount) => {
      requireRoom(key, amount);
      if (all + amount > mostOfAll) throw new ApiError('server-busy');
      set(key, takenBy(key) + amount);
      all += amount;
    },
    move: (from, to) => {
      requireRoom(to, 1);
      set(from, takenBy(from) - 1);
      set(to, takenBy(to) + 1);
    },
    takenBy,
    giveBack: (key, amount) => {
      set(key, takenBy(key) - amount);
      all -= amount;
    },
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Does something once the request is over, whichever way it ends; at once where it is over already. */
    atEnd: (work: () => void) => void;
    /** Whose queue this request's statements wait in, and whether anybody still waits for its answer. */
    asker: Asker | undefined;
    /** The account or the address that has this request under way. */
    countedFor: string | null;
  }
}

/** Does what a request leaves to its end when its answer is sent, or its connection gone. */
export function endRequests(app: FastifyInstance): void {
  app.decorateRequest('atEnd');
  app.decorateRequest('asker');
  app.decorateRequest('countedFor', null);
  app.addHook('onRequest', async (request, reply) => {
    let atEnd: (() => void)[] | null = [];
    request.atEnd = work => void (atEnd ? atEnd.push(work) : work());
    const asker = { caller: request.ip, hasLeft: false, statements: 0 };
    request.asker = asker;
    whenOver(request, reply, () => {
      asker.hasLeft = true;
      const all = atEnd ?? [];
      atEnd = null;
      for (const work of all) finish(work, request);
      endUnread(request.raw);
    });
  });
}

/** What one piece of work fails at keeps nobody from the others: each gives back what was taken. */
function finish(work: () => void, request: FastifyRequest): void {
  try {
    work();
  } catch (fault) {
    request.log.error(fault, 'a request did not end as it should');
  }
}

/** By connection: what is to be done for those of its requests that are not over. */
const ends = new WeakMap<Socket, Set<() => void>>();

/** Node tells an answer that waits behind another one nothing of the end of their connection: so that is watched, too. */
function whenOver({ raw: { socket } }: FastifyRequest, reply: FastifyReply, work: () => void): void {
  const known = ends.get(socket);
  const underWay = known ?? new Set();
  if (!known) {
    ends.set(socket, underWay);
    socket.once('close', () => {
      for (const end of underWay) end();
    });
  }
  const end = () => {
    if (underWay.delete(end)) work();
  };
  underWay.add(end);
  reply.raw.once('close', end);
}

/** A request may be answered before all of it has come. The rest is read, so that its sender sees the answer, but not for ever. */
function endUnread(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), limits.bodyTime_ms.value).unref();
  request.once('close', () => clearTimeout(timer));
  if (isLast(request)) request.once('end', () => request.socket.end());
}

/** Whether its sender wants the connection to end behind it. */
const isLast = ({ headers: { connection = '' }, httpVersion }: IncomingMessage) =>
  /\bclose\b/i.test(connection) || (httpVersion === '1.0' && !/\bkeep-alive\b/i.test(connection));

/** Keeps the connection until all has come: who is still sending when it ends never sees the answer. */
export function keepUntilRead({ raw: request }: FastifyRequest, { raw: reply }: FastifyReply): void {
  if (!request.complete && isLast(request)) reply.shouldKeepAlive = true;
}

/** Whom a request counts for: an account, whichever of its tokens it uses, or an address that nobody is known by. */
export const callerKey = ({ caller, ip }: FastifyRequest): string => (caller?.credential ? caller.actor.userId : ip);

/**
 * Refuses a request of a caller who has too many under way, and says how many those are. To be asked again once somebody is
 * known by name.
 */
export function boundRequests(): (request: FastifyRequest, caller: string) => number {
  const underWay = counter(limits.callerRequests_items.value, limits.requests_items.value);
  return (request, caller) => {
    const before = request.countedFor;
    // What a request takes after its end, nobody would give back.
    if (before === caller || request.asker?.hasLeft) return underWay.takenBy(caller);
    if (before === null) underWay.take(caller, 1);
    else underWay.move(before, caller);
    request.countedFor = caller;
    if (request.asker) request.asker.caller = caller;
    if (before === null) request.atEnd(() => underWay.giveBack(request.countedFor!, 1));
    return underWay.takenBy(caller);
  };
}

/** Takes a place for a long body that is about to be read, and returns what gives it back. Throws where there is none. */
export type Places = (caller: string) => () => void;

/** What every decision needs, and what only the edge knows. */
export interface Edge extends Services {
  places: Places;
}

/** How many long bodies one caller, and all together, may have on their way: what each holds in memory is bounded. */
export function placesForLongBodies(): Places {
  const underWay = counter(limits.callerLongBodies_items.value, limits.longBodies_items.value);
  return caller => {
    underWay.take(caller, 1);
    return () => underWay.giveBack(caller, 1);
  };
}

/** Whether a body is no longer than any other, where it might be: it then takes none of the places for long ones. */
export function isShort({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= limits.body_bytes.value;
}

/** Bounds the bodies that are held in memory until they are judged, and the time that each may take to come. */
export function boundBodies(app: FastifyInstance): void {
  const held = counter(limits.callerBodies_bytes.value, limits.bodies_bytes.value);
  app.addHook('preParsing', async (request, _reply, payload) => {
    // Nobody reads the body of a question, however long that is answered.
    if (request.method === 'GET' || request.method === 'HEAD') return;
    // Long bodies are taken in piece by piece, each in its own time.
    if ((request.routeOptions.config as RouteConfig).isLong && !(request.caller && isShort(request.raw))) return;
    const { 'content-length': declared, 'transfer-encoding': inPieces } = request.headers;
    const size = Math.min(inPieces ? Number.POSITIVE_INFINITY : Number(declared ?? 0), limits.body_bytes.value);
    if (size === 0) return;
    const caller = callerKey(request);
    held.take(caller, size);
    // Who reads the body is told that it broke off; the connection stays, so that the caller is told, too.
    const late = () => tellReader(payload, Object.assign(new ApiError('request-too-slow'), { statusCode: 408 }));
    const timer = setTimeout(late, limits.bodyTime_ms.value);
    payload.once('end', () => clearTimeout(timer));
    request.atEnd(() => {
      clearTimeout(timer);
      held.giveBack(caller, size);
    });
  });
}

/** A stream whose fault nobody listens to would end the server with it. */
export function tellReader(stream: EventEmitter, fault: Error): void {
  if (stream.listenerCount('error') > 0) stream.emit('error', fault);
}

export interface RouteConfig {
  /** Of the endpoint, transfer or call that it leads to. */
  operation?: string;
  /** Whether the endpoint receives its body itself. */
  isLong?: boolean;
  /** Whether callers need to show nothing. */
  isOpen?: boolean;
  /** Whether its callers wait while the database is away. */
  isPatient?: boolean;
  /** Whether 204 says that the server cannot answer at the moment. */
  isAwaited?: boolean;
  /** Whether it is the address itself that callers show, what it was signed for, and where the signature stands. */
  signed?: { method: string; place: SignaturePlace };
}
