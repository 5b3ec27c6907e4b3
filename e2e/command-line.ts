/** A real command line in a directory of its own, against a real server in a process of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { vi } from 'vitest';
import { createDataDirectory, createDirectory } from '../test/running/database.ts';
import { prepareDataDirectory } from '../test/running/prepared.ts';
import { program } from '../test/running/program.ts';

/** TERRANE_E2E_CLI, else every one that the machine has. */
export function commandLines(): string[] {
  const given = process.env['TERRANE_E2E_CLI'];
  return (given ? [given] : ['terraform', 'tofu']).filter(isInstalled);
}

function isInstalled(binary: string): boolean {
  try {
    execFileSync(binary, ['version'], { stdio: 'ignore', env: quiet });
    return true;
  } catch {
    return false;
  }
}

/** Nothing from the person who runs the tests: neither their configuration nor look-ups of new releases. */
const quiet = {
  PATH: process.env['PATH'],
  CHECKPOINT_DISABLE: '1',
  TF_IN_AUTOMATION: '1',
  TF_CLI_CONFIG_FILE: '/dev/null',
};

export interface Server {
  child: ChildProcess;
  /** `http://127.0.0.1:…` */
  address: string;
  dataDirectory: string;
  /** What it has told its operator so far. */
  told: () => string;
  /** The administrator's token. */
  token: string;
  /** Sends a request and returns the document. Throws what a refusal says. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read documents of every shape.
  api: (method: string, path: string, body?: unknown) => Promise<any>;
  stop: (signal?: NodeJS.Signals) => Promise<void>;
}

/** Starts a server and waits for its welcome. Where no data directory is named, PostgreSQL's part of a first start is done already. */
export async function startServer(environment: Record<string, string> = {}): Promise<Server> {
  const dataDirectory = environment['TERRANE_DATA_DIR'] ?? (await prepareDataDirectory(createDataDirectory()));
  // Most tests are about what the command line does by itself: a server's own agent would do it in its place.
  const own = { PORT: '0', TERRANE_BUILTIN_AGENT: 'off', TERRANE_DATA_DIR: dataDirectory, TERRANE_LOG_LEVEL: 'error' };
  const given = { ...own, ...environment };
  const child = spawn(process.execPath, [...program, 'serve', '--end-with-parent'], {
    env: { PATH: process.env['PATH'], ...given },
  });
  let errors = '';
  child.stderr.on('data', chunk => (errors += chunk));
  const found = () => {
    const address = /Terrane answers at (\S+).*Ctrl-C/s.exec(errors)?.[1];
    if (address) return address;
    throw new Error(`The server has not answered: ${errors}`);
  };
  const address = await vi.waitFor(found, { timeout: 90_000, interval: 50 });
  const authority = environment['SSL_CERT_FILE'];
  const dispatcher = new Agent(authority ? { connect: { ca: readFileSync(authority) } } : {});
  const token = readFileSync(join(dataDirectory, 'admin-token'), 'utf8').trim();
  const api = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${address}/api/v2/${path}`, {
      method,
      dispatcher,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  };
  return { child, address, dataDirectory, told: () => errors, token, api, stop };
}

/** What one run of the command line printed, and how it ended. */
export interface Ran {
  status: number | null;
  output: string;
}

export interface Directory {
  path: string;
  write: (name: string, text: string) => void;
  /** Runs the command line; the output holds both streams. */
  run: (...given: string[]) => Promise<Ran>;
  /** As `run`, and throws what was printed unless it succeeded. */
  succeed: (...given: string[]) => Promise<string>;
  /** As `succeed`, with answers to what it asks. */
  answering: (answers: string, ...given: string[]) => Promise<string>;
  start: (...given: string[]) => { child: ChildProcess; ended: Promise<Ran> };
}

/** A directory with the configuration that `terrane login-config` prints for the server. */
export function workDirectory(binary: string, server: Server, more: Record<string, string> = {}): Directory {
  const path = createDirectory();
  mkdirSync(path, { recursive: true });
  const configuration = join(path, 'terrane.tfrc');
  const options = ['login-config', '--url', server.address];
  const block = execFileSync(process.execPath, [...program, ...options], {
    env: { PATH: process.env['PATH'], TERRANE_DATA_DIR: server.dataDirectory },
  });
  writeFileSync(configuration, block);
  const environment = { ...quiet, HOME: path, TF_CLI_CONFIG_FILE: configuration, ...more };
  const begin = (answers: string, given: readonly string[]) => {
    const child = spawn(binary, given, { cwd: path, env: environment });
    child.stdin.end(answers);
    let output = '';
    child.stdout.on('data', chunk => (output += chunk));
    child.stderr.on('data', chunk => (output += chunk));
    const ended = once(child, 'close').then(([status]) => ({ status: status as number | null, output }));
    return { child, ended };
  };
  const answering = async (answers: string, ...given: string[]) => {
    const { status, output } = await begin(answers, given).ended;
    if (status !== 0) throw new Error(`${binary} ${given.join(' ')} ended with ${status}:\n${output}`);
    return output;
  };
  return {
    path,
    write: (name, text) => writeFileSync(join(path, name), text),
    start: (...given) => begin('', given),
    run: (...given) => begin('', given).ended,
    succeed: (...given) => answering('', ...given),
    answering,
  };
}

/** `localhost:8080`, as the command lines name a server. */
export function hostOf(server: Server): string {
  return new URL(server.address).host;
}
