/** States that travel inside a JSON body: their texts are handed on as they come, so that no body is ever held whole. */
import { ApiError } from '../../core/errors.ts';
import type { Incoming } from '../../core/jsonapi/incoming.ts';
import { limits } from '../../core/limits.ts';
import { NotJson } from './json-grammar.ts';
import { jsonReader, Unwanted, type Visitor } from './json-reader.ts';

/** A part of the text of an attribute: the bytes between its quotes, escapes and all. */
export interface Part {
  attribute: string;
  text: Buffer;
  isLast: boolean;
}

/**
 * Yields the texts of these attributes part by part. Returns the body with an empty text in the place of each. Throws
 * `malformed-json` for what is no JSON, and `body-too-large` where the body is long without them, too.
 */
export async function* longTexts({ pieces }: Incoming, attributes: readonly string[]): AsyncGenerator<Part, Buffer> {
  let parts: Part[] = [];
  let rest: Buffer[] = [];
  let restBytes = 0;
  const visitor = visitorOf(attributes, part => parts.push(part));
  const reader = jsonReader(visitor, limits.bodyDepth_levels.value + 1);
  for await (const piece of pieces) {
    refusing(() => reader.push(piece));
    const kept = without(piece, parts);
    restBytes += kept.length;
    if (restBytes > limits.body_bytes.value) {
      throw new ApiError('body-too-large', { limit: limits.body_bytes.value }, { pointer: '' });
    }
    rest.push(kept);
    yield* parts;
    parts = [];
  }
  // A request without a body is refused where all of those are.
  if (restBytes > 0) refusing(() => reader.end());
  const body = Buffer.concat(rest);
  rest = [];
  return body;
}

function visitorOf(attributes: readonly string[], found: (part: Part) => void): Visitor {
  const seen = new Set<string>();
  let attribute = '';
  return {
    begin: (place, kind) => {
      const isOnTheWay = ['data', 'attributes'].slice(0, place.length).join('/') === place.join('/');
      if (isOnTheWay) return kind === 'object' ? 'enter' : 'skip';
      const name = String(place[2]);
      if (place.length !== 3 || place[1] !== 'attributes' || !attributes.includes(name)) return 'skip';
      if (seen.has(name)) throw new Unwanted(place, 'is there twice');
      seen.add(name);
      attribute = name;
      return kind === 'text' ? 'stream' : 'skip';
    },
    part: (text, isLast) => found({ attribute, text, isLast }),
  };
}

/** Reads, and refuses the request for what the reader throws. */
function refusing(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (error instanceof NotJson) throw new ApiError('malformed-json', { reason: error.message }, { pointer: '' });
    if (!(error instanceof Unwanted)) throw error;
    throw new ApiError('malformed-request', { reason: `The body: ${error.message}.` }, { pointer: '' });
  }
}

/** A copy of the piece without the parts that were found in it. They are views of it, one behind the other. */
function without(piece: Buffer, parts: readonly Part[]): Buffer {
  let from = 0;
  const kept = parts.map(({ text }) => {
    const start = text.byteOffset - piece.byteOffset;
    const before = piece.subarray(from, start);
    from = start + text.length;
    return before;
  });
  return Buffer.concat([...kept, piece.subarray(from)]);
}

/** The bytes of a text in base64, as its parts come. Throws `NotBase64` for what is not. */
export async function* fromBase64(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [escaped, digits] = ['', ''];
  let isPadded = false;
  for await (const part of parts) {
    const { plain, cut } = unescaped(escaped + part.toString('latin1'));
    escaped = cut;
    if (plain === '') continue;
    digits += plain;
    if (isPadded || !base64.test(digits)) throw new NotBase64();
    const end = digits.length - (digits.length % 4);
    isPadded = digits.slice(0, end).endsWith('=');
    yield Buffer.from(digits.slice(0, end), 'base64');
    digits = digits.slice(end);
  }
  if (escaped !== '' || digits.length === 1) throw new NotBase64();
  yield Buffer.from(digits, 'base64');
}

export class NotBase64 extends Error {}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** JSON may write any character as an escape, and one may be cut off at the end of a part. */
function unescaped(text: string): { plain: string; cut: string } {
  const last = text.lastIndexOf('\\');
  if (last < 0) return { plain: text, cut: '' };
  const isWhole = text.length > last + (text[last + 1] === 'u' ? 5 : 1);
  const end = isWhole ? text.length : last;
  try {
    return { plain: JSON.parse(`"${text.slice(0, end)}"`), cut: text.slice(end) };
  } catch {
    throw new NotBase64();
  }
}
