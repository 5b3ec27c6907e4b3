/** Content of any size, kept under an id: compressed, sealed, checked when it is read. Its store is PostgreSQL, in pieces. */
import { createHash } from 'node:crypto';
import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib';
import { ApiError } from '../errors.ts';
import { storeFault } from '../store/faults.ts';
import { newId } from '../store/ids.ts';
import { type KeyMaterial, openBytes, seal } from '../store/secrets.ts';
import type { Sql } from '../store/store.ts';

export type Content = AsyncIterable<Buffer>;

export interface BlobStore {
  /**
   * Writes content piece by piece, and resolves when all of it is written. Outside of a transaction each piece is
   * durable at once; the blob is swept away later unless it is kept. Throws what the content throws, and keeps nothing then.
   * Its row is there before the content is asked for, so that what is found in the content may refer to `id`.
   */
  write: (sql: Sql, workspaceId: string, content: Content, id?: string) => Promise<{ id: string; sizeBytes: number }>;
  /** Keeps what was written: in the transaction of the record that refers to it. */
  keep: (sql: Sql, id: string) => Promise<void>;
  /** The very bytes. Throws `content-damaged` where a piece is missing, changed or sealed by an unknown key. */
  read: (sql: Sql, id: string) => Content;
  remove: (sql: Sql, ids: readonly string[]) => Promise<void>;
  /** Removes what was written in vain. What somebody kept stays, also where its writer never learned of that. */
  discard: (sql: Sql, ids: readonly string[]) => Promise<void>;
}

/** Of compressed content: large enough for few statements, small enough for many at once. */
const chunkBytes = 512 * 1024;
/** Of a state, the lowest quality shrinks to a sixth at 250 MB/s, where zlib does 65 and no better. */
const compression = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const sweepAfter = '26 hours';

export function postgresBlobs(keys: KeyMaterial): BlobStore {
  return {
    write: (sql, workspaceId, content, id) => write(sql, keys, workspaceId, content, id),
    keep: async (sql, id) => void (await sql`update blobs set is_kept = true where blobs.id = ${id}`),
    read: (sql, id) => read(sql, keys, id),
    remove: async (sql, ids) => void (await sql`delete from blobs where blobs.id = any(${ids as string[]})`),
    discard: async (sql, ids) =>
      void (await sql`delete from blobs where blobs.id = any(${ids as string[]}) and not blobs.is_kept`),
  };
}

/** Removes what was written and never kept, because a server or a client ended in between. */
export async function sweepBlobs(sql: Sql): Promise<void> {
  await sql`delete from blobs where not blobs.is_kept and blobs.created_at < now() - ${sweepAfter}::text::interval`;
}

async function write(sql: Sql, keys: KeyMaterial, workspaceId: string, content: Content, id = newId('blob')) {
  const digest = createHash('sha256');
  let [sizeBytes, position] = [0, 0];
  const measured = async function* () {
    for await (const piece of content) {
      digest.update(piece);
      sizeBytes += piece.length;
      yield piece;
    }
  };
  await sql`insert into blobs (id, workspace_id) values (${id}, ${workspaceId})`;
  try {
    for await (const chunk of inChunks(through(measured(), createBrotliCompress(compression)))) {
      const sealed = seal(keys, chunk, placeOf(id, position));
      await sql`insert into blob_chunks (blob_id, position, sealed) values (${id}, ${position}, ${sealed})`;
      position += 1;
    }
    await sql`
      update blobs set size_bytes = ${sizeBytes}, chunk_count = ${position}, sha256 = ${digest.digest()}
      where blobs.id = ${id}`;
    return { id, sizeBytes };
  } catch (error) {
    // Within a transaction that failed there is nothing to remove, and no statement is taken any more.
    await sql`delete from blobs where blobs.id = ${id}`.catch(() => undefined);
    throw error;
  }
}

/** A piece opens at its own place alone. */
export const placeOf = (id: string, position: number) => `blobs/${id}/${position}`;

async function* read(sql: Sql, keys: KeyMaterial, id: string): AsyncGenerator<Buffer> {
  const [blob] = await sql<{ size_bytes: number; chunk_count: number; sha256: Buffer; present: number }[]>`
    select blobs.size_bytes, blobs.chunk_count, blobs.sha256,
      (select count(*) from blob_chunks where blob_chunks.blob_id = blobs.id) as present
    from blobs where blobs.id = ${id} and blobs.is_kept`;
  if (!blob || blob.present !== blob.chunk_count) throw new ApiError('content-damaged');
  const digest = createHash('sha256');
  try {
    for await (const piece of through(chunksOf(sql, keys, id, blob.chunk_count), createBrotliDecompress())) {
      digest.update(piece);
      yield piece;
    }
    if (!digest.digest().equals(blob.sha256)) throw new Error('The checksum of the content differs.');
  } catch (error) {
    if (storeFault(error) instanceof ApiError) throw error;
    throw Object.assign(new ApiError('content-damaged'), { cause: error });
  }
}

async function* chunksOf(sql: Sql, keys: KeyMaterial, id: string, count: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < count; position += 1) {
    const [chunk] = await sql<{ sealed: Buffer }[]>`
      select blob_chunks.sealed from blob_chunks
      where blob_chunks.blob_id = ${id} and blob_chunks.position = ${position}`;
    if (!chunk) throw new Error('A piece of the content is missing.');
    yield openBytes(keys, chunk.sealed, placeOf(id, position));
  }
}

/** What the transform makes of the source; a fault of either ends both, and is thrown. */
function through(source: Content, transform: Transform): Content {
  pipeline(Readable.from(source, { objectMode: false }), transform, () => undefined);
  return transform;
}

async function* inChunks(source: Content): AsyncGenerator<Buffer> {
  let [pieces, length]: [Buffer[], number] = [[], 0];
  for await (const piece of source) {
    pieces.push(piece);
    length += piece.length;
    if (length < chunkBytes) continue;
    yield Buffer.concat(pieces);
    [pieces, length] = [[], 0];
  }
  if (length > 0) yield Buffer.concat(pieces);
}
