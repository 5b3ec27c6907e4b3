import { expect, test } from 'vitest';
import { newTrace, traceHeaders, traceOf, traceparent, within } from './trace.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';

test('traces: a request is a part of its own in the trace that it names', () => {
  const trace = traceOf(`00-${traceId}-${parentId}-01`, 'vendor=1')!;
  expect(trace).toEqual({
    traceId,
    parentId,
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    isSampled: true,
    state: 'vendor=1',
  });
  expect(trace.spanId).not.toBe(parentId);
  expect(traceparent(trace)).toBe(`00-${traceId}-${trace.spanId}-01`);
  expect(traceOf(`00-${traceId}-${parentId}-00`, undefined)).toMatchObject({ isSampled: false, state: null });
  expect(traceOf(`cc-${traceId}-${parentId}-01-what-comes-later`, undefined)).toMatchObject({ traceId });
});

test('traces: what has another form, or stands twice, names none', () => {
  const wrong = [
    undefined,
    '',
    'garbage',
    [`00-${traceId}-${parentId}-01`, `00-${traceId}-${parentId}-01`],
    `ff-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01-more`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${traceId}-${parentId}-01${'0'.repeat(300)}`,
  ];
  expect(wrong.map(header => traceOf(header, undefined))).toEqual(wrong.map(() => null));
  expect(traceOf(`00-${traceId}-${parentId}-01`, 'a'.repeat(513))!.state).toBeNull();
});

test('traces: what is asked of others says which trace it belongs to, and nothing else does', async () => {
  const trace = { ...newTrace(), state: 'vendor=1' };
  const later = await within(trace, async () => {
    await new Promise(setImmediate);
    return traceHeaders();
  });
  expect(later).toEqual({ traceparent: traceparent(trace), tracestate: 'vendor=1' });
  expect(within({ ...trace, state: null }, traceHeaders)).toEqual({ traceparent: traceparent(trace) });
  expect(traceHeaders()).toEqual({});
});
