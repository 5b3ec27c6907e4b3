import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { organization } from '../../../test/builders/records.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { blobStore, type Content, sweepBlobs } from './blob-store.ts';

const app = useApp();
const keys = { encryptionKey: 'a key for tests only' };
const blobs = blobStore(keys);
let workspaceId: string;
beforeAll(async () => {
  workspaceId = await workspace(app, await organization(app));
});

async function* inPieces(bytes: Buffer, pieceBytes = 100_000): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes);
}

async function whole(content: Content): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function kept(bytes: Buffer): Promise<string> {
  const { id, sizeBytes } = await blobs.write(app.store.read, workspaceId, inPieces(bytes));
  expect(sizeBytes).toBe(bytes.length);
  await blobs.keep(app.store.read, id);
  return id;
}

const readBack = (id: string, by = blobs) => whole(by.read(app.store.read, id));

describe('a blob', () => {
  test('comes back byte by byte, from nothing to several pieces', async () => {
    for (const length of [0, 1, 100_000, 2_000_000]) {
      const bytes = randomBytes(length);
      expect((await readBack(await kept(bytes))).equals(bytes)).toBe(true);
    }
  });

  test('is compressed', async () => {
    const id = await kept(Buffer.alloc(5_000_000, 'the same again and again '));
    const [stored] = await app.store.read`select sum(length(sealed)) as bytes from blob_chunks where blob_id = ${id}`;
    expect(Number(stored!['bytes'])).toBeLessThan(10_000);
  });

  test('opens by an old key, and by no other', async () => {
    const id = await kept(Buffer.from('content'));
    const later = { encryptionKey: 'a newer key', oldEncryptionKeys: [keys.encryptionKey] };
    expect((await readBack(id, blobStore(later))).toString()).toBe('content');
    await expect(readBack(id, blobStore({ encryptionKey: 'a newer key' }))).rejects.toThrow('content-damaged');
  });

  test('with a piece missing, changed, out of order or of another blob is damaged, and no other one is', async () => {
    const sql = app.store.read;
    const bytes = randomBytes(1_200_000);
    const damages: ((id: string, other: string) => Promise<unknown>)[] = [
      id => sql`delete from blob_chunks where blob_id = ${id} and position = 1`,
      id => sql`update blob_chunks set sealed = set_byte(sealed, 60, get_byte(sealed, 60) # 1) where blob_id = ${id}`,
      id => sql`update blob_chunks set position = 9 - position where blob_id = ${id}`,
      (id, other) => sql`
        update blob_chunks set sealed = others.sealed from blob_chunks as others
        where blob_chunks.blob_id = ${id} and others.blob_id = ${other} and others.position = blob_chunks.position`,
      id => sql`update blobs set sha256 = '\\x00' where id = ${id}`,
      id => sql`delete from blobs where id = ${id}`,
    ];
    const sound = await kept(bytes);
    for (const damage of damages) {
      const id = await kept(bytes);
      await damage(id, sound);
      await expect(readBack(id)).rejects.toThrow('content-damaged');
    }
    expect((await readBack(sound)).equals(bytes)).toBe(true);
  });

  test('whose content breaks off leaves nothing behind, and the fault is the one of the content', async () => {
    const sql = app.store.read;
    const [before] = await sql`select count(*) as blobs from blobs`;
    const broken = async function* () {
      yield randomBytes(1_000_000);
      throw new Error('the client went away');
    };
    await expect(blobs.write(sql, workspaceId, broken())).rejects.toThrow('the client went away');
    expect((await sql`select count(*) as blobs from blobs`)[0]).toEqual(before);
  });

  test('that nobody kept is swept after a day, and one that was kept is not', async () => {
    const sql = app.store.read;
    const old = await kept(Buffer.from('kept'));
    const { id: orphan } = await blobs.write(sql, workspaceId, inPieces(Buffer.from('orphan')));
    await sweepBlobs(sql);
    expect(await sql`select from blobs where id = ${orphan}`).toHaveLength(1);
    await sql`update blobs set created_at = now() - interval '27 hours' where id = any(${[old, orphan]})`;
    await sweepBlobs(sql);
    expect(await sql`select id from blobs where id = any(${[old, orphan]})`).toEqual([{ id: old }]);
  });
});
