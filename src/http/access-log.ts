/** One line of the log for each request: what was asked for, by whom, and what it cost. Never what is secret in it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import pino from 'pino';
import type { Config } from '../core/config.ts';
import { operationOf } from './metrics/operation.ts';

/** What balancers and collectors ask every few seconds is no news. */
const quiet = new Set(['health', 'readiness', 'metrics']);

export function logRequests(app: FastifyInstance, { accessLog, logLevel }: Config): void {
  if (accessLog === 'silent') return;
  const lowest = pino.levels.values[logLevel] ?? Number.POSITIVE_INFINITY;
  app.addHook('onResponse', async (request, reply) => {
    const operation = operationOf(request);
    const level = quiet.has(operation) ? 'debug' : accessLog;
    // Nothing is put together for a line that nobody gets.
    if (pino.levels.values[level]! >= lowest) request.log[level](line(operation, request, reply), 'request');
  });
}

function line(operation: string, request: FastifyRequest, reply: FastifyReply): object {
  const { method, caller, asker, trace } = request;
  return {
    operation,
    method,
    ...address(request),
    status: reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime * 100) / 100,
    statements: asker?.statements ?? 0,
    actor: caller?.credential ? caller.actor.userId : null,
    ...(trace && { trace: trace.traceId, span: trace.spanId }),
  };
}

/** An address as logs may have it: signatures, and tokens that somebody sends there by mistake, stand in it. */
function address({ url, is404, routeOptions }: FastifyRequest): { path: string; parameters?: string[] } {
  const [asked, query] = url.split('?', 2) as [string, string?];
  // Of addresses of content, only the form: some bear their signature in the path.
  const path = asked.toLowerCase().includes('_blobs') || asked.includes('%') ? formOf(is404, routeOptions.url) : asked;
  const shown = path.slice(0, loggedPathLength);
  if (!query) return { path: shown };
  const names = query.split('&', loggedNames).map(member => member.split('=', 1)[0]!.slice(0, loggedNameLength));
  return { path: shown, parameters: names };
}

const formOf = (is404: boolean, route: string | undefined) => (is404 ? '?' : (route ?? '?'));

/** Longer than any path and the name of any parameter that there is, and more of these than anybody sends. */
const loggedPathLength = 512;
const loggedNameLength = 64;
const loggedNames = 50;
