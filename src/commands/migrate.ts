// `terrane migrate`: brings the database to this program's schema and ends, for set-ups that do it before they serve.
import type { Command } from 'commander';
import { knownVersion } from '../core/store/migrate.ts';
import { configuration } from './configuration.ts';
import { openDatabase, quietLog } from './database.ts';

export function registerMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to the schema of this version, then end (serve does it too)')
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', '\nExample:\n  $ DATABASE_URL=postgres://terrane@db/terrane terrane migrate')
    .action(async ({ json }: { json?: boolean }) => {
      const database = await openDatabase(configuration(), quietLog, 'command');
      await database.close();
      const { applied } = database;
      const version = knownVersion();
      if (json) return console.log(JSON.stringify({ applied, version }));
      for (const name of applied) console.log(`applied ${name}`);
      console.log(`The schema is at version ${version}${applied.length === 0 ? ', as it was' : ''}.`);
    });
}
