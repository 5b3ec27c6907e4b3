/** The bytes of a long body as they come in: never more than the limit. */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../core/errors.ts';
import type { Incoming } from '../core/jsonapi/incoming.ts';

/** Throws `body-too-large` where the request declares more than `limit` bytes. */
export function incoming(message: IncomingMessage, limit: number): Incoming {
  const declaredBytes = Number(message.headers['content-length'] ?? 0);
  if (declaredBytes > limit) throw new ApiError('body-too-large', { limit }, { pointer: '' });
  return { declaredBytes, pieces: piecesOf(message, limit) };
}

/** A refusal in the middle leaves the request open: the caller could not read the answer otherwise. */
async function* piecesOf(message: IncomingMessage, limit: number): AsyncGenerator<Buffer> {
  let length = 0;
  try {
    for await (const piece of message.iterator({ destroyOnReturn: false })) {
      length += piece.length;
      if (length > limit) throw new ApiError('body-too-large', { limit }, { pointer: '' });
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
