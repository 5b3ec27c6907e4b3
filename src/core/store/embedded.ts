// The PostgreSQL that Terrane brings along: real PostgreSQL in a data directory of its own, behind a private unix socket.
// Started, watched, restarted and stopped here; docs/decisions/embedded-postgresql.md says why it is done this way.
import { execFile } from 'node:child_process';
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { chown, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DirectoryInUseError, lockDirectory } from './directory-lock.ts';
import { asUser, cannotSwitch, chooseIdentity, EmbeddedError, findBinaries } from './embedded-binaries.ts';
import { endLeftovers } from './leftover-processes.ts';
import { directoryName, type EmbeddedLog, type Installation, superviseServer } from './postmaster.ts';
import { removeShortPaths, shortPath } from './short-path.ts';
import { type Connection, openStore } from './store.ts';

export type EmbeddedOptions = {
  dataDirectory: string;
  log: EmbeddedLog;
  /** False gives up the promise to survive a power cut, for databases of tests. */
  durable?: boolean;
};

export type Embedded = { connection: SocketConnection; stop(): Promise<void> };
type SocketConnection = Extract<Connection, { socketDirectory: string }>;

/**
 * Starts PostgreSQL on the data directory, which it creates when needed, and keeps it running until `stop()`.
 * Throws DirectoryInUseError when another server holds the directory, EmbeddedError when this machine will not do.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dataDirectory = prepareDataDirectory(options.dataDirectory);
  const short = await shortPath(dataDirectory);
  try {
    const lock = await lockDirectory(dataDirectory, short.path);
    try {
      await removeShortPaths(dataDirectory, short.path);
      const installation = await install(dataDirectory, options);
      const server = await superviseServer(installation);
      const connection = connectionBelow(short.path);
      const stop = async () => {
        await server.stop();
        await lock.release();
        await short.remove();
      };
      try {
        await createDatabase(connection);
      } catch (error) {
        await stop();
        throw error;
      }
      return { connection, stop };
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    await short.remove();
    throw error;
  }
}

/** Like startEmbedded, but joins the PostgreSQL of a running server when there is one; `stop()` then only lets go of it. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  try {
    return await startEmbedded(options);
  } catch (error) {
    if (!(error instanceof DirectoryInUseError)) throw error;
    const short = await shortPath(realpathSync(options.dataDirectory));
    return { connection: connectionBelow(short.path), stop: short.remove };
  }
}

function connectionBelow(path: string): SocketConnection {
  return { socketDirectory: join(path, 'postgresql'), port: 5432, user: 'terrane', database: 'terrane' };
}

function prepareDataDirectory(path: string): string {
  try {
    // A user that root switches to must be able to pass through; everything private in it has a mode of its own.
    mkdirSync(path, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    const real = realpathSync(resolve(path));
    accessSync(real, constants.R_OK | constants.W_OK | constants.X_OK);
    return real;
  } catch (error) {
    throw new EmbeddedError(
      `The data directory ${resolve(path)} cannot be used (${(error as Error).message}). ` +
        'Give it to the user who runs Terrane, or set TERRANE_DATA_DIR to another one.',
    );
  }
}

async function install(dataDirectory: string, options: EmbeddedOptions): Promise<Installation> {
  const directory = join(dataDirectory, 'postgresql');
  const identity = chooseIdentity([directory, dataDirectory]);
  const native = findBinaries(identity, dataDirectory);
  const installation = { native, directory, identity, durable: options.durable ?? true, log: options.log };
  for (const name of await readdir(dataDirectory)) {
    // Left by a start that was interrupted; its initdb may still be writing for a moment, so failing is no fault.
    if (!name.startsWith('postgresql.partial-')) continue;
    await rm(join(dataDirectory, name), { recursive: true, force: true }).catch(() => undefined);
  }
  if (!existsSync(directory)) await initialise(installation);
  requireSameMajorVersion(installation);
  await ownDirectory(installation);
  const ended = await endLeftovers(directory);
  if (ended > 0) options.log.warn({ processes: ended }, 'ended the PostgreSQL that a killed server left behind');
  return installation;
}

/** Made beside its place and renamed when complete and on disk, so that a half-made one is never taken for a database. */
async function initialise({ native, directory, identity, durable, log }: Installation): Promise<void> {
  const started_ms = Date.now();
  const partial = await mkdtemp(`${directory}.partial-`);
  const settings = [
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...['--username=terrane', '--auth-local=trust', '--auth-host=reject', '--no-instructions'],
    ...(durable ? [] : ['--no-sync']),
  ];
  try {
    if (identity) await chown(partial, identity.uid, identity.gid).catch(refuseChown(identity));
    await promisify(execFile)(join(native, 'bin/initdb'), ['-D', directoryName(partial, identity), ...settings], {
      ...asUser(identity),
      cwd: partial,
    });
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (error instanceof EmbeddedError) throw error;
    throw new EmbeddedError(initdbProblem(error as Error & { stderr?: string }));
  }
  await rename(partial, directory);
  const parent = await open(dirname(directory));
  await parent.sync();
  await parent.close();
  log.debug({ duration_ms: Date.now() - started_ms }, 'created the database directory');
}

function initdbProblem({ message, stderr }: { message: string; stderr?: string }): string {
  const said = (stderr || message).trim();
  const advice = said.includes('effective user ID')
    ? '\nThe user that runs Terrane needs an entry in /etc/passwd; or set DATABASE_URL to a PostgreSQL of your own.'
    : '';
  return `PostgreSQL's data directory cannot be created. ${said}${advice}`;
}

function refuseChown(identity: { name: string }): () => never {
  return () => {
    throw new EmbeddedError(cannotSwitch(identity));
  };
}

function requireSameMajorVersion({ native, directory }: Installation): void {
  const data = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim();
  const share = readFileSync(join(native, 'share/postgresql/postgres.bki'), 'utf8').slice(0, 80);
  const program = /PostgreSQL (\d+)/.exec(share)?.[1] ?? data;
  if (data === program) return;
  throw new EmbeddedError(
    `${directory} was made by PostgreSQL ${data}, and this Terrane brings PostgreSQL ${program}. Move the data with ` +
      `pg_dump and pg_restore: see docs/operating.md.`,
  );
}

/** A restored backup may belong to root and be readable by others: PostgreSQL insists on neither. */
async function ownDirectory({ directory, identity }: Installation): Promise<void> {
  chmodSync(directory, 0o700);
  if (!identity || statSync(directory).uid === identity.uid) return;
  const entries = await readdir(directory, { recursive: true });
  for (const entry of ['', ...entries]) {
    await chown(join(directory, entry), identity.uid, identity.gid).catch(refuseChown(identity));
  }
}

async function createDatabase(connection: SocketConnection): Promise<void> {
  const store = openStore({ ...connection, database: 'postgres' }, { connections: 1, isPatient: true });
  const sql = store.read;
  try {
    const found = await sql`select 1 from pg_database where pg_database.datname = ${connection.database}`;
    if (found.length === 0) await sql`create database ${sql(connection.database)}`;
  } finally {
    await store.close();
  }
}
