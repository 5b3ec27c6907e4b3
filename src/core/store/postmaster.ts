// One PostgreSQL server process (its postmaster): launched, watched, started again when it ends unasked, stopped.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { asUser, EmbeddedError, type Identity } from './embedded-binaries.ts';
import { endLeftovers } from './leftover-processes.ts';

type LogLine = (details: object, message: string) => void;
export type EmbeddedLog = { debug: LogLine; info: LogLine; warn: LogLine; error: LogLine };

/** What launching needs to know; `directory` is the real path of PostgreSQL's own directory. */
export type Installation = {
  native: string;
  directory: string;
  identity: Identity;
  durable: boolean;
  log: EmbeddedLog;
};

const restartDelays_ms = [0, 200, 500, 1_000, 2_000, 5_000, 10_000];

/** Keeps one postmaster running: when it ends without being asked to, it is started again. */
export async function superviseServer(installation: Installation): Promise<{ stop(): Promise<void> }> {
  const { directory, log } = installation;
  let stopping = false;
  let restarting: Promise<void> = Promise.resolve();
  let child = await launch(installation);
  // Whatever ends this process by way of Node (a second Ctrl-C, a fault) takes PostgreSQL along.
  const leave = () => void child.kill('SIGINT');
  process.once('exit', leave);

  const restart = async () => {
    for (let attempt = 0; !stopping; attempt += 1) {
      await sleep(restartDelays_ms[Math.min(attempt, restartDelays_ms.length - 1)]);
      try {
        await endLeftovers(directory);
        if (stopping) return;
        child = await launch(installation);
        child.once('exit', ended);
        log.warn({ attempt }, 'PostgreSQL runs again');
        return;
      } catch (error) {
        log.error({ err: error, attempt }, 'PostgreSQL cannot be started again, trying on');
      }
    }
  };
  const ended = (code: number | null, signal: string | null) => {
    if (stopping) return;
    log.error({ code, signal }, 'PostgreSQL ended unexpectedly, starting it again');
    restarting = restart();
  };
  child.once('exit', ended);

  const stop = async () => {
    stopping = true;
    await restarting;
    if (isRunning(child)) {
      const exit = once(child, 'exit');
      child.kill('SIGINT');
      await Promise.race([exit, sleep(8_000, undefined, { ref: false })]);
    }
    // Usually nothing is left; a postmaster that is too slow or was killed leaves processes that are ended here.
    await endLeftovers(directory);
    process.off('exit', leave);
  };
  return { stop };
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** Resolves with the postmaster once it accepts connections, after crash recovery if that was needed. */
async function launch({ native, directory, identity, durable, log }: Installation): Promise<ChildProcess> {
  const settings = serverSettings(durable).flatMap(setting => ['-c', setting]);
  // Detached: a Ctrl-C at the terminal is for us alone; we then stop PostgreSQL after the last request.
  const child = spawn(join(native, 'bin/postgres'), ['-D', directoryName(directory, identity), ...settings], {
    ...asUser(identity),
    cwd: directory,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lastLines: string[] = [];
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stderr! }).on('line', line => {
      if (lastLines.push(line) > 10) lastLines.shift();
      const alarming = /PANIC:|terminated by signal|No space left/.test(line);
      (alarming ? log.warn : log.debug).call(log, { postgresql: line }, 'PostgreSQL says');
      if (line.includes('database system is ready to accept connections')) resolve(child);
    });
    child.once('error', error => reject(new EmbeddedError(`PostgreSQL cannot be run: ${error.message}`)));
    child.once('close', () => reject(new EmbeddedError(`PostgreSQL did not start:\n${lastLines.join('\n')}`)));
  });
}

/** Given on the command line, not kept in the data directory: a new version of Terrane brings its own. */
function serverSettings(durable: boolean): string[] {
  const settings = [
    // In the data directory itself, which only its owner (and root) can enter; there is no TCP port at all.
    ...["listen_addresses=''", 'unix_socket_directories=.', 'unix_socket_permissions=0700'],
    ...['max_connections=200', 'shared_buffers=192MB', 'effective_cache_size=1GB', 'work_mem=8MB'],
    ...['maintenance_work_mem=128MB', 'max_wal_size=2GB', 'checkpoint_timeout=15min', 'random_page_cost=1.1'],
    // Our statements are short: compiling one costs more than running it.
    ...['jit=off', 'timezone=UTC', 'log_timezone=UTC', 'log_checkpoints=off'],
    // Errors of statements reach the caller; the log keeps what concerns the server (`log` ranks above `error` here).
    ...['log_min_messages=log', 'log_min_error_statement=panic'],
  ];
  const relaxed = [
    ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0'],
    // A worker in a template database would make the next clone of it wait.
    'autovacuum=off',
  ];
  return (durable ? settings : [...settings, ...relaxed]).map(setting => setting.replace("''", ''));
}

/**
 * How PostgreSQL is told its directory. A user that root switches to may be unable to pass through a parent (such as
 * /root); its working directory, set while we are still root, is open to it under the name the kernel gives it.
 */
export function directoryName(directory: string, identity: Identity): string {
  if (!identity || process.platform !== 'linux') return directory;
  for (let path = dirname(directory); ; path = dirname(path)) {
    const { mode, uid, gid } = statSync(path);
    const needed = uid === identity.uid ? 0o100 : gid === identity.gid ? 0o010 : 0o001;
    if ((mode & needed) === 0) return '/proc/self/cwd';
    if (path === '/') return directory;
  }
}
