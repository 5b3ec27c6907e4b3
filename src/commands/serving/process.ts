/** What one process does to serve: its connections, its background work, the port. */
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { objectStoreOf } from '../../core/blobs/object-store.ts';
import { startRemovingObjects } from '../../core/blobs/removals.ts';
import { type Config, scheme } from '../../core/config.ts';
import { logOptions } from '../../core/log.ts';
import type { Store } from '../../core/store/store.ts';
import { outliveFaults } from '../../core/unexpected.ts';
import { buildApp } from '../../http/app.ts';
import { listenForMetrics } from '../../http/metrics/door.ts';
import type { Metrics } from '../../http/metrics/metrics.ts';
import { startCleaningChanges } from '../../organizations/changes/clean.ts';
import { sayThatItServes } from '../../organizations/site/servers.ts';
import { startBackground } from '../../runs/background.ts';
import { startNextRun } from '../../runs/queue/move.ts';
import { startRetention } from '../../workspaces/retention/job.ts';
import { startFinishingResources } from '../../workspaces/workspaces/current-resources.ts';
import { startLeases } from '../../workspaces/workspaces/lock-leases.ts';
import { startGatheringCounts } from '../../workspaces/workspaces/status-counts.ts';
import { CommandError } from '../command-error.ts';
import type { StopSignal } from './stop-signal.ts';

export type App = ReturnType<typeof buildApp>;
export type Log = Record<'info' | 'warn' | 'error' | 'fatal', (details: object, message: string) => void>;

/** What ends a server, in the order in which it began. */
export type Closers = (() => Promise<unknown>)[];

export const finishLimit_ms = 10_000;

export function logOf({ logLevel }: Config): pino.Logger {
  const { stream, ...options } = logOptions(logLevel);
  return pino(options, stream);
}

export interface Beginning {
  config: Config;
  store: Store;
  log: Log;
  stop: StopSignal;
  closers: Closers;
  /** A server leaves slowly; a worker leaves the door of metrics to who has all of them. */
  role: 'server' | 'ephemeral' | 'worker';
}

/** Serves until the closers are called, the last one first. Null where it was asked to stop before it listened. */
export async function startProcess({ config, store, log, stop, closers, role }: Beginning): Promise<App | null> {
  closers.push(await sayThatItServes(store, log));
  closers.push(startRetention(store, config, log));
  closers.push(startCleaningChanges(store, log));
  closers.push(startRemovingObjects(store, objectStoreOf(config), log));
  closers.push(startLeases(store, startNextRun, log));
  closers.push(startGatheringCounts(store, log));
  closers.push(startFinishingResources(store, log));
  const app = buildApp(config, store);
  if (role !== 'worker') closers.push(await openMetrics(app.metrics, config, log));
  closers.push(() => app.finish(finishLimit_ms));
  if (stop.isRequested()) return null;
  await listening(() => app.listen({ host: config.host, port: config.port }), config);
  // A server that cannot begin says why and ends; one that serves others does not end for the fault of one.
  outliveFaults(log, () => app.metrics?.countUnexpected());
  closers.push(startBackground(store, config, log, () => addressOf(config, portOf(app))));
  if (role !== 'ephemeral') closers.push(async () => leaveSlowly(app, config, stop));
  return app;
}

/** Service managers end a server by SIGTERM, behind a balancer. Whoever pressed Ctrl-C waits for the prompt. */
async function leaveSlowly(app: App, { drainSeconds }: Config, stop: StopSignal): Promise<void> {
  if (stop.signal() === 'SIGTERM') await app.drain(drainSeconds * 1000);
}

/** Says in words why `listen` fails. */
export async function listening(listen: () => Promise<unknown>, { host, port }: Config): Promise<void> {
  try {
    await listen();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new CommandError(`Port ${port} of ${host} is in use by another program. Set PORT to a free one.`);
    throw new CommandError(`Cannot listen on ${host}, port ${port}: ${message}.`);
  }
}

/** At a port of their own, where the configuration names one. Closed behind the app: the end of a server is worth seeing. */
export async function openMetrics(
  metrics: Pick<Metrics, 'contentType' | 'text'> | null,
  config: Config,
  log: Log,
): Promise<() => Promise<void>> {
  if (!metrics || config.metricsPort === undefined) return async () => undefined;
  try {
    const { port, close } = await listenForMetrics(metrics, config);
    log.info({ host: config.metricsHost, port }, 'metrics are told at /metrics');
    return close;
  } catch (error) {
    const { metricsHost, metricsPort } = config;
    throw new CommandError(
      `Cannot tell metrics on ${metricsHost}, port ${metricsPort} (TERRANE_METRICS_HOST and _PORT): ${(error as Error).message}.`,
    );
  }
}

export const portOf = (app: App) => (app.server.address() as AddressInfo).port;

/** What clients are told. */
export const addressOf = (config: Config, port: number) => config.publicUrl ?? localAddress(config, port);

/** Where the server asks itself: past every proxy, but by the name in its certificate where it has one. */
export const ownAddress = (config: Config, port: number) =>
  config.tlsKey ? addressOf(config, port) : localAddress(config, port);

function localAddress(config: Config, port: number): string {
  const { host } = config;
  if (host === '0.0.0.0' || host === '::') return `${scheme(config)}://127.0.0.1:${port}`;
  return `${scheme(config)}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
