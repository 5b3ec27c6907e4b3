// What every command that needs the database starts with: the operator's PostgreSQL or the embedded one, migrated.
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../core/config.ts';
import { type EmbeddedOptions, openEmbedded, startEmbedded } from '../core/store/embedded.ts';
import { MigrationError, migrate } from '../core/store/migrate.ts';
import { type Connection, openStore, type Store } from '../core/store/store.ts';
import { CommandError } from './command-error.ts';

export type Database = {
  connection: Connection;
  /** The given configuration, completed by the pepper and the key that the data directory keeps. */
  config: Config;
  /** The migrations that were applied now. */
  applied: string[];
  close(): Promise<void>;
};

type Bring = (connection: Connection) => Promise<{ applied: string[] }>;

/**
 * Starts or reaches PostgreSQL and migrates it. `role` server insists on a data directory of its own, ephemeral
 * needs it to survive nothing; a command joins the embedded PostgreSQL of a running server. `bring` brings the schema to where it
 * is needed. Throws CommandError, EmbeddedError, DirectoryInUseError, MigrationError.
 */
export async function openDatabase(
  config: Config,
  log: EmbeddedOptions['log'],
  role: 'server' | 'ephemeral' | 'command',
  bring: Bring = migrate,
): Promise<Database> {
  if (config.databaseUrl) {
    const connection = { url: config.databaseUrl };
    return { connection, config, applied: await bringReachable(connection, bring), close: async () => undefined };
  }
  const open = role === 'command' ? openEmbedded : startEmbedded;
  const embedded = await open({ dataDirectory: config.dataDirectory, log, durable: role !== 'ephemeral' });
  try {
    const { applied } = await bring(embedded.connection);
    const kept = (file: string, loss: string) => keptSecret(join(config.dataDirectory, file), loss);
    const tokenPepper = config.tokenPepper ?? kept('token-pepper', 'or remove it and all tokens');
    const encryptionKey = config.encryptionKey ?? kept('encryption-key', 'without it no state can be read');
    const complete = Object.freeze({ ...config, tokenPepper, encryptionKey });
    return { connection: embedded.connection, config: complete, applied, close: embedded.stop };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

/** Runs the work of a command on an open store, and closes everything behind it. */
export async function withStore<T>(
  config: Config,
  log: EmbeddedOptions['log'],
  work: (store: Store, config: Config) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(config, log, 'command');
  const store = openStore(database.connection, { connections: config.connections, isPatient: true });
  try {
    return await work(store, database.config);
  } finally {
    await store.close();
    await database.close();
  }
}

async function bringReachable(connection: { url: string }, bring: Bring): Promise<string[]> {
  try {
    return (await bring(connection)).applied;
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    // Without what precedes the last @ and without parameters: a password may stand in both.
    const place = connection.url.replace(/^\w+:\/\/(.*@)?/, '').replace(/\?.*/, '');
    const { message, code } = error as NodeJS.ErrnoException;
    throw new CommandError(`The database ${place} of DATABASE_URL cannot be used: ${message || code}.`);
  }
}

/** Written whole and synced before anything depends on it: without it every token is void, or no state can be read. */
function keptSecret(path: string, loss: string): string {
  try {
    const kept = readFileSync(path, 'utf8').trim();
    if (kept.length >= 16) return kept;
    throw new CommandError(`${path} does not hold a secret: restore it from a backup; ${loss}.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = randomBytes(32).toString('hex');
  writeSecret(path, secret);
  return secret;
}

/** A file that only its owner reads, complete or absent even after a power cut. */
export function writeSecret(path: string, text: string): void {
  const partial = `${path}.partial`;
  const file = openSync(partial, 'w', 0o600);
  writeSync(file, `${text}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(partial, path);
}

/** For commands: their output is their data, so PostgreSQL's remarks are left out unless they alarm. */
export const quietLog: EmbeddedOptions['log'] = {
  debug: () => undefined,
  info: () => undefined,
  warn: (_details, message) => console.error(message),
  error: (_details, message) => console.error(message),
};
