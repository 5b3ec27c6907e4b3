/** §3 The content that comes in the body of a creation: taken in before the workspace is held. */
import { blobStore } from '../../core/blobs/blob-store.ts';
import type { Config } from '../../core/config.ts';
import { ApiError, attributeFault, type Fault } from '../../core/errors.ts';
import type { Incoming } from '../../core/jsonapi/incoming.ts';
import type { Sql } from '../../core/store/store.ts';
import { type Received, receive } from './intake.ts';
import { fromBase64, longTexts, NotBase64, type Part } from './long-texts.ts';

/** What a body brought, and what is wrong with it. */
export interface Inline {
  state: Received | null;
  /** The blob of the documented form. */
  jsonBlobId: string | null;
  faults: Fault[];
}

interface Destination {
  sql: Sql;
  config: Config;
  workspaceId: string;
}

/** The outputs are read from the state itself, so what is sent of them is passed over. */
const attributes = ['state', 'json-state', 'json-state-outputs'];

/** Takes the contents out of a body. Throws what is wrong with the body itself; then nothing is left. */
export async function takeInline(
  incoming: Incoming,
  destination: Destination,
): Promise<{ rest: Buffer; received: Inline }> {
  const received: Inline = { state: null, jsonBlobId: null, faults: [] };
  const parts = longTexts(incoming, attributes);
  try {
    for (;;) {
      const next = await parts.next();
      if (next.done) return { rest: next.value, received: await withoutLoneJson(received, destination) };
      await takeText(textOf(next.value, parts), next.value.attribute, destination, received);
    }
  } catch (error) {
    await discardInline(received, destination);
    throw error;
  } finally {
    await parts.return(Buffer.alloc(0));
  }
}

/** The documented form means nothing without the state that it documents. */
async function withoutLoneJson(received: Inline, destination: Destination): Promise<Inline> {
  if (received.state || received.faults.length > 0) return received;
  await discardInline(received, destination);
  return { ...received, jsonBlobId: null };
}

/** Best effort: whatever stays behind is swept. */
export async function discardInline(
  { state, jsonBlobId }: Inline,
  { sql, config }: Pick<Destination, 'sql' | 'config'>,
): Promise<void> {
  const ids = [state?.id, jsonBlobId].filter(id => typeof id === 'string');
  if (ids.length === 0) return;
  await blobStore(config)
    .discard(sql, ids)
    .catch(() => undefined);
}

/** The parts of one text, of which the first is at hand. */
async function* textOf(first: Part, parts: AsyncGenerator<Part, Buffer>): AsyncGenerator<Buffer> {
  let part = first;
  yield part.text;
  while (!part.isLast) {
    const next = await parts.next();
    if (next.done) return;
    part = next.value;
    yield part.text;
  }
}

/** A fault of the content is kept, so that all faults of the body are told at once. */
async function takeText(
  text: AsyncGenerator<Buffer>,
  attribute: string,
  { sql, config, workspaceId }: Destination,
  received: Inline,
): Promise<void> {
  const remaining = untilEnd(text);
  try {
    const content = fromBase64(remaining);
    if (attribute === 'state') received.state = await receive(sql, config, workspaceId, content);
    if (attribute === 'json-state') {
      received.jsonBlobId = (await blobStore(config).write(sql, workspaceId, content)).id;
    }
  } catch (error) {
    if (error instanceof NotBase64) received.faults.push(attributeFault(attribute, 'State must be in base64'));
    else if (error instanceof ApiError && error.status === 422) received.faults.push(...error.faults);
    else throw error;
  }
  for await (const _part of remaining);
}

/** The same, but whoever stops reading leaves the rest to the next reader. */
function untilEnd<Item>(items: AsyncGenerator<Item>): AsyncIterable<Item> {
  return { [Symbol.asyncIterator]: () => ({ next: () => items.next() }) };
}
