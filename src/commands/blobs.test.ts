// `terrane blobs` and the commands that know of contents in an object store, as an operator runs them beside a server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openAppOn, pepper, type TestApp } from '../../test/app.ts';
import { organization } from '../../test/builders/records.ts';
import { stateClient, stateOf, transfer } from '../../test/builders/state.ts';
import { workspace } from '../../test/builders/workspace.ts';
import { createDatabase, createDirectory, createEmptyDatabase, reachableUrl } from '../../test/running/database.ts';
import { type ObjectServer, objectServerProgram, startObjectServer } from '../../test/running/object-server.ts';
import { program } from '../../test/running/program.ts';
import { openStore } from '../core/store/store.ts';
import { lookAtAll } from './verify.ts';

const encryptionKey = 'the encryption key of this test';
const keys = { TERRANE_TOKEN_PEPPER: pepper, TERRANE_ENCRYPTION_KEY: encryptionKey };
/** Of several commands, each a process of its own. */
const several_ms = 300_000;
const patience = { timeout: 30_000, interval: 5 };

if (!objectServerProgram) console.warn('Not run: moving contents. Install versitygw, or name it by VERSITYGW.');

describe.skipIf(!objectServerProgram)('contents in an object store', () => {
  const closers: (() => unknown)[] = [];
  const folder = createDirectory();
  let objects: ObjectServer;
  let app: TestApp;
  let url: string;
  /** What was written, and where it is downloaded. */
  const states: { state: Buffer; address: string }[] = [];

  beforeAll(async () => {
    objects = await startObjectServer();
    const database = await createDatabase();
    closers.push(objects.stop, database.drop);
    const reachable = await reachableUrl(database.connection);
    ({ url } = reachable);
    // The states come into PostgreSQL, before anybody thought of an object store.
    const before = await openAppOn(database, keys);
    const owner = await organization(before);
    for (let number = 1; number <= 12; number += 1) {
      const client = stateClient(before, await workspace(before, owner), owner.owner.token);
      await client.lock();
      const state = stateOf({ resources: 10 * number });
      const made = await client.push(state);
      expect(made.status).toBe(201);
      states.push({ state, address: made.data.attributes['hosted-state-download-url'] });
    }
    app = await openAppOn(database, { ...keys, ...objects.environment });
    closers.push(reachable.close, before.close, app.close);
  }, several_ms);
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  });

  function begin(parameters: readonly string[], more: Record<string, string> = {}, database = url) {
    const environment = {
      DATABASE_URL: database,
      TERRANE_LOG_LEVEL: 'silent',
      ...keys,
      ...objects.environment,
      ...more,
    };
    const child = spawn(process.execPath, [...program, ...parameters], { env: environment });
    let [output, errors] = ['', ''];
    child.stdout.on('data', chunk => (output += chunk));
    child.stderr.on('data', chunk => (errors += chunk));
    return { child, ended: once(child, 'close').then(([status]) => ({ status, output, errors })) };
  }
  const run = (...given: Parameters<typeof begin>) => begin(...given).ended;
  const onTheWayBack = () => ({ TERRANE_BLOBS: `${objects.environment['TERRANE_BLOBS']}&new=postgresql` });

  async function places(): Promise<{ rows: number; objects: number }> {
    const [found] = await app.store.read<{ rows: number; objects: number }[]>`
      select (select count(*) from blobs where blobs.object is null) as rows,
        (select count(*) from blobs where blobs.object is not null) as objects`;
    return found!;
  }
  async function expectAllReadable(by = app): Promise<void> {
    const read = await Promise.all(states.map(({ address }) => transfer(by, 'GET', address)));
    expect(read.map(({ status }) => status)).toEqual(states.map(() => 200));
    expect(read.every(({ bytes }, at) => bytes.equals(states[at]!.state))).toBe(true);
  }
  const wrongOf = async (by: TestApp) =>
    (await lookAtAll(by.store.read, by.config)).filter(({ wrong }) => wrong > 0).flatMap(({ problems }) => problems);

  test(
    'move there while they are read; broken off by kill -9, the next call goes on, and no piece is lost',
    async () => {
      let isMoving = true;
      const reading = (async () => {
        while (isMoving) await expectAllReadable();
      })();
      const { child, ended } = begin(['blobs', 'move']);
      await vi.waitFor(async () => expect((await places()).objects).toBeGreaterThan(0), patience);
      child.kill('SIGKILL');
      await ended;
      const moved = await run(['blobs', 'move', '--json']);
      isMoving = false;
      await reading;
      expect([moved.status, JSON.parse(moved.output).problems]).toEqual([0, []]);
      expect(await places()).toEqual({ rows: 0, objects: 12 });
      expect(await app.store.read`select from blob_chunks limit 1`).toEqual([]);
      await expectAllReadable();
      expect(await wrongOf(app)).toEqual([]);
    },
    several_ms,
  );

  test(
    'are sealed anew by the present key, and the old one is needed no more',
    async () => {
      const later = { TERRANE_ENCRYPTION_KEY: 'a newer key of this test' };
      const dry = await run(['reseal', '--dry-run'], { ...later, TERRANE_OLD_ENCRYPTION_KEYS: encryptionKey });
      expect(dry.output).toMatch(/12 in blobs\.object/);
      const resealed = await run(['reseal', '--json'], { ...later, TERRANE_OLD_ENCRYPTION_KEYS: encryptionKey });
      expect([resealed.status, JSON.parse(resealed.output).problems]).toEqual([0, []]);
      const verified = await run(['verify'], later);
      expect(verified.status, verified.errors).toBe(0);
      const again = await run(['reseal', '--json'], {
        ...keys,
        TERRANE_OLD_ENCRYPTION_KEYS: later.TERRANE_ENCRYPTION_KEY,
      });
      expect(again.status).toBe(0);
      await expectAllReadable();
    },
    several_ms,
  );

  test(
    'are in a backup, which is restored without any object store',
    async () => {
      const file = join(folder, 'whole.backup');
      expect((await run(['backup', file])).status).toBe(0);
      const empty = await createEmptyDatabase();
      const reachable = await reachableUrl(empty.connection);
      closers.push(empty.drop, reachable.close);
      const alone = { TERRANE_BLOBS: '' };
      const restored = await run(['restore', file], alone, reachable.url);
      expect(restored.status, restored.errors).toBe(0);
      const store = openStore(empty.connection, { connections: 2 });
      closers.push(() => store.close());
      const kept = await store.read<{ objects: number; pieces: number }[]>`
      select (select count(*) from blobs where blobs.object is not null) as objects,
        (select count(*) from blob_chunks) as pieces`;
      expect(kept[0]!.objects).toBe(0);
      expect(kept[0]!.pieces).toBeGreaterThanOrEqual(12);
      const verified = await run(['verify'], alone, reachable.url);
      expect(verified.status, verified.errors).toBe(0);
    },
    several_ms,
  );

  test(
    'may be left where they are by a backup, which asks for that store when it is restored',
    async () => {
      const file = join(folder, 'records.backup');
      expect((await run(['backup', '--leave-objects', file])).status).toBe(0);
      const empty = await createEmptyDatabase();
      const reachable = await reachableUrl(empty.connection);
      closers.push(empty.drop, reachable.close);
      const refused = await run(['restore', file], { TERRANE_BLOBS: '' }, reachable.url);
      expect([refused.status, refused.errors]).toEqual([1, expect.stringContaining('set TERRANE_BLOBS to that store')]);
      expect((await run(['restore', file], {}, reachable.url)).status).toBe(0);
      const verified = await run(['verify'], {}, reachable.url);
      expect(verified.status, verified.errors).toBe(0);
    },
    several_ms,
  );

  test(
    'are looked at by the doctor, and no server starts that could not read them',
    async () => {
      const well = await run(['doctor', '--json']);
      const found = (text: string) =>
        JSON.parse(text).diagnoses.find(({ name }: { name: string }) => name === 'object store');
      expect(found(well.output)).toMatchObject({
        verdict: 'ok',
        found: expect.stringContaining('s3://contents/of/terrane/'),
      });
      const wrongKey = await run(['doctor', '--json'], { TERRANE_BLOBS_KEY: 'terrane-tests:not-the-secret' });
      expect(found(wrongKey.output).verdict).toBe('problem');
      expect(wrongKey.output).not.toContain('not-the-secret');
      expect(found((await run(['doctor', '--json'], { TERRANE_BLOBS: '' })).output).verdict).toBe('problem');
      const server = await run(['serve'], { TERRANE_BLOBS: '', PORT: '0' });
      expect([server.status, server.errors]).toEqual([1, expect.stringContaining('set TERRANE_BLOBS to it')]);
    },
    several_ms,
  );

  test(
    'that are missing there stay where they are, are named, and keep nobody else from moving back',
    async () => {
      const [lost] = await app.store.read<{ id: string; object: string }[]>`
      select blobs.id, blobs.object from blobs order by blobs.id limit 1`;
      await app.store.read`update blobs set object = 'nowhere' where blobs.id = ${lost!.id}`;
      const refused = await run(['blobs', 'move', '--back']);
      expect([refused.status, refused.errors]).toEqual([1, expect.stringContaining('new=postgresql')]);
      const moved = await run(['blobs', 'move', '--back'], onTheWayBack());
      expect([moved.status, moved.errors]).toEqual([1, expect.stringContaining(lost!.id)]);
      expect(await places()).toEqual({ rows: 11, objects: 1 });
      await app.store.read`update blobs set object = ${lost!.object} where blobs.id = ${lost!.id}`;
      expect((await run(['blobs', 'move', '--back'], onTheWayBack())).output).toBe(
        'Moved 1 contents into PostgreSQL.\n',
      );
      expect(await places()).toEqual({ rows: 12, objects: 0 });
      await expectAllReadable();
      expect(await wrongOf(app)).toEqual([]);
    },
    several_ms,
  );
});
