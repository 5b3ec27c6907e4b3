/** The bytes of a body as they come in: never more than the limit, and never held twice. */
import type { IncomingMessage } from 'node:http';
import { ApiError, type Source } from '../core/errors.ts';

/** Returns the length that the request declares; 0 when it declares none. */
export function requireLength(message: IncomingMessage, limit: number, source?: Source): number {
  const declared = Number(message.headers['content-length'] ?? 0);
  if (declared > limit) throw new ApiError('body-too-large', { limit }, source);
  return declared;
}

const wholeBody = { pointer: '' };

/** A long body in one buffer, into which it is written as it arrives: pieces that are joined are held twice. */
export async function gathered(message: IncomingMessage, limit: number): Promise<Buffer> {
  // Memory that nothing is written to is none: a length that is only said costs nothing.
  const buffer = Buffer.allocUnsafe(requireLength(message, limit, wholeBody) || limit);
  let length = 0;
  for await (const piece of piecesOf(message, limit, wholeBody)) {
    piece.copy(buffer, length);
    length += piece.length;
  }
  return buffer.subarray(0, length);
}

/** A refusal in the middle leaves the request open: the caller could not read the answer otherwise. */
export async function* piecesOf(message: IncomingMessage, limit: number, source?: Source): AsyncGenerator<Buffer> {
  let length = 0;
  try {
    for await (const piece of message.iterator({ destroyOnReturn: false })) {
      length += piece.length;
      if (length > limit) throw new ApiError('body-too-large', { limit }, source);
      yield piece;
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('malformed-request', { reason: 'The body broke off before its end.' });
  } finally {
    // What is left unread would stand in the way of the next request on the connection.
    message.resume();
  }
}
