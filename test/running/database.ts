// One PostgreSQL for a whole test run, with a migrated template; each test file clones as many databases as it likes.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../../src/core/store/embedded.ts';
import { migrate } from '../../src/core/store/migrate.ts';
import { type Connection, openStore } from '../../src/core/store/store.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the run's PostgreSQL is, connected to its maintenance database. */
    server: Connection;
    /** The name of the run's migrated template database. */
    template: string;
    /** Where tests put their own directories; whatever ends the run, it is removed, and who works in it is ended. */
    runDirectory: string;
    /** As runDirectory, and in memory where there is room: for the files of databases, which come and go by the thousand. */
    dataDirectory: string;
  }
}

/** Vitest calls this once before all tests, and the function it returns after them. */
export default async function startDatabaseServer(project: TestProject): Promise<() => Promise<void>> {
  const runDirectory = mkdtempSync(join(tmpdir(), 'terrane-test-'));
  const dataDirectory = placeInMemory() ?? join(runDirectory, 'data');
  mkdirSync(dataDirectory, { recursive: true });
  const guard = guardAgainstInterruption([dataDirectory, runDirectory]);
  const template = `terrane_template_${randomBytes(4).toString('hex')}`;
  const url = process.env['TERRANE_TEST_DATABASE_URL'];
  const { server, stop } = url ? { server: { url }, stop: async () => undefined } : await startServer(dataDirectory);
  await execute(server, `create database ${template}`);
  await migrate(inDatabase(server, template));
  const share = Number(process.env['TERRANE_TEST_CONFLICTS'] ?? 0) / 100;
  if (share > 0) await execute(inDatabase(server, template), conflictsAtCommit(share));
  project.provide('server', server);
  project.provide('template', template);
  project.provide('runDirectory', runDirectory);
  project.provide('dataDirectory', dataDirectory);
  return async () => {
    if (url) await execute(server, `drop database ${template} with (force)`);
    await stop();
    for (const directory of [dataDirectory, runDirectory]) rmSync(directory, { recursive: true, force: true });
    guard.kill();
  };
}

/**
 * As distributed engines do: of the transactions that changed something, a share fails at its commit and must be tried again.
 * Single statements, which have none, are spared: such engines try them again themselves.
 */
function conflictsAtCommit(share: number): string {
  return `
    create function conflict_at_commit() returns trigger language plpgsql as $$
    begin
      if current_setting('test.judged', true) is distinct from pg_current_xact_id()::text then
        perform set_config('test.judged', pg_current_xact_id()::text, true);
        if current_query() = 'commit' and random() < ${share} then
          raise exception 'restart transaction' using errcode = '40001';
        end if;
      end if;
      return null;
    end $$;
    do $$
    declare
      one regclass;
    begin
      for one in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
        execute format('create constraint trigger conflict_at_commit after insert or update or delete on %s
          deferrable initially deferred for each row execute function conflict_at_commit()', one);
      end loop;
    end $$;`;
}

/**
 * A database is a thousand files: on a disk to make them is most of what it costs. Undefined where the machine has no
 * directory in memory, or too little room there, as in containers.
 */
function placeInMemory(): string | undefined {
  const shared = '/dev/shm';
  try {
    accessSync(shared, constants.W_OK);
    const { bavail, bsize } = statfsSync(shared);
    return bavail * bsize < 3 * 2 ** 30 ? undefined : mkdtempSync(join(shared, 'terrane-test-'));
  } catch {
    return undefined;
  }
}

async function startServer(dataDirectory: string): Promise<{ server: Connection; stop(): Promise<void> }> {
  const silent = () => undefined;
  const log = { debug: silent, info: silent, warn: console.warn, error: console.error };
  const embedded = await startEmbedded({ dataDirectory: join(dataDirectory, 'server'), log, durable: false });
  return { server: embedded.connection, stop: embedded.stop };
}

/**
 * A process that waits for the end of its input, which comes however this one ends, and then tidies up: it ends the
 * servers whose locks lie in the directories, then every PostgreSQL in them, and removes them with what is mounted below.
 */
function guardAgainstInterruption(directories: readonly string[]) {
  const script = `
    cat
    for lock in $(find "$@" -name '*.held'); do pid=\${lock##*/}; kill -KILL "\${pid%%-*}"; done
    for file in $(find "$@" -name postmaster.pid); do kill -QUIT "$(head -n 1 "$file")"; done
    sleep 1
    for directory; do
      for place in $(grep -o " $directory/[^ ]*" /proc/mounts); do umount --lazy "$place"; done
      rm -rf "$directory"
    done`;
  const guard = spawn('/bin/sh', ['-c', script, 'sh', ...directories], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  return guard;
}

/** A directory of the test's own, below the run's. The test may remove it; the end of the run does. */
export function createDirectory(): string {
  return mkdtempSync(join(inject('runDirectory'), 'test-'));
}

/** As `createDirectory`, for the data directory of a server. */
export function createDataDirectory(): string {
  return mkdtempSync(join(inject('dataDirectory'), 'test-'));
}

export type TestDatabase = { connection: Connection; drop(): Promise<void> };

/** A fresh, migrated, empty database of the test's own. */
export async function createDatabase(): Promise<TestDatabase> {
  const server = inject('server');
  const name = `terrane_test_${randomBytes(6).toString('hex')}`;
  // A third of what the default strategy costs, where nothing is synced; an operator's server may not know the word.
  const strategy = 'url' in server ? '' : 'strategy file_copy';
  await execute(server, `create database ${name} template ${inject('template')} ${strategy}`);
  return {
    connection: inDatabase(server, name),
    drop: () => execute(server, `drop database if exists ${name} with (force)`),
  };
}

/** A fresh database without a schema, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const server = inject('server');
  const name = `terrane_test_${randomBytes(6).toString('hex')}`;
  await execute(server, `create database ${name}`);
  return {
    connection: inDatabase(server, name),
    drop: () => execute(server, `drop database if exists ${name} with (force)`),
  };
}

/** For statements that take no parameters; one alone may be such as refuses to run inside a transaction. */
async function execute(connection: Connection, statement: string): Promise<void> {
  const store = openStore(connection, { connections: 1, isPatient: true });
  try {
    await store.read.script(statement);
  } finally {
    await store.close();
  }
}

function inDatabase(connection: Connection, database: string): Connection {
  if (!('url' in connection)) return { ...connection, database };
  const url = new URL(connection.url);
  url.pathname = `/${database}`;
  return { url: url.href };
}

/** For programs that are told a URL: the run's own server listens on a unix socket, so a port is piped through to it. */
export async function reachableUrl(connection: Connection): Promise<{ url: string; close: () => void }> {
  if ('url' in connection) return { url: connection.url, close: () => undefined };
  const path = join(connection.socketDirectory, `.s.PGSQL.${connection.port}`);
  const proxy = createServer(socket => {
    const upstream = connect(path);
    socket.on('error', () => upstream.destroy()).pipe(upstream);
    upstream.on('error', () => socket.destroy()).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return { url: `postgres://${connection.user}@127.0.0.1:${port}/${connection.database}`, close: () => proxy.close() };
}
