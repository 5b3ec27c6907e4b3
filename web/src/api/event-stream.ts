/** Server-sent events, taken out of the bytes of an answer. */
export interface StreamEvent {
  id: string | undefined;
  event: string;
  data: string;
}

export async function* streamEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield eventOf(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventOf(block: string): StreamEvent {
  const found: StreamEvent = { id: undefined, event: 'message', data: '' };
  for (const line of block.split('\n')) {
    const [, field, value] = /^(id|event|data): ?(.*)$/.exec(line) ?? [];
    if (field === 'data') found.data += value;
    else if (field === 'id') found.id = value;
    else if (field === 'event' && value) found.event = value;
  }
  return found;
}
