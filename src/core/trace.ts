/** W3C Trace Context: which call, of all that one cause has led to, a request is. Nothing is known of one that says none. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

export interface Trace {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** Of this server's part in it, 16 hexadecimal digits. */
  spanId: string;
  /** Of the caller's part; null where the trace begins here. */
  parentId: string | null;
  isSampled: boolean;
  /** What others passed along with it, handed on as it came. */
  state: string | null;
}

const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const stateLength = 512;

type Header = string | readonly string[] | undefined;

/** The part of this request in the trace of `traceparent`; null where that is absent, or of no known form. */
export function traceOf(traceparent: Header, tracestate: Header): Trace | null {
  if (typeof traceparent !== 'string' || traceparent.length > 256) return null;
  const [, version, traceId, parentId, flags, more] = form.exec(traceparent) ?? [];
  // Later versions may say more; of the first one that would be a mistake.
  if (!traceId || !parentId || (version === '00' && more !== undefined)) return null;
  const state = typeof tracestate === 'string' && tracestate.length <= stateLength ? tracestate : null;
  const isSampled = (Number.parseInt(flags!, 16) & 1) === 1;
  return { traceId, spanId: newSpanId(), parentId, isSampled, state };
}

/** A trace that begins here. */
export function newTrace(): Trace {
  return {
    traceId: randomBytes(16).toString('hex'),
    spanId: newSpanId(),
    parentId: null,
    isSampled: true,
    state: null,
  };
}

const newSpanId = () => randomBytes(8).toString('hex');

export const traceparent = ({ traceId, spanId, isSampled }: Trace): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

const current = new AsyncLocalStorage<Trace>();

/** Runs `work`, and all that follows from it, as a part of the trace. */
export const within = <Result>(trace: Trace, work: () => Result): Result => current.run(trace, work);

/** What a request to somebody else says of the trace that it belongs to; nothing where there is none. */
export function traceHeaders(): Record<string, string> {
  const trace = current.getStore();
  if (!trace) return {};
  return { traceparent: traceparent(trace), ...(trace.state !== null && { tracestate: trace.state }) };
}
