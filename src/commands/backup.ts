// `terrane backup`: everything that the database holds, as it is at one moment, in one file.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../core/config.ts';
import { schemaVersion } from '../core/store/migrate.ts';
import { type Connection, openStore } from '../core/store/store.ts';
import { writeArchive } from './backup/archive.ts';
import type { Manifest } from './backup/contents.ts';
import { snapshot, withClient } from './backup/snapshot.ts';
import { CommandError } from './command-error.ts';
import { configuration } from './configuration.ts';
import { openDatabase, quietLog } from './database.ts';

export function registerBackup(program: Command): void {
  program
    .command('backup')
    .description('write everything that the database holds at one moment into a file, while servers run')
    .argument('<file>', 'the file to write, such as terrane.backup')
    .option('--leave-objects', 'leave contents that lie in an object store (TERRANE_BLOBS) where they are')
    .option('--json', 'print what was written as JSON')
    .addHelpText(
      'after',
      '\nThe keys are not in it: keep the token pepper and the encryption key (or the files token-pepper and encryption-key' +
        '\nof the data directory) at another place. Without them no state in a backup can be read by anybody.' +
        '\n\nExample:\n  $ terrane backup /var/backups/terrane-$(date +%F).backup',
    )
    .action(async (file: string, { leaveObjects, json }: { leaveObjects?: boolean; json?: boolean }) => {
      const manifest = await backUp(configuration(), file, leaveObjects ?? false);
      const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
      if (json) return console.log(JSON.stringify({ file, rows, ...manifest }));
      console.log(
        `Wrote ${rows.toLocaleString('en')} rows of ${Object.keys(manifest.tables).length} tables to ${file}.`,
      );
    });
}

async function backUp(given: Config, file: string, leavesObjects: boolean): Promise<Manifest> {
  if (!given.databaseUrl && !existsSync(join(given.dataDirectory, 'postgresql')))
    throw new CommandError(
      `There is no database in ${given.dataDirectory} (TERRANE_DATA_DIR), and DATABASE_URL is not set.`,
    );
  // As it is: a newer program than the server changes nothing.
  const database = await openDatabase(given, quietLog, 'command', requireSchema);
  try {
    return await withClient(database.connection, async client => {
      let manifest: Manifest | undefined;
      const entries = snapshot(client, database.config, { leavesObjects }, told => {
        manifest = told;
      });
      await writeArchive(file, entries);
      return manifest!;
    });
  } finally {
    await database.close();
  }
}

async function requireSchema(connection: Connection): Promise<{ applied: string[] }> {
  const store = openStore(connection, { connections: 1, isPatient: true });
  try {
    if ((await schemaVersion(store.read)) === 0)
      throw new CommandError('The database is empty: there is nothing to back up.');
    return { applied: [] };
  } finally {
    await store.close();
  }
}
