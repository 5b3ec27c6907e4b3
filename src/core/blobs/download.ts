/** Content on its way to whoever may have it. */
import { ApiError } from '../errors.ts';
import type { Sql } from '../store/store.ts';
import { blobStore, type Content, type Keeping } from './blob-store.ts';

export interface Download {
  sizeBytes: number;
  content: Content;
}

/** Throws `not-found` where there is no blob, and `content-damaged` where it is named and missing. */
export async function downloadOf(sql: Sql, keeping: Keeping, blobId: string | null | undefined): Promise<Download> {
  if (!blobId) throw new ApiError('not-found');
  const [blob] = await sql<{ size_bytes: number }[]>`select blobs.size_bytes from blobs where blobs.id = ${blobId}`;
  if (!blob) throw new ApiError('content-damaged');
  return { sizeBytes: blob.size_bytes, content: blobStore(keeping).read(sql, blobId) };
}
