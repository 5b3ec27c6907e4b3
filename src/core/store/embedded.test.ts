// Real processes: every test starts PostgreSQL in a directory of its own, some through a child process that is killed.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDataDirectory } from '../../../test/running/database.ts';
import { killAll } from '../../../test/running/kill.ts';
import { prepareDataDirectory } from '../../../test/running/prepared.ts';
import { DirectoryInUseError } from './directory-lock.ts';
import { type Embedded, openEmbedded, startEmbedded } from './embedded.ts';
import { endLeftovers, postgresProcesses } from './leftover-processes.ts';
import { type Connection, openStore } from './store.ts';

const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };
// A start takes a second, and many on a machine where other things run.
const patience = { timeout: 60_000, interval: 20 };
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
let parent = '';
let dataDirectory = '';
let cleanups: (() => unknown)[] = [];

beforeEach(() => {
  parent = realpathSync(createDataDirectory());
  dataDirectory = join(parent, 'data');
});

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  cleanups = [];
  expect(await postgresProcesses(join(dataDirectory, 'postgresql'))).toEqual([]);
  rmSync(parent, { recursive: true });
});

/** Starts it in this process, and stops it after the test unless the test does. */
async function start(directory = dataDirectory): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDirectory: directory, log });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= embedded.stop();
    return stopped;
  };
  cleanups.push(stop);
  return { connection: embedded.connection, stop };
}

