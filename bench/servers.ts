/** The servers under measurement, each a process of its own on a free loopback port; every one is ended by its id. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Database, encryptionKey, environmentOf, pepper, token } from './databases.ts';
import { end } from './ending.ts';
import type { Target } from './load.ts';

export interface Server extends Target {
  /** Resident memory, in megabytes. */
  memory: () => number;
  /** Processor time used so far, in seconds; not a number where the system does not tell. */
  processorTime: () => number;
  stop: () => Promise<void>;
}

/** The same for both, so that the links in their answers are. */
export const publicUrl = 'http://terrane.example';

/** What a server is started with. */
export interface Starting {
  profile?: boolean;
  /** Another bundle than `dist/main.js`. */
  program?: string | undefined;
  environment?: Record<string, string>;
}

function pathTo(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

const ownProgram = pathTo('../dist/main.js');

export function startTerrane(database: Database, starting: Starting = {}): Promise<Server> {
  const { profile, program = ownProgram, environment } = starting;
  const options = profile ? ['--cpu-prof', '--cpu-prof-dir=dist/profiles'] : [];
  return start([...options, '--enable-source-maps', program, 'serve'], database, environment);
}

/** Bundled as Terrane is: a loader in its process would slow it down. */
export async function startBaseline(database: Database): Promise<Server> {
  const outfile = pathTo('../dist/baseline.js');
  const options = { bundle: true, platform: 'node', format: 'esm', target: 'node20', packages: 'external' } as const;
  await build({ ...options, entryPoints: [pathTo('baseline.ts')], outfile, sourcemap: true, logLevel: 'warning' });
  return start(['--enable-source-maps', outfile], database);
}

const startLimit_ms = 120_000;
/** How many of the last lines of its log a server that has died is reported with. */
const lastLines = 20;

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

async function start(parameters: string[], database: Database, environment = {}): Promise<Server> {
  const child = spawn(process.execPath, parameters, {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      TERRANE_DRAIN_SECONDS: '0',
      ...environmentOf(database),
      TERRANE_TOKEN_PEPPER: pepper,
      TERRANE_ENCRYPTION_KEY: encryptionKey,
      TERRANE_ADMIN_TOKEN: token,
      TERRANE_PUBLIC_URL: publicUrl,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const said: string[] = [];
  const hear = (line: string) => {
    said.push(line);
    if (said.length > lastLines) said.shift();
  };
  child.once('exit', (code, signal) => {
    running.delete(child);
    if (code !== 0 && signal !== 'SIGTERM') console.error(`The server died (${signal ?? code}):\n${said.join('\n')}`);
  });
  const stop = async () => void (await end(child, 'SIGTERM'));
  createInterface({ input: child.stderr! }).on('line', hear);
  const port = await new Promise<number>((resolve, reject) => {
    const late = () => void stop().then(() => reject(new Error(`The server does not listen:\n${said.join('\n')}`)));
    const timer = setTimeout(late, startLimit_ms);
    createInterface({ input: child.stdout! }).on('line', line => {
      const found = /listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (!found) return hear(line);
      clearTimeout(timer);
      resolve(Number(found));
    });
    child.once('exit', () => {
      clearTimeout(timer);
      reject(new Error('The server ended before it listened.'));
    });
  });
  return { port, token, memory: () => memoryOf(child), processorTime: () => processorTimeOf(child.pid!), stop };
}

function memoryOf({ pid }: ChildProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

/** In seconds, where the process is there: its own, or with that of its children that have ended. */
export function processorTimeOf(pid: number, whose?: 'and children'): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return Number.NaN;
  const fields = readFileSync(path, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, whose ? 15 : 13);
  // Fields 14 and 15 of the line, user and system time, in hundredths of a second; behind them those of its children.
  return fields.reduce((sum, field) => sum + Number(field), 0) / 100;
}
