/** Where the sealed pieces of a content lie: as rows in PostgreSQL, or one behind the other in an object. */
import type { Sql } from '../store/store.ts';
import { MissingObject, type ObjectStore } from './object-store.ts';

export type Pieces = AsyncIterable<Buffer>;

/** Each is durable when it is written, outside of a transaction. */
export async function writeRows(sql: Sql, id: string, pieces: Pieces): Promise<void> {
  let position = 0;
  for await (const sealed of pieces) {
    await sql`insert into blob_chunks (blob_id, position, sealed) values (${id}, ${position}, ${sealed})`;
    position += 1;
  }
}

/** From a position on, and up to one that is missing. */
export async function* readRows(sql: Sql, id: string, from: number): AsyncGenerator<Buffer> {
  for (let position = from; ; position += 1) {
    const [chunk] = await sql<{ sealed: Buffer }[]>`
      select blob_chunks.sealed from blob_chunks
      where blob_chunks.blob_id = ${id} and blob_chunks.position = ${position}`;
    if (!chunk) return;
    yield chunk.sealed;
  }
}

const lengthBytes = 4;

/** All of them are durable when it resolves. */
export function writeObject(store: ObjectStore, name: string, pieces: Pieces): Promise<void> {
  return store.write(name, withLengths(pieces));
}

async function* withLengths(pieces: Pieces): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32BE(piece.length);
    yield length;
    yield piece;
  }
}

/** From a position on, and up to the end of the object; none where it is missing, or breaks off. */
export async function* readObject(store: ObjectStore, name: string, from: number): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let position = 0;
  try {
    for await (const bytes of store.read(name)) {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      for (let length = lengthOf(rest); length !== null; length = lengthOf(rest)) {
        const piece = rest.subarray(lengthBytes, lengthBytes + length);
        rest = rest.subarray(lengthBytes + length);
        if (position >= from) yield piece;
        position += 1;
      }
    }
  } catch (fault) {
    if (!(fault instanceof MissingObject)) throw fault;
  }
}

/** Of the piece that the bytes begin with; null where it is not there whole. */
function lengthOf(bytes: Buffer): number | null {
  if (bytes.length < lengthBytes) return null;
  const length = bytes.readUInt32BE(0);
  return bytes.length < lengthBytes + length ? null : length;
}
