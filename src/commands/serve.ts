// `terrane serve`: the server, from its configuration to its last request.
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Command } from 'commander';
import pino from 'pino';
import type { Config } from '../core/config.ts';
import { logSerializers } from '../core/log.ts';
import { openStore } from '../core/store/store.ts';
import { buildApp, scheme } from '../http/app.ts';
import { listenForMetrics } from '../http/metrics/door.ts';
import { startCleaningChanges } from '../organizations/changes/clean.ts';
import { sayThatItServes } from '../organizations/site/servers.ts';
import { startBackground } from '../runs/background.ts';
import { startNextRun } from '../runs/queue/move.ts';
import { startRetention } from '../workspaces/retention/job.ts';
import { startFinishingResources } from '../workspaces/workspaces/current-resources.ts';
import { startLeases } from '../workspaces/workspaces/lock-leases.ts';
import { startGatheringCounts } from '../workspaces/workspaces/status-counts.ts';
import { startBuiltInAgent } from './built-in-agent.ts';
import { CommandError } from './command-error.ts';
import { configuration } from './configuration.ts';
import { openDatabase } from './database.ts';
import { keepAdministrator } from './first-start.ts';
import { leaveAddress } from './running-server.ts';
import { signInLink } from './sign-in-link.ts';
import { tokenSource, welcome } from './welcome.ts';

type App = ReturnType<typeof buildApp>;
type Log = { info: (details: object, message: string) => void };

const finishLimit_ms = 10_000;
// `npm start` passes a Ctrl-C on to us that the terminal has sent us already: that is still the first one.
const sameSignal_ms = 500;
const parentInterval_ms = 200;

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('serve the API; without DATABASE_URL on a PostgreSQL of its own in TERRANE_DATA_DIR')
    .option('--end-with-parent', 'stop when the process that started this one ends, as npm start needs it')
    .addHelpText('after', '\nExample:\n  $ PORT=9000 TERRANE_DATA_DIR=/srv/terrane terrane serve')
    .action(async ({ endWithParent }: { endWithParent?: boolean }) => {
      await serve(configuration(), stopSignal(endWithParent ?? false), { role: 'server', announce: welcomeOperator });
      // Nothing may hold the process back now: everything is closed.
      process.exit(0);
    });
}

/** What kind of server it is, and what it says once it answers. */
export type Serving = {
  role: 'server' | 'ephemeral';
  /** `signIn` is a one-time link for the administrator whom this start has made. */
  announce: (address: string, config: Config, signIn: string | null) => void;
};

/** Serves until a signal asks it to stop; then finishes the requests under way and resolves. */
export async function serve(given: Config, stop: StopSignal, { role, announce }: Serving): Promise<void> {
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const log = pino({ level: given.logLevel, serializers: logSerializers });
    const database = await openDatabase(given, log, role);
    const { config } = database;
    closers.push(database.close);
    const store = openStore(database.connection, {
      connections: config.connections,
      keptRows: config.keptWorkspaces,
      keptMib: config.keptMib,
    });
    closers.push(store.close);
    const isFirst = await keepAdministrator(store, config);
    closers.push(await sayThatItServes(store, log));
    closers.push(startRetention(store, config, log));
    closers.push(startCleaningChanges(store, log));
    closers.push(startLeases(store, startNextRun, log));
    closers.push(startGatheringCounts(store, log));
    closers.push(startFinishingResources(store, log));
    const app = buildApp(config, store);
    closers.push(await openMetrics(app, config, log));
    closers.push(() => app.finish(finishLimit_ms));
    if (stop.isRequested()) return;
    await listen(app, config);
    closers.push(startBackground(store, config, log, () => addressOf(app, config)));
    if (role === 'server') closers.push(async () => leaveSlowly(app, config, stop));
    if (role === 'server') closers.push(startBuiltInAgent(config, ownAddress(app, config), log));
    const address = addressOf(app, config);
    announce(address, config, isFirst ? await signInLink(store, config, 'admin', address) : null);
    await stop.requested;
    log.debug({}, 'stopping');
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** Tells people on the error output, and other commands by a file, where it answers; the standard output is for the log. */
function welcomeOperator(address: string, config: Config, signIn: string | null): void {
  const isKept = existsSync(join(config.dataDirectory, 'admin-token'));
  process.once('exit', leaveAddress(config, address));
  console.error(welcome(address, tokenSource(config, isKept), signIn));
}

export type StopSignal = {
  requested: Promise<void>;
  isRequested: () => boolean;
  /** The first one; none where the parent has ended. */
  signal: () => NodeJS.Signals | undefined;
};

export function stopSignal(endWithParent: boolean): StopSignal {
  let first_ms: number | undefined;
  let first: NodeJS.Signals | undefined;
  const requested = new Promise<void>(resolve => {
    const request = () => {
      first_ms ??= Date.now();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (first_ms !== undefined && Date.now() - first_ms > sameSignal_ms) process.exit(1);
        first ??= signal;
        request();
      });
    }
    const parent = process.ppid;
    const watch = () => process.ppid !== parent && request();
    if (endWithParent) setInterval(watch, parentInterval_ms).unref();
  });
  return { requested, isRequested: () => first_ms !== undefined, signal: () => first };
}

/** Service managers end a server by SIGTERM, behind a balancer. Whoever pressed Ctrl-C waits for the prompt. */
async function leaveSlowly(app: App, { drainSeconds }: Config, stop: StopSignal): Promise<void> {
  if (stop.signal() === 'SIGTERM') await app.drain(drainSeconds * 1000);
}

async function listen(app: App, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new CommandError(`Port ${port} of ${host} is in use by another program. Set PORT to a free one.`);
    throw new CommandError(`Cannot listen on ${host}, port ${port}: ${message}.`);
  }
}

/** At a port of their own, where the configuration names one. Closed behind the app: the end of a server is worth seeing. */
async function openMetrics(app: App, config: Config, log: Log): Promise<() => Promise<void>> {
  if (!app.metrics || config.metricsPort === undefined) return async () => undefined;
  try {
    const { port, close } = await listenForMetrics(app.metrics, config);
    log.info({ host: config.metricsHost, port }, 'metrics are told at /metrics');
    return close;
  } catch (error) {
    const { metricsHost, metricsPort } = config;
    throw new CommandError(
      `Cannot tell metrics on ${metricsHost}, port ${metricsPort} (TERRANE_METRICS_HOST and _PORT): ${(error as Error).message}.`,
    );
  }
}

function addressOf(app: App, config: Config): string {
  return config.publicUrl ?? localAddress(app, config);
}

/** Where the server asks itself: past every proxy, but by the name in its certificate where it has one. */
function ownAddress(app: App, config: Config): string {
  return config.tlsKey ? addressOf(app, config) : localAddress(app, config);
}

function localAddress(app: App, config: Config): string {
  const { host } = config;
  const { port } = app.server.address() as AddressInfo;
  if (host === '0.0.0.0' || host === '::') return `${scheme(config)}://127.0.0.1:${port}`;
  return `${scheme(config)}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
