/** Content as an answer: streamed, and its beginning read before anything is sent. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Download } from '../core/blobs/download.ts';

/** Bytes read before the first one is sent, so that damage found in them is answered as an error. */
const readAheadBytes = 4 * 1024 * 1024;

export async function sendContent(
  { content, sizeBytes }: Download,
  mediaType: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const ahead = await readAhead(content);
  // Somebody's content is no page of ours: a browser keeps it as a file.
  if (!mediaType.startsWith('text/plain')) reply.header('content-disposition', 'attachment');
  reply.header('cache-control', 'no-store').header('content-type', mediaType).header('content-length', sizeBytes);
  return reply.send(ahead instanceof Buffer ? ahead : Readable.from(ahead, { objectMode: false }));
}

/** All of the content where that is little, else its beginning and the rest. */
async function readAhead(content: AsyncIterable<Buffer>): Promise<Buffer | AsyncIterable<Buffer>> {
  const rest = content[Symbol.asyncIterator]();
  const pieces: Buffer[] = [];
  for (let length = 0; length < readAheadBytes; length += pieces.at(-1)!.length) {
    const { done, value } = await rest.next();
    if (done) return Buffer.concat(pieces);
    pieces.push(value);
  }
  return (async function* () {
    try {
      yield* pieces;
      for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
    } finally {
      await rest.return?.();
    }
  })();
}
