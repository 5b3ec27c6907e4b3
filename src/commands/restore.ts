// `terrane restore`: what a backup holds, into an empty database.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../core/config.ts';
import { type Migration, migrate, readMigrations } from '../core/store/migrate.ts';
import { keyNames } from '../core/store/secrets.ts';
import { type Entry, readArchive } from './backup/archive.ts';
import { formatVersion, type Heading, headingPath, type Manifest, readJson } from './backup/contents.ts';
import { load } from './backup/load.ts';
import { withClient } from './backup/snapshot.ts';
import { CommandError } from './command-error.ts';
import { configuration } from './configuration.ts';
import { openDatabase, quietLog } from './database.ts';

export function registerRestore(program: Command): void {
  program
    .command('restore')
    .description('put a backup into an empty database: all of it, or nothing')
    .argument('<file>', 'what terrane backup wrote')
    .option('--json', 'print what was restored as JSON')
    .addHelpText(
      'after',
      '\nGive it the keys of the server that the backup is of, before: TERRANE_TOKEN_PEPPER and TERRANE_ENCRYPTION_KEY, or' +
        '\nthe files token-pepper and encryption-key in an otherwise empty data directory.' +
        '\n\nExample:\n  $ terrane restore terrane.backup && terrane verify && terrane serve',
    )
    .action(async (file: string, { json }: { json?: boolean }) => {
      const manifest = await restore(configuration(), file);
      const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
      if (json) return console.log(JSON.stringify({ file, rows, ...manifest }));
      console.log(
        `Restored ${rows.toLocaleString('en')} rows of ${Object.keys(manifest.tables).length} tables from ${file}.`,
      );
    });
}

async function restore(given: Config, file: string): Promise<Manifest> {
  const entries = readArchive(file);
  try {
    const heading = headingOf((await entries.next()).value, file);
    requireKeys(heading, withKeptKeys(given));
    requireObjects(heading, given);
    const then = migrationsOf(heading);
    const database = await openDatabase(given, quietLog, 'command', connection => migrate(connection, then));
    try {
      const manifest = await withClient(database.connection, async client => {
        const loaded = await load(client, entries);
        await client.query('analyze');
        return loaded;
      });
      // The rows are those of the release that wrote them; what came since changes them as it changed those of servers.
      await migrate(database.connection);
      return manifest;
    } finally {
      await database.close();
    }
  } finally {
    await entries.return(undefined);
  }
}

function headingOf(first: Entry | undefined, file: string): Heading {
  if (first?.path !== headingPath) throw new CommandError(`${file} is no backup of Terrane.`);
  const heading = readJson<Heading>(first);
  if (heading.format === formatVersion) return heading;
  throw new CommandError(`${file} was written by Terrane ${heading.version}, in a form that this one does not know.`);
}

/** The embedded PostgreSQL's keys, which would be generated anew where there are none. */
function withKeptKeys(config: Config): Config {
  if (config.databaseUrl) return config;
  const kept = (file: string) => {
    try {
      return readFileSync(join(config.dataDirectory, file), 'utf8').trim() || undefined;
    } catch {
      return undefined;
    }
  };
  const tokenPepper = config.tokenPepper ?? kept('token-pepper');
  const encryptionKey = config.encryptionKey ?? kept('encryption-key');
  return { ...config, ...(tokenPepper && { tokenPepper }), ...(encryptionKey && { encryptionKey }) };
}

const places = {
  tokenPepper: 'the token pepper (TERRANE_TOKEN_PEPPER, or the file token-pepper of the data directory)',
  encryptionKey: 'the encryption key (TERRANE_ENCRYPTION_KEY, or the file encryption-key of the data directory)',
  oldEncryptionKeys: 'a former encryption key (TERRANE_OLD_ENCRYPTION_KEYS)',
};

/** Before anything is written: with other keys all of it would be there, and nobody could read the states or sign in. */
function requireKeys({ keys }: Heading, config: Config): void {
  const known = new Set(keyNames(config).map(({ id }) => id));
  const pepper = keyNames({ tokenPepper: config.tokenPepper }).map(({ id }) => id);
  const isThere = ({ id, from }: Heading['keys'][number]) =>
    from === 'tokenPepper' ? pepper.includes(id) : known.has(id);
  const missing = keys.filter(key => !isThere(key));
  if (missing.length === 0) return;
  throw new CommandError(
    `The backup needs keys that are not configured here:\n${missing.map(({ id, from }) => `  ${places[from]}, ${id}`).join('\n')}\n` +
      'Configure those of the server that it is of. Nothing was restored.',
  );
}

function requireObjects({ objects }: Heading, { blobs }: Config): void {
  if (!objects || blobs) return;
  throw new CommandError(
    `The backup leaves contents in ${objects}: set TERRANE_BLOBS to that store, or to a copy of it. Nothing was restored.`,
  );
}

function migrationsOf({ migrations, version }: Heading): Migration[] {
  const known = readMigrations();
  return migrations.map(({ version: number, name, checksum }) => {
    const found = known.find(migration => migration.version === number && migration.checksum === checksum);
    if (found) return found;
    throw new CommandError(
      `The backup was written by Terrane ${version} with the migration ${name}, which this one does not have: use one at least as new.`,
    );
  });
}