/** Starts it in a child process, which says `ready` and can be killed. */
async function startChild(directory = dataDirectory): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('../../../test/running/embedded-holder.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanups.push(() => endChild(child));
  for await (const line of createInterface({ input: child.stdout! })) if (line === 'ready') return child;
  throw new Error('The child process ended before PostgreSQL was ready.');
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

async function query(connection: Connection, statement: string): Promise<readonly Record<string, unknown>[]> {
  const store = openStore(connection, { connections: 1 });
  try {
    return await store.read.unsafe(statement);
  } finally {
    await store.close();
  }
}

const processes = () => postgresProcesses(join(dataDirectory, 'postgresql'));

test('a first start creates the database, a second one finds the rows, and stopping leaves no process and no socket', async () => {
  const first = await start();
  await query(first.connection, 'create table fruit (id text)');
  await query(first.connection, "insert into fruit values ('apple')");
  expect(await query(first.connection, 'show fsync')).toEqual([{ fsync: 'on' }]);
  expect(await query(first.connection, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
  expect(await query(first.connection, 'show timezone')).toEqual([{ TimeZone: 'UTC' }]);
  expect(await query(first.connection, "select lower('ÄÉ') as lower, 'a' > 'B' as by_code_point")).toEqual([
    { lower: 'äé', by_code_point: true },
  ]);
  expect(statSync(first.connection.socketDirectory).mode & 0o777).toBe(0o700);
  await first.stop();
  expect(await processes()).toEqual([]);
  expect(readdirSync(join(dataDirectory, 'lock'))).toEqual([]);
  expect(readdirSync(join(dataDirectory, 'postgresql')).filter(name => name.startsWith('.s.'))).toEqual([]);

  const second = await start();
  expect(await query(second.connection, 'select fruit.id from fruit')).toEqual([{ id: 'apple' }]);
});

test('a second server on the same directory is told who holds it, and its way out does not disturb the first', async () => {
  await prepareDataDirectory(dataDirectory);
  const first = await start();
  const second = startEmbedded({ dataDirectory, log });
  await expect(second).rejects.toThrow(DirectoryInUseError);
  await expect(second).rejects.toThrow(`in use by another Terrane server (process ${process.pid})`);
  expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('of many servers that start at once on a fresh directory exactly one gets it', async () => {
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => startEmbedded({ dataDirectory, log })));
  const winners = results.filter(result => result.status === 'fulfilled');
  for (const winner of winners) await winner.value.stop();
  expect(winners.length).toBe(1);
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(DirectoryInUseError);
});

test('a command joins the PostgreSQL of a running server, and leaves it running', async () => {
  await prepareDataDirectory(dataDirectory);
  const first = await start();
  const joined = await openEmbedded({ dataDirectory, log });
  expect(await query(joined.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await joined.stop();
  expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('after kill -9 of the server the next start replaces the PostgreSQL left behind, with every acknowledged row', async () => {
  await prepareDataDirectory(dataDirectory);
  const child = await startChild();
  const joined = await openEmbedded({ dataDirectory, log });
  await query(joined.connection, 'create table fruit (id integer)');
  for (let id = 0; id < 50; id += 1) await query(joined.connection, `insert into fruit values (${id})`);
  const before = await processes();
  await kill(child);
  expect(await processes()).not.toEqual([]);
  const next = await start();
  expect(await query(next.connection, 'select count(*)::integer as count from fruit')).toEqual([{ count: 50 }]);
  expect((await processes()).filter(pid => before.includes(pid))).toEqual([]);
});

test('after kill -9 of the server and of every postgres process the next start recovers', async () => {
  await prepareDataDirectory(dataDirectory);
  const child = await startChild();
  const joined = await openEmbedded({ dataDirectory, log });
  await query(joined.connection, 'create table fruit as select generate_series(1, 50) as id');
  await kill(child);
  killAll(await processes());
  const next = await start();
  expect(await query(next.connection, 'select count(*)::integer as count from fruit')).toEqual([{ count: 50 }]);
});

test('kill -9 of every postgres process while the server runs → it is started again by itself', async () => {
  await prepareDataDirectory(dataDirectory);
  const { connection } = await start();
  await query(connection, 'create table fruit as select 1 as id');
  const before = await processes();
  killAll(before);
  await vi.waitFor(async () => {
    expect(await query(connection, 'select fruit.id from fruit')).toEqual([{ id: 1 }]);
    expect((await processes()).filter(pid => before.includes(pid))).toEqual([]);
  }, patience);
});

test('kill -9 of the postmaster alone → its orphans are ended and it is started again', async () => {
  await prepareDataDirectory(dataDirectory);
  const { connection } = await start();
  const pid = Number.parseInt(readFileSync(join(dataDirectory, 'postgresql/postmaster.pid'), 'utf8'), 10);
  const sleeping = query(connection, 'select pg_sleep(600)').catch((error: Error) => error);
  const active = "select from pg_stat_activity where pg_stat_activity.query = 'select pg_sleep(600)'";
  await vi.waitFor(async () => expect((await query(connection, active)).length).toBe(1), patience);
  process.kill(pid, 'SIGKILL');
  expect(await sleeping).toBeInstanceOf(Error);
  await vi.waitFor(async () => {
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await processes()).not.toContain(pid);
  }, patience);
});

test('stopping right after a crash waits for the restart and leaves nothing', async () => {
  await prepareDataDirectory(dataDirectory);
  const { stop } = await start();
  killAll(await processes());
  await stop();
  expect(await processes()).toEqual([]);
});

test('pid and lock files that name a living stranger do not block a start', async () => {
  await prepareDataDirectory(dataDirectory);
  const first = await start();
  const version = await query(first.connection, 'select 1 as one');
  expect(version).toEqual([{ one: 1 }]);
  await first.stop();
  const directory = join(dataDirectory, 'postgresql');
  const stranger = `${process.ppid}\n${directory}\n1\n5432\n.\n\n  0 0\nready\n`;
  writeFileSync(join(directory, 'postmaster.pid'), stranger);
  writeFileSync(join(directory, '.s.PGSQL.5432.lock'), stranger);
  writeFileSync(join(dataDirectory, 'lock', `${process.ppid}-abcdef.held`), '');
  const next = await start();
  expect(await query(next.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('an initdb interrupted half-way is thrown away', async () => {
  const program = fileURLToPath(new URL('../../../test/running/embedded-holder.ts', import.meta.url));
  const half = () =>
    (existsSync(dataDirectory) ? readdirSync(dataDirectory) : []).find(name => name.includes('partial'));
  const isWhole = () => existsSync(join(dataDirectory, 'postgresql'));
  do {
    // On a busy machine it may be whole before it is killed: that was none, then.
    rmSync(dataDirectory, { recursive: true, force: true });
    const child = spawn(process.execPath, ['--import', 'tsx', program, dataDirectory], { stdio: 'ignore' });
    await vi.waitFor(
      () => expect(isWhole() || existsSync(join(dataDirectory, half() ?? '-', 'PG_VERSION'))).toBe(true),
      { ...patience, interval: 2 },
    );
    await kill(child);
    if (isWhole()) await endLeftovers(join(dataDirectory, 'postgresql'));
  } while (isWhole());
  const next = await start();
  expect(await query(next.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await next.stop();
  await vi.waitFor(async () => {
    await (await startEmbedded({ dataDirectory, log })).stop();
    expect(half()).toBeUndefined();
  }, patience);
});

test('a data directory with a path too long for a socket gets a short name, which a killed server does not leave for ever', async () => {
  dataDirectory = await prepareDataDirectory(join(parent, 'long'.repeat(40)));
  // Other servers of this machine have such links, too.
  const links = () =>
    readdirSync(tmpdir()).filter(name => name.startsWith('terrane-socket-') && leadsTo(parent, join(tmpdir(), name)));
  const child = await startChild();
  await kill(child);
  expect(links()).toHaveLength(1);
  const { connection, stop } = await start();
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(links()).toHaveLength(1);
  await stop();
  expect(links()).toEqual([]);
});

function leadsTo(directory: string, folder: string): boolean {
  try {
    return readlinkSync(join(folder, 'data')).startsWith(directory);
  } catch {
    return false; // Whose it was has removed it meanwhile.
  }
}

test('a data directory that cannot be written says whose job it is', async () => {
  writeFileSync(join(parent, 'file'), '');
  const started = startEmbedded({ dataDirectory: join(parent, 'file', 'data'), log });
  await expect(started).rejects.toThrow(/data directory .* cannot be used .*TERRANE_DATA_DIR/);
});

test('data of another major version are refused before anything is touched', async () => {
  await prepareDataDirectory(dataDirectory);
  const first = await start();
  await first.stop();
  writeFileSync(join(dataDirectory, 'postgresql/PG_VERSION'), '14\n');
  await expect(startEmbedded({ dataDirectory, log })).rejects.toThrow(/made by PostgreSQL 14, .* brings PostgreSQL 18/);
});

const asRoot = test.runIf(process.getuid?.() === 0);

asRoot('as root below a directory that nobody else may pass → PostgreSQL runs as an unprivileged user', async () => {
  await prepareDataDirectory(dataDirectory);
  chmodSync(parent, 0o700);
  const { connection } = await start();
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  const running = await processes();
  expect(running.length).toBeGreaterThan(0);
  for (const pid of running) {
    expect(execFileSync('stat', ['-c', '%u', `/proc/${pid}`], { encoding: 'utf8' })).not.toBe('0\n');
  }
});

asRoot('as root a restored backup that belongs to root is given to the right user', async () => {
  await prepareDataDirectory(dataDirectory);
  const first = await start();
  await first.stop();
  execFileSync('chown', ['-R', '0:0', join(dataDirectory, 'postgresql')]);
  execFileSync('chmod', ['755', join(dataDirectory, 'postgresql')]);
  const { connection } = await start();
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

asRoot('as root in a directory of an ordinary user → PostgreSQL runs as that user', async () => {
  const uid = Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }));
  mkdirSync(dataDirectory);
  chownSync(dataDirectory, uid, uid);
  await start();
  expect(statSync(join(dataDirectory, 'postgresql')).uid).toBe(uid);
});

test('leftovers of a directory without processes → none, and it may not even exist', async () => {
  expect(await endLeftovers(join(parent, 'absent'))).toBe(0);
});
