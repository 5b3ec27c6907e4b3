/** A PostgreSQL of a program's own on a port of the loopback, to be taken away, frozen and brought back. */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asUser, chooseIdentity, findBinaries } from '../src/core/store/embedded-binaries.ts';
import { postgresProcesses } from '../src/core/store/leftover-processes.ts';
import { openStore, type Sql } from '../src/core/store/store.ts';
import { atExit, freePort } from './processes.ts';

export interface Postgres {
  port: number;
  url: string;
  /** Resolves when it accepts connections. */
  start: () => Promise<void>;
  /** Ends it at once: clients see their connections break, and new ones refused. */
  stop: () => Promise<void>;
  /** Stops all of its processes where they stand: connections stay, and nothing answers. */
  freeze: () => Promise<void>;
  thaw: () => Promise<void>;
  /** For looking at it from outside, through connections of its own. */
  query: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;
}

const user = 'terrane';
const startLimit_ms = 30_000;
const stopLimit_ms = 30_000;
const settings = ['listen_addresses=127.0.0.1', 'max_connections=300', 'shared_buffers=128MB', 'jit=off'];

/** @param programs the directory of another PostgreSQL's programs; without it the one that Terrane brings along */
export async function openPostgres(programs?: string): Promise<Postgres> {
  const identity = chooseIdentity([]);
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'terrane-reliability-')));
  if (identity) chownSync(directory, identity.uid, identity.gid);
  const own = { ...asUser(identity), cwd: directory };
  const bin = programs ?? join(findBinaries(identity, directory), 'bin');
  const initial = ['--encoding=UTF8', '--locale=C', `--username=${user}`, '--auth=trust', '--no-sync'];
  execFileSync(join(bin, 'initdb'), ['-D', directory, ...initial], { ...own, stdio: ['ignore', 'ignore', 'inherit'] });
  const port = await freePort();
  const url = `postgres://${user}@127.0.0.1:${port}/postgres`;
  const signal = async (name: NodeJS.Signals) => {
    for (const pid of await postgresProcesses(directory)) signalIfThere(pid, name);
  };
  const start = async () => {
    const options = [...settings, `port=${port}`, `unix_socket_directories=${directory}`];
    const parameters = ['-D', directory, ...options.flatMap(setting => ['-c', setting])];
    spawn(join(bin, 'postgres'), parameters, { ...own, detached: true, stdio: 'ignore' }).unref();
    await answering(url);
  };
  const stop = async () => {
    const [postmaster] = await postmasterOf(directory);
    if (postmaster) signalIfThere(postmaster, 'SIGQUIT');
    const deadline_ms = Date.now() + stopLimit_ms;
    while ((await postgresProcesses(directory)).length > 0) {
      if (Date.now() > deadline_ms) await signal('SIGKILL');
      await sleep(20);
    }
  };
  atExit(async () => {
    await signal('SIGCONT');
    await stop();
    rmSync(directory, { recursive: true, force: true });
  });
  await start();
  return {
    port,
    url,
    start,
    stop,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    query: async work => {
      const store = openStore({ url }, { connections: 1, isPatient: true });
      try {
        return await work(store.read);
      } finally {
        await store.close();
      }
    },
  };
}

/** The oldest process of the directory has started all others. */
const postmasterOf = async (directory: string) =>
  (await postgresProcesses(directory)).sort((one, other) => one - other);

async function answering(url: string): Promise<void> {
  const deadline_ms = Date.now() + startLimit_ms;
  for (;;) {
    const store = openStore({ url }, { connections: 1 });
    try {
      await store.health`select 1`;
      return;
    } catch (error) {
      if (Date.now() > deadline_ms) throw error;
      await sleep(20);
    } finally {
      await store.close();
    }
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
