// `terrane serve`: the server, from its configuration to its last request.
import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { isInObjects } from '../core/blobs/removals.ts';
import type { Config } from '../core/config.ts';
import { openStore, type Store } from '../core/store/store.ts';
import { startBuiltInAgent } from './built-in-agent.ts';
import { CommandError } from './command-error.ts';
import { configuration } from './configuration.ts';
import { openDatabase } from './database.ts';
import { keepAdministrator } from './first-start.ts';
import { leaveAddress } from './running-server.ts';
import { addressOf, type Beginning, type Closers, logOf, ownAddress, portOf, startProcess } from './serving/process.ts';
import { type StopSignal, stopSignal } from './serving/stop-signal.ts';
import { serveAsWorker } from './serving/worker.ts';
import { startWorkers } from './serving/workers.ts';
import { signInLink } from './sign-in-link.ts';
import { tokenSource, welcome } from './welcome.ts';

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('serve the API; without DATABASE_URL on a PostgreSQL of its own in TERRANE_DATA_DIR')
    .option('--end-with-parent', 'stop when the process that started this one ends, as npm start needs it')
    .addHelpText('after', '\nExample:\n  $ PORT=9000 TERRANE_DATA_DIR=/srv/terrane terrane serve')
    .action(async ({ endWithParent }: { endWithParent?: boolean }) => {
      if (cluster.isWorker) await serveAsWorker();
      else
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
  const closers: Closers = [];
  try {
    const log = logOf(given);
    const database = await openDatabase(given, log, role);
    const { config, connection } = database;
    closers.push(database.close);
    const hasWorkers = role === 'server' && config.workers > 1;
    const store = openStore(connection, {
      connections: hasWorkers ? 1 : config.connections,
      keptRows: config.keptWorkspaces,
      keptMib: config.keptMib,
    });
    closers.push(store.close);
    await requireContents(store, config);
    const isFirst = await keepAdministrator(store, config);
    const beginning = { config, store, log, stop, closers, role };
    const port = hasWorkers ? await startWorkers(beginning, connection) : await startAlone(beginning);
    if (port === null) return;
    if (role === 'server') closers.push(startBuiltInAgent(config, ownAddress(config, port), log));
    const address = addressOf(config, port);
    announce(address, config, isFirst ? await signInLink(store, config, 'admin', address) : null);
    await stop.requested;
    log.debug({}, 'stopping');
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function startAlone(beginning: Beginning): Promise<number | null> {
  const app = await startProcess(beginning);
  return app && portOf(app);
}

/** A server that cannot know where contents are would call each of them unreadable. */
async function requireContents(store: Store, config: Config): Promise<void> {
  if (config.blobs || !(await isInObjects(store))) return;
  throw new CommandError(
    'Contents of this database lie in an object store: set TERRANE_BLOBS to it. To bring them back, see docs/scaling.md.',
  );
}

/** Tells people on the error output, and other commands by a file, where it answers; the standard output is for the log. */
function welcomeOperator(address: string, config: Config, signIn: string | null): void {
  const isKept = existsSync(join(config.dataDirectory, 'admin-token'));
  process.once('exit', leaveAddress(config, address));
  console.error(welcome(address, tokenSource(config, isKept), signIn));
}
