/**
 * Content of any size, kept under an id: compressed, sealed in pieces, checked when it is read. The pieces lie in PostgreSQL,
 * or in an object of the store that the configuration names; each content by itself, so that they can be moved.
 */
import { createHash } from 'node:crypto';
import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib';
import type { Config } from '../config.ts';
import { ApiError } from '../errors.ts';
import { storeFault } from '../store/faults.ts';
import { newId, randomBase62 } from '../store/ids.ts';
import { type KeyMaterial, keyIdOf, openBytes, seal } from '../store/secrets.ts';
import type { Sql } from '../store/store.ts';
import { type ObjectStore, objectStoreOf } from './object-store.ts';
import { readObject, readRows, writeObject, writeRows } from './pieces.ts';
import type { Summed } from './repeated.ts';

export type Content = AsyncIterable<Buffer>;

export interface Written extends Summed {
  id: string;
  sizeBytes: number;
}

export interface BlobStore {
  /**
   * Writes content piece by piece, and resolves when all of it is written. Outside of a transaction each piece is
   * durable at once; the blob is swept away later unless it is kept. Throws what the content throws, and keeps nothing then.
   * Its row is there before the content is asked for, so that what is found in the content may refer to `id`.
   */
  write: (sql: Sql, workspaceId: string, content: Content, id?: string) => Promise<Written>;
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

/** With what contents are sealed, and where they lie. */
export type Keeping = KeyMaterial & Pick<Config, 'blobs' | 'blobsKey'>;

export function blobStore(keeping: Keeping): BlobStore {
  return {
    write: (sql, workspaceId, content, id) => write(sql, keeping, workspaceId, content, id),
    keep: async (sql, id) => void (await sql`update blobs set is_kept = true where blobs.id = ${id}`),
    read: (sql, id) => read(sql, keeping, id),
    remove: async (sql, ids) => void (await sql`delete from blobs where blobs.id = any(${ids as string[]})`),
    discard: async (sql, ids) =>
      void (await sql`delete from blobs where blobs.id = any(${ids as string[]}) and not blobs.is_kept`),
  };
}

/** Removes what was written and never kept, because a server or a client ended in between. */
export async function sweepBlobs(sql: Sql): Promise<void> {
  await sql`delete from blobs where not blobs.is_kept and blobs.created_at < now() - ${sweepAfter}::text::interval`;
}

/** A name that no object has had: whoever moves a content, or seals it anew, leaves the one that others may be reading. */
export const newObjectName = (blobId: string) => `${blobId}.${randomBase62(8)}`;

async function write(sql: Sql, keeping: Keeping, workspaceId: string, content: Content, id = newId('blob')) {
  const digest = createHash('sha256');
  const sealedBy = new Set<string>();
  let [sizeBytes, count] = [0, 0];
  const measured = async function* () {
    for await (const piece of content) {
      digest.update(piece);
      sizeBytes += piece.length;
      yield piece;
    }
  };
  const sealed = async function* () {
    for await (const chunk of inChunks(through(measured(), createBrotliCompress(compression)))) {
      const piece = seal(keeping, chunk, placeOf(id, count));
      sealedBy.add(keyIdOf(piece));
      count += 1;
      yield piece;
    }
  };
  const objects = objectStoreOf(keeping);
  const object = objects && !objects.bucket.isReadOnly ? newObjectName(id) : null;
  await sql`insert into blobs (id, workspace_id, object) values (${id}, ${workspaceId}, ${object})`;
  try {
    await (object ? writeObject(objects!, object, sealed()) : writeRows(sql, id, sealed()));
    const sha256 = digest.digest();
    const updated = await sql`
      update blobs set size_bytes = ${sizeBytes}, chunk_count = ${count}, sha256 = ${sha256},
        object_keys = ${object ? [...sealedBy] : null}
      where blobs.id = ${id}`;
    // The workspace was deleted while its content was on its way.
    if (updated.count === 0) throw new ApiError('not-found');
    return { id, sizeBytes, sha256 };
  } catch (error) {
    // Within a transaction that failed there is nothing to remove, and no statement is taken any more.
    await sql`delete from blobs where blobs.id = ${id}`.catch(() => undefined);
    throw error;
  }
}

/** A piece opens at its own place alone. */
export const placeOf = (id: string, position: number) => `blobs/${id}/${position}`;

/** A content's row, as far as it says where the pieces are. */
export interface Placed {
  id: string;
  object: string | null;
  chunk_count: number;
}

async function* read(sql: Sql, keeping: Keeping, id: string): AsyncGenerator<Buffer> {
  const [blob] = await sql<(Placed & { sha256: Buffer; present: number })[]>`
    select blobs.id, blobs.object, blobs.chunk_count, blobs.sha256,
      (select count(*) from blob_chunks where blob_chunks.blob_id = blobs.id) as present
    from blobs where blobs.id = ${id} and blobs.is_kept`;
  if (!blob || (blob.object === null && blob.present !== blob.chunk_count)) throw new ApiError('content-damaged');
  const digest = createHash('sha256');
  try {
    for await (const piece of through(opened(sql, keeping, blob), createBrotliDecompress())) {
      digest.update(piece);
      yield piece;
    }
    if (!digest.digest().equals(blob.sha256)) throw new Error('The checksum of the content differs.');
  } catch (error) {
    if (storeFault(error) instanceof ApiError) throw error;
    throw Object.assign(new ApiError('content-damaged'), { cause: error });
  }
}

async function* opened(sql: Sql, keeping: Keeping, blob: Placed): AsyncGenerator<Buffer> {
  let position = 0;
  for await (const sealed of sealedPieces(sql, objectStoreOf(keeping), blob)) {
    yield openBytes(keeping, sealed, placeOf(blob.id, position));
    position += 1;
  }
}

/** All pieces in their order. They may be moved meanwhile: where one is missing, the row says whether it lies elsewhere now. */
export async function* sealedPieces(sql: Sql, objects: ObjectStore | undefined, blob: Placed): AsyncGenerator<Buffer> {
  let position = 0;
  for (let place = blob; ; ) {
    for await (const piece of piecesAt(sql, objects, place, position)) {
      yield piece;
      position += 1;
    }
    if (position === place.chunk_count) return;
    const [now] = await sql<Placed[]>`
      select blobs.id, blobs.object, blobs.chunk_count from blobs where blobs.id = ${blob.id} and blobs.is_kept`;
    if (!now || now.object === place.object) throw new Error('A piece of the content is missing.');
    place = now;
  }
}

function piecesAt(sql: Sql, objects: ObjectStore | undefined, { id, object }: Placed, from: number) {
  if (object === null) return readRows(sql, id, from);
  if (objects) return readObject(objects, object, from);
  const cause = new Error('The content lies in an object store, and TERRANE_BLOBS is not set.');
  throw Object.assign(new ApiError('content-store-unavailable'), { cause });
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
