// The disk below the embedded PostgreSQL fills up while requests come in, and gets room again: on a file system of its own.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, realpathSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { postgresProcesses } from '../../src/core/store/leftover-processes.ts';
import type { Document } from '../app.ts';
import { bodyOf } from '../builders/records.ts';
import { stateOf, versionBody } from '../builders/state.ts';
import { createDirectory } from '../running/database.ts';
import { prepareDataDirectory } from '../running/prepared.ts';
import { type ServedAnswer, type Server, startServer } from '../running/server.ts';

const mebibyte = 1024 * 1024;
const patience = { timeout: 60_000, interval: 100 };
const unavailable =
  'The database does not answer. Try again in a moment. If you were changing something, check first whether it was changed.';
let parent = '';
let dataDirectory = '';
let isMounted = false;
let server: Server | undefined;

/** Data files and the log of a fresh PostgreSQL take 40 MiB. */
beforeEach(() => {
  parent = realpathSync(createDirectory());
  dataDirectory = join(parent, 'data');
  mkdirSync(dataDirectory);
  const mount = ['-t', 'tmpfs', '-o', 'size=160m,mode=0711', 'tmpfs', dataDirectory];
  isMounted = process.platform === 'linux' && spawnSync('mount', mount).status === 0;
});

afterEach(async () => {
  await server?.end();
  expect(await postgresProcesses(join(dataDirectory, 'postgresql'))).toEqual([]);
  if (isMounted) execFileSync('umount', ['--lazy', dataDirectory]);
  rmSync(parent, { recursive: true });
});

/** Takes all room but so much. What it returns gives it back. */
function leaveRoom(bytes: number): () => void {
  const { bavail, bsize } = statfsSync(dataDirectory);
  const path = join(dataDirectory, `ballast-${randomBytes(4).toString('hex')}`);
  const file = openSync(path, 'w');
  for (let left = bavail * bsize - bytes; left > 0; left -= mebibyte) {
    writeSync(file, Buffer.alloc(Math.min(mebibyte, left), 1));
  }
  closeSync(file);
  return () => rmSync(path);
}

/** The form that every answer has while room is short: a success, or the refusal that means "not now". */
function judged(answer: ServedAnswer): ServedAnswer {
  if (answer.status === 503) expect(answer.problems).toEqual([unavailable]);
  else expect([answer.status, answer.problems]).toEqual([expect.toSatisfy(status => status < 300), []]);
  return answer;
}

/** What compression cannot shorten, so that it takes the room that it says. */
const largeState = (serial: number) => stateOf({ serial, noise: randomBytes(3 * mebibyte).toString('latin1') });

test('§7 the disk fills → each answer is a kept success or 503; with room again → all is there, without a restart', {
  timeout: 180_000,
}, async context => {
  context.skip(!isMounted, 'no small file system was mounted to fill'); // Only root may mount one.
  await prepareDataDirectory(dataDirectory);
  server = await startServer({ TERRANE_DATA_DIR: dataDirectory });
  const { call, output } = server;
  await call('POST', 'organizations', bodyOf('organizations', { name: 'acme', email: 'admin@example.com' }));
  const createWorkspace = (name: string) =>
    call('POST', 'organizations/acme/workspaces', bodyOf('workspaces', { name }));
  const workspaceId = (await createWorkspace('main')).document.data.id;
  await call('POST', `workspaces/${workspaceId}/actions/lock`);
  const currentSerial = async () => {
    const answer = judged(await call('GET', `workspaces/${workspaceId}/current-state-version`));
    return answer.document.data.attributes.serial;
  };
  /** What was acknowledged. */
  const names = new Set(['main']);
  const states = new Map<string, Buffer>();
  let serial = 0;
  const push = async (isInline = true) => {
    serial += 1;
    const state = largeState(serial);
    const answer = judged(
      await call('POST', `workspaces/${workspaceId}/state-versions`, versionBody(state, { serial }, isInline)),
    );
    if (answer.status === 201) states.set(answer.document.data.id, state);
    return answer;
  };
  expect((await push()).status).toBe(201);
  const announced = (await push(false)).document.data;
  const upload = () => call('PUT', announced.attributes['hosted-state-upload-url'], states.get(announced.id)!);

  // Data files cannot grow any more; PostgreSQL runs on.
  const emptyAgain = leaveRoom(mebibyte / 2);
  expect(judged(await upload()).status).toBe(503);
  expect(judged(await push()).status).toBe(503);
  expect(await currentSerial()).toBe(1);
  expect(output()).not.toContain('starting it again');
  emptyAgain();
  expect((await upload()).status).toBe(200);
  expect((await push()).status).toBe(201);

  // Its log finds no room for the next 16 MiB either, and that ends PostgreSQL.
  const giveBack = leaveRoom(15 * mebibyte);
  const isDown = () => (output().match(/cannot be started again/g)?.length ?? 0) >= 3;
  const repeat = async (work: () => Promise<unknown>) => {
    for (; !isDown(); await sleep(5)) await work();
  };
  let attempts = 0;
  const create = async () => {
    attempts += 1;
    const name = `ws-${attempts}`;
    if (judged(await createWorkspace(name)).status === 201) names.add(name);
  };
  const read = async () => judged(await call('GET', 'organizations/acme/workspaces'));
  await Promise.all([repeat(create), repeat(create), repeat(read), repeat(push)]);
  expect([names.size > 2, attempts > names.size]).toEqual([true, true]);
  expect(judged(await read()).status).toBe(503);
  expect([(await call('GET', '/healthz')).status, (await call('GET', '/readyz')).status]).toEqual([200, 503]);

  giveBack();
  await vi.waitFor(async () => expect((await createWorkspace('after')).status).toBe(201), patience);
  expect(server.hasEnded()).toBe(false);
  const found = new Set<string>();
  for (let page: number | null = 1; page !== null; ) {
    const { document } = await call('GET', `organizations/acme/workspaces?page[size]=100&page[number]=${page}`);
    for (const { attributes } of document.data as Document[]) found.add(attributes.name);
    page = document.meta.pagination['next-page'];
  }
  expect([...names].filter(name => !found.has(name))).toEqual([]);
  for (const [id, state] of states) {
    const { document } = await call('GET', `state-versions/${id}`);
    const { document: content } = await call('GET', document.data.attributes['hosted-state-download-url']);
    expect(content).toEqual(JSON.parse(state.toString()));
  }
  const lastKept = JSON.parse([...states.values()].at(-1)!.toString()).serial;
  expect(await currentSerial()).toBeGreaterThanOrEqual(lastKept);
  expect((await push()).status).toBe(201);
});
