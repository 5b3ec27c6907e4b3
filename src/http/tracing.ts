/** The part of each request in a trace: taken from its headers, told in its answer and its log, passed on to whom it asks. */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../core/config.ts';
import { newTrace, type Trace, traceOf, traceparent, within } from '../core/trace.ts';
import { operationOf } from './metrics/operation.ts';
import { openSpanExport } from './trace-export.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where the caller names none and nobody collects any. */
    trace: Trace | null;
  }
}

/** Requests are parts of the traces that they name; where traces are collected, one that names none begins one. */
export function traceRequests(app: FastifyInstance, config: Config): void {
  const isCollected = config.traceEndpoint !== undefined;
  app.decorateRequest('trace', null);
  app.addHook('onRequest', async (request, reply) => {
    const named = traceOf(request.headers.traceparent, request.headers.tracestate);
    const trace = named ?? (isCollected ? newTrace() : null);
    if (!trace) return;
    request.trace = trace;
    reply.header('traceresponse', traceparent(trace));
  });
  // After the body, since reading it would lose the trace, and before the handler, which is who asks others.
  app.addHook('preHandler', (request, _reply, done) => (request.trace ? within(request.trace, done) : done()));
  if (isCollected) exportSpans(app, config);
}

function exportSpans(app: FastifyInstance, config: Config): void {
  const exporting = openSpanExport(config, app.log);
  app.addHook('onResponse', async (request, reply) => {
    if (!request.trace?.isSampled) return;
    exporting.add({
      trace: request.trace,
      operation: operationOf(request),
      method: request.method,
      route: request.is404 ? null : request.routeOptions.url!,
      status: reply.statusCode,
      statements: request.asker?.statements ?? 0,
      actorId: request.caller?.credential ? request.caller.actor.userId : null,
      requestId: request.id,
      duration_ms: reply.elapsedTime,
    });
  });
  app.addHook('onClose', async () => exporting.close());
}
