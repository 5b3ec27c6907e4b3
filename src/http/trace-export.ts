/**
 * Spans to a collector, as OTLP over HTTP in its JSON form: one span for each request. The packages that do the same for everything take
 * 28 MB; this much of the protocol is one object. What cannot be delivered is dropped, and never in the way of an answer.
 */
import { hostname } from 'node:os';
import type { Config } from '../core/config.ts';
import { limits } from '../core/limits.ts';
import { repeat } from '../core/repeat.ts';
import type { Trace } from '../core/trace.ts';

/** A request that was answered just now. */
export interface Span {
  trace: Trace;
  operation: string;
  method: string;
  /** The form of its address; null where nothing is there. */
  route: string | null;
  status: number;
  statements: number;
  actorId: string | null;
  requestId: string;
  duration_ms: number;
}

export interface SpanExport {
  add: (span: Span) => void;
  /** Delivers what is left. */
  close: () => Promise<void>;
}

interface Log {
  warn: (details: object, message: string) => void;
}

const interval_ms = 5000;
const batchSize = 512;

export function openSpanExport(config: Config, log: Log): SpanExport {
  let waiting: object[] = [];
  let dropped = 0;
  const flush = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize);
      waiting = waiting.slice(batchSize);
      await deliver(config, batch);
    }
    if (dropped > 0) log.warn({ dropped }, 'more spans than the collector takes: some were left out');
    dropped = 0;
  };
  const stop = repeat(interval_ms, flush, log, 'spans could not be delivered to OTEL_EXPORTER_OTLP_ENDPOINT');
  return {
    add: span => {
      if (waiting.length < limits.waitingSpans_items.value) waiting.push(written(span));
      else dropped += 1;
    },
    close: async () => {
      await stop();
      await flush().catch(err => log.warn({ err }, 'the last spans could not be delivered'));
    },
  };
}

async function deliver({ traceEndpoint, traceHeaders, serviceName }: Config, spans: object[]): Promise<void> {
  const resource = {
    attributes: [text('service.name', serviceName), text('service.instance.id', `${hostname()}:${process.pid}`)],
  };
  const answer = await fetch(`${traceEndpoint}/v1/traces`, {
    method: 'POST',
    headers: { ...traceHeaders, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'terrane' }, spans }] }] }),
    signal: AbortSignal.timeout(limits.spanDelivery_ms.value),
    redirect: 'error',
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`The collector answered ${answer.status}.`);
}

const serverKind = 2;
const errorCode = 2;

function written({ trace, ...span }: Span): object {
  const end_ms = Date.now();
  return {
    traceId: trace.traceId,
    spanId: trace.spanId,
    ...(trace.parentId !== null && { parentSpanId: trace.parentId }),
    ...(trace.state !== null && { traceState: trace.state }),
    name: span.operation,
    kind: serverKind,
    startTimeUnixNano: nanoseconds(end_ms - span.duration_ms),
    endTimeUnixNano: nanoseconds(end_ms),
    attributes: [
      text('http.request.method', span.method),
      ...(span.route === null ? [] : [text('http.route', span.route)]),
      whole('http.response.status_code', span.status),
      text('terrane.operation', span.operation),
      text('terrane.request_id', span.requestId),
      whole('terrane.statements', span.statements),
      ...(span.actorId === null ? [] : [text('enduser.id', span.actorId)]),
    ],
    ...(span.status >= 500 && { status: { code: errorCode } }),
  };
}

/** Too long for a number of JSON. */
const nanoseconds = (time_ms: number) => String(BigInt(Math.round(time_ms * 1000)) * 1000n);
const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
const whole = (key: string, value: number) => ({ key, value: { intValue: String(value) } });
