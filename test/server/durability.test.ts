// kill -9 of the server and of every PostgreSQL process in the middle of writes: nothing that was acknowledged is lost.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drawsFor } from '../../src/commands/seed/draws.ts';
import { postgresProcesses } from '../../src/core/store/leftover-processes.ts';
import type { Document } from '../app.ts';
import { createDataDirectory } from '../running/database.ts';
import { killAll } from '../running/kill.ts';
import { prepareDataDirectory } from '../running/prepared.ts';
import { program } from '../running/program.ts';

/** TERRANE_TEST_WRITES=10000 TERRANE_TEST_KILLS=20 npx vitest run test/server/durability.test.ts takes minutes. */
const writeCount = Number(process.env['TERRANE_TEST_WRITES'] ?? 300);
const killCount = Number(process.env['TERRANE_TEST_KILLS'] ?? 2);
const writersAtOnce = 8;

const limit_ms = 120_000 + writeCount * 60 + killCount * 60_000;
const patience = { timeout: limit_ms, interval: 20 };
let parent = '';
let dataDirectory = '';
let child: ChildProcess;
let address = '';

beforeEach(async () => {
  parent = realpathSync(createDataDirectory());
  dataDirectory = await prepareDataDirectory(join(parent, 'data'));
});

afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  expect(await processes()).toEqual([]);
  rmSync(parent, { recursive: true });
});

const processes = () => postgresProcesses(join(dataDirectory, 'postgresql'));

