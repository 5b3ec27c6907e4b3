/** Terrane as operators run it: processes of their own on fixed ports, which may be ended, killed and frozen. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { end as endProcess, hasEnded } from '../bench/ending.ts';
import { openClient } from './client.ts';
import type { Postgres } from './postgres.ts';
import { atExit, freePort } from './processes.ts';

export interface Server {
  port: number;
  /** Resolves when it is ready. */
  start: () => Promise<void>;
  /** Asks it to go; resolves with the exit code when it is gone. */
  stop: () => Promise<number | null>;
  kill: () => Promise<void>;
  signal: (name: NodeJS.Signals) => void;
  freeze: () => void;
  thaw: () => void;
  /** Of its resident memory, in megabytes. */
  memory: () => number;
  /** How many files and connections it has open. */
  descriptors: () => number;
  /** What it wrote to its log. */
  log: () => string;
}

export interface ServerOptions {
  /** The bundle to run: another release, or one broken on purpose. */
  program?: string | undefined;
  environment?: Record<string, string>;
  /** Whether clients reach it at its own port, and not at an address that several share. */
  isAlone?: boolean;
  /** For Node itself. */
  options?: string[];
}

export const adminToken = 'a-token-for-reliability-only';
export const ownProgram = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const startLimit_ms = 60_000;

/** Makes a server on the database; it runs once it is started. */
export async function server(database: Pick<Postgres, 'url'>, told: ServerOptions = {}): Promise<Server> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  let log = '';
  const start = async () => {
    const parameters = [...(told.options ?? []), '--enable-source-maps', told.program ?? ownProgram, 'serve'];
    child = spawn(process.execPath, parameters, { env: environmentOf(database, port, told), stdio: 'pipe' });
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', chunk => (log = (log + chunk).slice(-1e6)));
    await ready(port, child, () => log);
  };
  const end = async (signal: NodeJS.Signals) => (child ? endProcess(child, signal) : null);
  atExit(async () => {
    child?.kill('SIGCONT');
    await end('SIGKILL');
  });
  return {
    port,
    start,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
    signal: name => void child!.kill(name),
    freeze: () => void child!.kill('SIGSTOP'),
    thaw: () => void child!.kill('SIGCONT'),
    memory: () => memoryOf(child!.pid!),
    descriptors: () => readdirSync(`/proc/${child!.pid}/fd`).length,
    log: () => log,
  };
}

export function environmentOf(
  { url }: Pick<Postgres, 'url'>,
  port: number,
  { environment, isAlone = false }: ServerOptions,
): Record<string, string> {
  return {
    PATH: process.env['PATH']!,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: url,
    TERRANE_TOKEN_PEPPER: 'a pepper for reliability only',
    TERRANE_ENCRYPTION_KEY: 'a key for reliability, of no use elsewhere',
    TERRANE_ADMIN_TOKEN: adminToken,
    TERRANE_PUBLIC_URL: isAlone ? `http://127.0.0.1:${port}` : 'http://terrane.example',
    TERRANE_BUILTIN_AGENT: 'off',
    TERRANE_LOG_LEVEL: 'warn',
    ...environment,
  };
}

async function ready(port: number, child: ChildProcess, log: () => string): Promise<void> {
  const client = openClient({ port, token: adminToken });
  const deadline_ms = Date.now() + startLimit_ms;
  try {
    for (;;) {
      if ((await client.ask('GET', '/readyz')).status === 200) return;
      if (hasEnded(child)) throw new Error(`The server ended (${child.signalCode ?? child.exitCode}):\n${log()}`);
      if (Date.now() > deadline_ms) throw new Error(`The server is not ready:\n${log()}`);
      await sleep(20);
    }
  } finally {
    client.close();
  }
}

function memoryOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
