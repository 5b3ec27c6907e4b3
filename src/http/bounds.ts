/** What one caller, and all of them together, may have under way; and how long a body may take to come. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';

/** Counts what is under way, by key and altogether. */
export interface Counter {
  /** Whether there was room for `amount` more of this key. What was taken is to be given back. */
  take: (key: string, amount: number) => boolean;
  giveBack: (key: string, amount: number) => void;
}

export function counter(mostOfOne: number, mostOfAll: number): Counter {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take: (key, amount) => {
      const own = (taken.get(key) ?? 0) + amount;
      if (own > mostOfOne || all + amount > mostOfAll) return false;
      taken.set(key, own);
      all += amount;
      return true;
    },
    giveBack: (key, amount) => {
      const own = (taken.get(key) ?? 0) - amount;
      if (own > 0) taken.set(key, own);
      else taken.delete(key);
      all -= amount;
    },
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What is given back once the request is over, whichever way it ends. */
    atEnd: (() => void)[];
  }
}

/** Runs what a request has put into `atEnd` when its answer is sent, or its connection gone. */
export function endRequests(app: FastifyInstance): void {
  app.decorateRequest('atEnd');
  app.addHook('onRequest', async (request, reply) => {
    request.atEnd = [];
    reply.raw.once('close', () => {
      for (const end of request.atEnd.splice(0)) end();
    });
  });
}

/** Refuses a request of a caller who has too many under way. */
export function boundRequests(): (request: FastifyRequest, caller: string) => void {
  const underWay = counter(limits.callerRequests_items.value, limits.requests_items.value);
  return (request, caller) => {
    if (!underWay.take(caller, 1)) throw new ApiError('too-many-requests');
    request.atEnd.push(() => underWay.giveBack(caller, 1));
  };
}

/** Bounds the bodies that are held in memory until they are judged, and the time that each may take to come. */
export function boundBodies(app: FastifyInstance): void {
  const held = counter(limits.bodies_bytes.value, limits.bodies_bytes.value);
  app.addHook('preParsing', async (request, _reply, payload) => {
    // Long bodies are taken in piece by piece, each in its own time.
    if ((request.routeOptions.config as RouteConfig).isLong) return;
    const declared = Number(request.headers['content-length'] ?? limits.body_bytes.value);
    const size = Math.min(declared, limits.body_bytes.value);
    if (size === 0) return;
    if (!held.take('', size)) throw new ApiError('server-busy');
    // Who reads the body is told that it broke off; the connection stays, so that the caller is told, too.
    const late = () => payload.emit('error', Object.assign(new ApiError('request-too-slow'), { statusCode: 408 }));
    const timer = setTimeout(late, limits.bodyTime_ms.value);
    payload.once('end', () => clearTimeout(timer));
    request.atEnd.push(() => {
      clearTimeout(timer);
      held.giveBack('', size);
    });
  });
}

export interface RouteConfig {
  /** Whether the endpoint receives its body itself. */
  isLong?: boolean;
}
