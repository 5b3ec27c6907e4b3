import { expect, test } from 'vitest';
import { type StreamEvent, streamEvents } from './event-stream.ts';

async function read(...pieces: Uint8Array[]): Promise<StreamEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const found: StreamEvent[] = [];
  for await (const event of streamEvents(body)) found.push(event);
  return found;
}

test('web: events are the same wherever the bytes are cut, also within a letter', async () => {
  const bytes = new TextEncoder().encode('id: 7\nevent: change\ndata: {"name":"größe"}\n\nid: 8\n\n');
  const whole = await read(bytes);
  expect(whole).toEqual([
    { id: '7', event: 'change', data: '{"name":"größe"}' },
    { id: '8', event: 'message', data: '' },
  ]);
  for (let at = 1; at < bytes.length; at += 1)
    expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole);
});

test('web: what was not finished is no event', async () => {
  expect(await read(new TextEncoder().encode('id: 7\ndata: half'))).toEqual([]);
});
