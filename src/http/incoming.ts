/** The bytes of a long body as they come in: never more than the limit. */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../core/errors.ts';
import type { Incoming } from '../core/jsonapi/incoming.ts';
import { limits } from '../core/limits.ts';
import { tellReader } from './bounds.ts';

/** Throws `body-too-large` where the request declares more than `limit` bytes. A place is taken when it is read, if one is needed. */
export function incoming(message: IncomingMessage, limit: number, takePlace: () => () => void = noPlace): Incoming {
  const declaredBytes = Number(message.headers['content-length'] ?? 0);
  if (declaredBytes > limit) throw new ApiError('body-too-large', { limit }, { pointer: '' });
  return { declaredBytes, pieces: piecesOf(message, limit, takePlace) };
}

const noPlace = () => () => undefined;

/** A refusal in the middle leaves the request open: the caller could not read the answer otherwise. */
async function* piecesOf(message: IncomingMessage, limit: number, takePlace: () => () => void): AsyncGenerator<Buffer> {
  const giveBack = takePlace();
  let length = 0;
  const late = () => tellReader(message, new ApiError('request-too-slow'));
  const end = setTimeout(late, limits.longBodyTime_ms.value);
  const pause = setTimeout(late, limits.longBodyPause_ms.value);
  try {
    for await (const piece of message.iterator({ destroyOnReturn: false })) {
      pause.refresh();
      length += piece.length;
      if (length > limit) throw new ApiError('body-too-large', { limit }, { pointer: '' });
      yield piece;
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('malformed-request', { reason: 'The body broke off before its end.' });
  } finally {
    giveBack();
    clearTimeout(end);
    clearTimeout(pause);
    // What is left unread would stand in the way of the next request on the connection.
    message.resume();
  }
}