async function serve(): Promise<void> {
  child = spawn(process.execPath, [...program, 'serve'], {
    env: { PORT: '0', TERRANE_DRAIN_SECONDS: '0', TERRANE_DATA_DIR: dataDirectory, TERRANE_LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr!.on('data', chunk => (errors += chunk));
  address = await vi.waitFor(() => {
    const found = /Terrane answers at (\S+).*Ctrl-C/s.exec(errors)?.[1];
    if (found) return found;
    throw new Error(`The server has not answered: ${errors}`);
  }, patience);
}

/** The server and every PostgreSQL process at once, none of which is asked. */
async function killEverything(): Promise<void> {
  const exit = once(child, 'exit');
  const pids = await processes();
  child.kill('SIGKILL');
  killAll(pids);
  await exit;
}

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; document: Document }> {
  const token = readFileSync(join(dataDirectory, 'admin-token'), 'utf8').trim();
  const answer = await fetch(`${address}/api/v2/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, document: text ? JSON.parse(text) : undefined };
}

/** A workspace as one writer knows it. Each write gives all of its parts the same number. */
interface Written {
  name: string;
  id: string | null;
  /** The number of the last write that was acknowledged, and of one that may or may not have happened. */
  acknowledged: number;
  attempted: number;
}

const bodyOf = (name: string, number: number) => ({
  data: {
    type: 'workspaces',
    attributes: { name, description: `write ${number}`, 'working-directory': `at/${number}` },
    relationships: {
      'tag-bindings': { data: [{ type: 'tag-bindings', attributes: { key: 'write', value: String(number) } }] },
    },
  },
});

test(`kill -9 of everything, ${killCount} times during ${writeCount} writes → every acknowledged write is there, whole`, {
  timeout: limit_ms,
}, async () => {
  await serve();
  const attributes = { name: 'acme', email: 'admin@example.com' };
  expect((await call('POST', 'organizations', { data: { type: 'organizations', attributes } })).status).toBe(201);
  const written: Written[] = [];
  const counts = { attempts: 0, acknowledged: 0, unanswered: 0 };
  // Kills fall between these counts of acknowledged writes, wherever the writers happen to be.
  const killsAt = Array.from({ length: killCount }, (_, position) =>
    Math.round(((position + 1) * writeCount) / (killCount + 1)),
  );
  while (counts.acknowledged < writeCount) {
    const goal = killsAt.shift() ?? writeCount;
    const isLast = goal === writeCount;
    const writers = Array.from({ length: writersAtOnce }, (_, writer) => write(writer, goal, isLast, written, counts));
    if (!isLast) {
      await vi.waitFor(() => expect(counts.acknowledged).toBeGreaterThanOrEqual(goal), {
        timeout: limit_ms,
        interval: 1,
      });
      await killEverything();
    }
    await Promise.all(writers);
    if (!isLast) await serve();
  }
  console.info(
    `${counts.acknowledged} writes acknowledged, ${counts.unanswered} without an answer, ${killCount} kills, ` +
      `${written.length} workspaces`,
  );
  expect(counts.unanswered).toBeGreaterThan(0);
  await judge(written);
});

/** Creates and updates workspaces of its own until the goal is reached, or the server does not answer any more. */
async function write(
  writer: number,
  goal: number,
  isLast: boolean,
  written: Written[],
  counts: { attempts: number; acknowledged: number; unanswered: number },
): Promise<void> {
  const draws = drawsFor(`durability ${writer} ${counts.attempts}`);
  const own: Written[] = [];
  while (counts.acknowledged < goal || !isLast) {
    counts.attempts += 1;
    const number = counts.attempts;
    const isUpdate = own.length > 0 && draws.chance(0.7);
    const target = isUpdate ? draws.pick(own) : { name: `ws-${number}`, id: null, acknowledged: 0, attempted: 0 };
    if (!isUpdate) written.push(target);
    target.attempted = number;
    try {
      const answer = isUpdate
        ? await call('PATCH', `workspaces/${target.id}`, bodyOf(target.name, number))
        : await call('POST', 'organizations/acme/workspaces', bodyOf(target.name, number));
      // While PostgreSQL goes first, the server may still say that nothing was changed.
      if (answer.status >= 500) throw new Error(`answered ${answer.status}`);
      expect(answer.status).toBe(isUpdate ? 200 : 201);
      if (!isUpdate) {
        target.id = answer.document.data.id;
        own.push(target);
      }
      target.acknowledged = number;
      counts.acknowledged += 1;
    } catch (error) {
      if ((error as Error).name === 'AssertionError') throw error;
      counts.unanswered += 1;
      return;
    }
    await sleep(0);
  }
}

/** Each workspace is as its last acknowledged write left it, or as the one without an answer would have: never a mixture. */
async function judge(written: readonly Written[]): Promise<void> {
  const found = await readAll();
  const problems: string[] = [];
  for (const { name, id, acknowledged, attempted } of written) {
    const workspace = found.get(name);
    if (!workspace) {
      if (acknowledged > 0) problems.push(`${name} is lost`);
      continue;
    }
    const { description, 'working-directory': directory } = workspace.attributes;
    const number = Number(description.slice('write '.length));
    if (number !== acknowledged && number !== attempted) problems.push(`${name}: ${description} after ${acknowledged}`);
    if (id !== null && workspace.id !== id) problems.push(`${name} is another record`);
    if (directory !== `at/${number}`) problems.push(`${name}: ${directory} beside ${description}`);
    if (workspace.binding !== String(number)) problems.push(`${name}: bound to ${workspace.binding}, ${description}`);
  }
  const expected = new Set(written.map(({ name }) => name));
  for (const name of found.keys()) if (!expected.has(name)) problems.push(`${name} was never asked for`);
  expect(problems).toEqual([]);
}

/** Every workspace by its name, with the value that it is bound to. */
async function readAll(): Promise<Map<string, Document>> {
  const found = new Map<string, Document>();
  for (let page: number | null = 1; page; ) {
    const { status, document }: { status: number; document: Document } = await call(
      'GET',
      `organizations/acme/workspaces?page[size]=100&page[number]=${page}`,
    );
    expect(status).toBe(200);
    for (const workspace of document.data) found.set(workspace.attributes.name, workspace);
    expect(document.meta.pagination['total-count']).toBeGreaterThanOrEqual(found.size);
    page = document.meta.pagination['next-page'];
  }
  for (const workspace of found.values()) {
    const { document } = await call('GET', `workspaces/${workspace.id}/tag-bindings`);
    workspace.binding = document.data.map((one: Document) => one.attributes.value).join();
  }
  return found;
}
