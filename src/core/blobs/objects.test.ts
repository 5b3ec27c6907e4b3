// Contents in a real S3-compatible store, and what becomes of everybody when that store is away.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openAppOn, type TestApp } from '../../../test/app.ts';
import { organization } from '../../../test/builders/records.ts';
import { stateClient, stateOf, transfer } from '../../../test/builders/state.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { createDatabase } from '../../../test/running/database.ts';
import { type ObjectServer, objectServerProgram, startObjectServer } from '../../../test/running/object-server.ts';
import { limits } from '../limits.ts';
import { blobStore, sweepBlobs } from './blob-store.ts';
import { objectStoreOf } from './object-store.ts';
import { removeObjects } from './removals.ts';

if (!objectServerProgram)
  console.warn('Not run: contents in an object store. Install versitygw, or name it by VERSITYGW.');

describe.skipIf(!objectServerProgram)('contents in an object store', () => {
  const closers: (() => Promise<unknown>)[] = [];
  let server: ObjectServer;
  let app: TestApp;
  let owner: Awaited<ReturnType<typeof organization>>;
  let workspaceId: string;

  beforeAll(async () => {
    server = await startObjectServer();
    const database = await createDatabase();
    app = await openAppOn(database, server.environment);
    closers.push(server.stop, database.drop, app.close);
    owner = await organization(app);
  }, 60_000);
  afterAll(async () => {
    server.goOn();
    for (const close of closers.reverse()) await close();
  });
  beforeEach(async () => {
    workspaceId = await workspace(app, owner);
  });

  const objects = () => objectStoreOf(app.config)!;
  const sweep = async () => {
    await app.store.read`update object_removals set noted_at = now() - interval '25 hours'`;
    await removeObjects(app.store, objects());
  };
  async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
    for (let from = 0; from < bytes.length; from += 100_000) yield bytes.subarray(from, from + 100_000);
  }
  async function kept(bytes: Buffer): Promise<string> {
    const { id } = await blobStore(app.config).write(app.store.read, workspaceId, inPieces(bytes));
    await blobStore(app.config).keep(app.store.read, id);
    return id;
  }
  async function readBack(id: string): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of blobStore(app.config).read(app.store.read, id)) pieces.push(piece);
    return Buffer.concat(pieces);
  }
  const rowOf = async (id: string) =>
    (
      await app.store.read<{ object: string; rows: number }[]>`
      select blobs.object, (select count(*) from blob_chunks where blob_chunks.blob_id = blobs.id) as rows
      from blobs where blobs.id = ${id}`
    )[0]!;

  test('come back byte by byte, from nothing to an upload of several parts, and PostgreSQL holds none of them', async () => {
    for (const length of [0, 1, 1_000_000, 12_000_000]) {
      const bytes = randomBytes(length);
      const id = await kept(bytes);
      expect((await readBack(id)).equals(bytes)).toBe(true);
      const { object, rows } = await rowOf(id);
      expect([server.objects().includes(object), rows]).toEqual([true, 0]);
    }
  }, 60_000);

  test('§3 a state goes there and back through the API, and is sealed where it lies', async () => {
    const client = stateClient(app, workspaceId, owner.owner.token);
    const state = stateOf({ resources: 50, outputs: { answer: { value: 'forty-two', type: 'string' } } });
    await client.lock();
    const made = await client.push(state);
    expect(made.status).toBe(201);
    const { bytes } = await transfer(app, 'GET', made.data.attributes['hosted-state-download-url']);
    expect(bytes.equals(state)).toBe(true);
    const [version] = await app.store.read<{ object: string }[]>`
      select blobs.object from state_versions join blobs on blobs.id = state_versions.blob_id
      where state_versions.id = ${made.data.id}`;
    const stored: Buffer[] = [];
    for await (const piece of objects().read(version!.object)) stored.push(piece);
    expect(Buffer.concat(stored).includes('forty-two')).toBe(false);
  });

  test('go a day after their record, whichever way that went, and nothing else goes', async () => {
    const [gone, stays] = [await kept(Buffer.from('one')), await kept(Buffer.from('two'))];
    const [before, other] = [(await rowOf(gone)).object, (await rowOf(stays)).object];
    await blobStore(app.config).remove(app.store.read, [gone]);
    await removeObjects(app.store, objects());
    expect(server.objects()).toEqual(expect.arrayContaining([before, other]));
    await sweep();
    expect(server.objects()).not.toContain(before);
    expect(server.objects()).toContain(other);
    await app.store.read`delete from workspaces where workspaces.id = ${workspaceId}`;
    await sweep();
    expect(server.objects()).not.toContain(other);
    expect(await app.store.read`select from object_removals`).toEqual([]);
  });

  test('whose upload broke off leave neither an object nor a part of one', async () => {
    const before = server.objects();
    const broken = async function* () {
      for (let piece = 0; piece < 12; piece += 1) yield randomBytes(1_000_000);
      throw new Error('the client went away');
    };
    await expect(blobStore(app.config).write(app.store.read, workspaceId, broken())).rejects.toThrow('went away');
    expect(await app.store.read`select from blobs where blobs.workspace_id = ${workspaceId}`).toEqual([]);
    await sweep();
    expect(server.objects()).toEqual(before);
  });

  test('that a server wrote and never kept, since it was killed, are swept with their objects', async () => {
    const { id } = await blobStore(app.config).write(app.store.read, workspaceId, inPieces(Buffer.from('orphan')));
    const { object } = await rowOf(id);
    await app.store.read`update blobs set created_at = now() - interval '27 hours' where id = ${id}`;
    await sweepBlobs(app.store.read);
    await sweep();
    expect(server.objects()).not.toContain(object);
  });

  test('changed, cut or missing there are damaged, and no other one is', async () => {
    const bytes = randomBytes(2_000_000);
    const sound = await kept(bytes);
    const write = (name: string, content: Buffer) => objects().write(name, inPieces(content));
    const damages: ((name: string, content: Buffer) => Promise<unknown>)[] = [
      name => objects().remove(name, false),
      (name, content) => write(name, content.subarray(0, content.length / 2)),
      (name, content) =>
        write(name, Buffer.concat([content.subarray(0, 900), Buffer.from('x'), content.subarray(901)])),
      async name => write(name, await objectOf(sound)),
    ];
    for (const damage of damages) {
      const id = await kept(bytes);
      await damage((await rowOf(id)).object, await objectOf(id));
      await expect(readBack(id)).rejects.toThrow('content-damaged');
    }
    expect((await readBack(sound)).equals(bytes)).toBe(true);
  }, 60_000);
  async function objectOf(id: string): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of objects().read((await rowOf(id)).object)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  test('are 503 with Retry-After while their store is away, change nothing, and everybody else is answered', async () => {
    const client = stateClient(app, workspaceId, owner.owner.token);
    await client.lock();
    const made = await client.push(stateOf({ serial: 1 }));
    await server.stop();
    const refused = await client.push(stateOf({ serial: 2 }), { serial: 2 });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
    const { status, headers } = await transfer(app, 'GET', made.data.attributes['hosted-state-download-url']);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect((await client.workspace()).status).toBe(200);
    expect((await client.current()).data.attributes.serial).toBe(1);
    await server.start();
    expect((await client.push(stateOf({ serial: 2 }), { serial: 2 })).status).toBe(201);
  }, 60_000);

  test('are 503 within their time where the store takes connections and answers nothing', async () => {
    const client = stateClient(app, workspaceId, owner.owner.token);
    await client.lock();
    const patience = limits.objectRequest_ms.value;
    limits.objectRequest_ms.value = 500;
    server.freeze();
    try {
      expect((await client.push(stateOf())).status).toBe(503);
      expect((await client.workspace()).status).toBe(200);
    } finally {
      server.goOn();
      limits.objectRequest_ms.value = patience;
    }
    expect((await client.push(stateOf())).status).toBe(201);
  }, 60_000);

  test('say why they cannot be had to the log, without the key', async () => {
    const wrong = {
      ...app.config,
      blobs: { ...app.config.blobs! },
      blobsKey: { id: 'nobody', secret: 'not-the-secret' },
    };
    const fault = await blobStore(wrong)
      .write(app.store.read, workspaceId, inPieces(Buffer.from('text')))
      .catch(error => error);
    expect(fault.message).toBe('content-store-unavailable');
    expect(fault.cause.message).toMatch(/access key/i);
    expect(JSON.stringify([fault, fault.cause.message, fault.cause.stack])).not.toContain('not-the-secret');
  });
});
