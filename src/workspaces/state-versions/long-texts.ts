/** States that travel inside a JSON body: long texts are set aside as bytes, so that neither they nor their copies are parsed. */
import { randomUUID } from 'node:crypto';
import { ApiError } from '../../core/errors.ts';
import type { Incoming } from '../../core/jsonapi/incoming.ts';
import { limits } from '../../core/limits.ts';

/** From this length on a text is left as bytes, where an endpoint takes larger bodies than others. */
const longTextBytes = 64 * 1024;
/** Nobody outside can know it, and so send a text that is taken for another one. */
const placeholder = `long-text:${randomUUID()}`;
const [quote, backslash] = [0x22, 0x5c];

/** By the placeholder that stands for it: the bytes between the quotes, escapes and all. */
export type LongTexts = ReadonlyMap<string, Buffer>;

/** A body without its long texts, which are neither copied nor decoded. Throws `body-too-large` when it is long without them. */
export function setLongTextsAside(bytes: Buffer): { rest: Buffer; longTexts: LongTexts } {
  const longTexts = new Map<string, Buffer>();
  const kept: Buffer[] = [];
  let from = 0;
  for (let start = bytes.indexOf(quote); start >= 0; ) {
    const end = endOfText(bytes, start + 1);
    if (end < 0) break;
    if (end - start > longTextBytes) {
      const name = `${placeholder}:${longTexts.size}`;
      longTexts.set(name, bytes.subarray(start + 1, end));
      kept.push(bytes.subarray(from, start + 1), Buffer.from(name));
      from = end;
    }
    start = bytes.indexOf(quote, end + 1);
  }
  const rest = Buffer.concat([...kept, bytes.subarray(from)]);
  if (rest.length > limits.body_bytes.value)
    throw new ApiError('body-too-large', { limit: limits.body_bytes.value }, { pointer: '' });
  return { rest, longTexts };
}

/** The quote that ends a text: one before which the backslashes are even in number. */
function endOfText(bytes: Buffer, from: number): number {
  for (let end = bytes.indexOf(quote, from); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let before = end;
    while (before > from && bytes[before - 1] === backslash) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return -1;
}

/** A long body in one buffer, into which it is written as it arrives: pieces that are joined are held twice. */
export async function gathered({ pieces, declaredBytes }: Incoming): Promise<Buffer> {
  let buffer = Buffer.allocUnsafe(declaredBytes || limits.body_bytes.value);
  let length = 0;
  for await (const piece of pieces) {
    if (length + piece.length > buffer.length) buffer = Buffer.concat([buffer], 2 * (length + piece.length));
    piece.copy(buffer, length);
    length += piece.length;
  }
  return buffer.subarray(0, length);
}
