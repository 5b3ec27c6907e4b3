// `terrane agent`: takes jobs from a server and executes them with the engines of this machine.
import { mkdirSync, statSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import pino from 'pino';
import { startAgent } from '../../agent/agent.ts';
import { findEngines } from '../../agent/engines.ts';
import { findGit } from '../../agent/git.ts';
import { findIsolation, type Isolation, without } from '../../agent/isolation.ts';
import { type Engines, enginesOf } from '../../agent/obtain.ts';
import { RefusedError, serverAt } from '../../agent/server.ts';
import { type Config, inheritedEnvironment } from '../core/config.ts';
import { outliveFaults } from '../core/unexpected.ts';
import { CommandError } from './command-error.ts';
import { configuration } from './configuration.ts';

interface Options {
  url: string;
  name?: string;
  concurrency: string;
  builtIn?: boolean;
}

export function registerAgent(program: Command): void {
  program
    .command('agent')
    .description(
      'execute the runs of an agent pool, or of a single server, with the terraform and tofu of this machine',
    )
    .requiredOption('--url <address>', 'where the server is, such as https://terrane.example.com')
    .option('--name <text>', 'the name under which people see the agent', hostname())
    .option('--concurrency <number>', 'how many jobs it works on at once, 1 to 64', '1')
    .option('--built-in', 'sign in with the tickets on the standard input, as the server starts its own agent')
    .addHelpText(
      'after',
      '\nThe token of the pool is taken from TERRANE_AGENT_TOKEN, or from the file that TERRANE_AGENT_TOKEN_FILE names.' +
        '\nThe first SIGTERM or Ctrl-C lets the jobs under way end, the second interrupts them.' +
        '\n\nExample:\n  $ TERRANE_AGENT_TOKEN_FILE=/etc/terrane/pool-token terrane agent --url https://terrane.example.com',
    )
    .action(async (options: Options) => {
      await runAgent(configuration(), options);
      process.exit(0);
    });
}

async function runAgent(config: Config, options: Options): Promise<void> {
  const log = pino({ level: config.logLevel });
  const address = addressIn(options.url);
  const concurrency = concurrencyIn(options.concurrency);
  const token = options.builtIn ? await tickets() : poolToken(config);
  const inherited = inheritedEnvironment();
  const directory = workDirectory(config);
  const engines = await enginesFor(config, join(directory, 'engines'), inherited['PATH'] ?? '');
  log.info(
    { engines: engines.installed.map(({ name, version, path }) => `${name} ${version} ${path}`) },
    'engines of this agent',
  );
  const { git, reason: withoutGit } = await findGit(inherited['PATH'] ?? '');
  if (git) log.info(git, 'git of this agent');
  else log.warn({ reason: withoutGit }, 'this agent fetches no configurations from repositories (docs/agents.md)');
  const isolation = await isolationFor(config, inherited['PATH'] ?? '');
  if (isolation.reason === null) log.info(isolation, 'runs are isolated by bubblewrap');
  else log.warn(isolation, 'runs are not isolated from what this user may read (docs/security-of-runs.md)');
  const bytes = (mebibytes: number) => (mebibytes === 0 ? null : mebibytes * 1024 ** 2);
  const agent = startAgent({
    address,
    server: serverAt(address, (details, message) => log.warn(details, message)),
    engines,
    git,
    directory,
    inherited,
    commonSettings: config.agentEngineSettings ?? '',
    hooksDirectory: config.agentHooksDirectory,
    isolation,
    readable: config.agentReadable ?? [],
    memory_bytes: bytes(config.runMemory),
    disk_bytes: bytes(config.runDisk),
    name: options.name ?? null,
    token,
    concurrency,
    log: (details, message) => log.info(details, message),
  });
  // One job that fails in a way that nobody expected ends no other one.
  outliveFaults(log);
  onSignals(options.builtIn ? [agent.interrupt] : [agent.drain, agent.interrupt]);
  // The server that started it is gone: what is under way is done, and nothing new begun.
  if (options.builtIn) process.stdin.once('close', () => void agent.drain().catch(() => undefined));
  await agent.ended.catch(error => {
    if (error instanceof RefusedError) throw new CommandError(`${error.message} Is the token one of an agent pool?`);
    throw error;
  });
}

/** Those of the operator before those that were downloaded, and those on the PATH last. */
async function enginesFor(config: Config, downloaded: string, path: string): Promise<Engines> {
  const { enginesDirectory, enginesDownload: name, enginesMirror: mirror, enginesKey: keys } = config;
  const isOff = name === 'off';
  const directories = [...(enginesDirectory ? [enginesDirectory] : []), ...(isOff ? [] : [downloaded])];
  const installed = await findEngines(path, directories);
  return enginesOf(installed, isOff ? undefined : { name, mirror, keys, directory: downloaded });
}

async function isolationFor({ agentIsolation }: Config, path: string): Promise<Isolation> {
  if (agentIsolation === 'off') return without('TERRANE_AGENT_ISOLATION is off');
  const found = await findIsolation(path);
  if (found.reason !== null && agentIsolation === 'bubblewrap')
    throw new CommandError(`TERRANE_AGENT_ISOLATION is bubblewrap, and ${found.reason}.`);
  return found;
}

/** The first signal calls the first of them, and so on; one more ends the process. */
function onSignals(steps: readonly (() => Promise<void>)[]): void {
  let count = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
    process.on(signal, () => {
      const step = steps[count];
      count += 1;
      if (!step) process.exit(1);
      step().catch(() => undefined);
    });
  }
}

function poolToken(config: Config): () => string {
  const { agentToken } = config;
  if (!agentToken) throw new CommandError('TERRANE_AGENT_TOKEN is not set: it is a token of the agent pool.');
  return () => agentToken;
}

/** The server writes a line now and then: the latest is the one that counts. */
async function tickets(): Promise<() => string> {
  const lines = createInterface({ input: process.stdin });
  return new Promise((resolve, reject) => {
    let latest = '';
    lines.on('line', line => {
      latest = line.trim();
      resolve(() => latest);
    });
    lines.once('close', () => reject(new CommandError('There was no ticket on the standard input.')));
  });
}

/** Of this user alone, and always at the same place: both phases of a run are to find the same paths. */
function workDirectory({ agentDirectory }: Config): string {
  const directory = agentDirectory ?? join(tmpdir(), `terrane-agent-${process.getuid?.() ?? 0}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { uid, mode } = statSync(directory);
  if (process.getuid && (uid !== process.getuid() || (mode & 0o077) !== 0)) {
    throw new CommandError(`${directory} must belong to the user of the agent, and be closed to all others.`);
  }
  return directory;
}

function addressIn(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).origin;
  throw new CommandError(`${JSON.stringify(text)} is not an http or https address.`);
}

function concurrencyIn(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= 64) return Number(text);
  throw new CommandError(`--concurrency must be a whole number from 1 to 64, not ${JSON.stringify(text)}.`);
}
