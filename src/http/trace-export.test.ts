/** Spans for a collector that is too slow. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { useLimits } from '../../test/limits.ts';
import type { Config } from '../core/config.ts';
import { limits } from '../core/limits.ts';
import { newTrace } from '../core/trace.ts';
import { openSpanExport, type Span } from './trace-export.ts';

useLimits({ waitingSpans_items: 3, spanDelivery_ms: 200 });

const asked: IncomingMessage[] = [];
const silent = createServer(request => void asked.push(request));
beforeAll(() => new Promise<void>(done => void silent.listen(0, '127.0.0.1', done)));
afterAll(() => {
  silent.closeAllConnections();
  silent.close();
});

test('traces: so many spans wait, the others are left out, and a collector that does not answer is given up', async () => {
  const { port } = silent.address() as AddressInfo;
  const log = { warn: vi.fn() };
  const config = {
    traceEndpoint: `http://127.0.0.1:${port}`,
    traceHeaders: {},
    serviceName: 'terrane',
  } as unknown as Config;
  const spans = openSpanExport(config, log);
  const span = { trace: newTrace(), operation: 'toys.show', method: 'GET', route: null, status: 200 };
  const rest = { statements: 1, actorId: null, requestId: 'req-1', duration_ms: 1 };
  for (let at = 0; at < limits.waitingSpans_items.value + 2; at += 1) spans.add({ ...span, ...rest } as Span);
  await spans.close();
  expect(asked).toHaveLength(1);
  const [[details, message]] = log.warn.mock.calls as [[{ err?: Error; dropped?: number }, string]];
  expect([message, details.err?.name]).toEqual(['the last spans could not be delivered', 'TimeoutError']);
});
