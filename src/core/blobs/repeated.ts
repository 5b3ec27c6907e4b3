/** An upload whose answer was lost on its way is sent again. Where the same bytes came before, it succeeds, and changes nothing. */
import { createHash } from 'node:crypto';
import { ApiError } from '../errors.ts';
import type { Sql } from '../store/store.ts';

export interface Summed {
  /** The blob that it was written to, if any. */
  id: string | null;
  sha256: Buffer;
}

export type Repeated = Summed & { id: null };

/** Reads content that was sent before, and keeps nothing of it. */
export async function summedUp(content: AsyncIterable<Buffer>): Promise<Repeated> {
  const digest = createHash('sha256');
  for await (const piece of content) digest.update(piece);
  return { id: null, sha256: digest.digest() };
}

/** Throws `upload-used` unless the content is what is kept as this blob. */
export async function requireSame(sql: Sql, blobId: string | null, { sha256 }: Summed, status: string): Promise<void> {
  const same = await sql`
    select from blobs where blobs.id = ${blobId} and blobs.is_kept and blobs.sha256 = ${sha256}`;
  if (same.length === 0) throw new ApiError('upload-used', { status });
}

export const blobsOf = ({ id }: Summed) => (id === null ? [] : [id]);
