// `terrane retention`: what the hourly job of the server deletes, now; or, with --dry-run, only what it would delete.
import type { Command } from 'commander';
import type { Config } from '../core/config.ts';
import type { Store } from '../core/store/store.ts';
import { type Due, everythingDue } from '../workspaces/retention/due.ts';
import { type RetentionResult, runRetention } from '../workspaces/retention/job.ts';
import { CommandError } from './command-error.ts';
import { configuration } from './configuration.ts';
import { quietLog, withStore } from './database.ts';

interface Options {
  dryRun?: boolean;
  json?: boolean;
}

export function registerRetention(program: Command): void {
  program
    .command('retention')
    .description('delete the content of state and configuration versions that data retention policies say is too old')
    .option('--dry-run', 'print what would go, and delete nothing')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nThe server does the same every hour. What is current in a workspace always stays. With the embedded PostgreSQL' +
        '\nit works while the server runs, and without it.' +
        '\n\nExample:\n  $ terrane retention --dry-run --json',
    )
    .action(async (options: Options) => {
      const given = configuration();
      if (given.edition === 'hosted') {
        throw new CommandError(
          'The hosted edition (TERRANE_EDITION) has no data retention policies: nothing is deleted.',
        );
      }
      await withStore(given, quietLog, (store, config) =>
        options.dryRun ? printDue(store, options) : deleteNow(store, config, options),
      );
    });
}

async function printDue(store: Store, { json }: Options): Promise<void> {
  const due: ReturnType<typeof shown>[] = [];
  let count = 0;
  for await (const version of everythingDue(store)) {
    count += 1;
    const line = shown(version);
    if (json) due.push(line);
    else console.log(`${line.organization}  ${line.workspace}  ${line.kind}  ${line.id}  ${line['age-days']} days`);
  }
  if (json) return console.log(JSON.stringify({ due }));
  console.log(count === 0 ? 'Nothing would go.' : `The content of ${count} would go; nothing was deleted.`);
}

function shown({ organization, workspace, kind, id, age_days, delete_older_than_n_days }: Due) {
  const policy = { 'delete-older-than-n-days': delete_older_than_n_days };
  return { organization, workspace, kind, id, 'age-days': age_days, ...policy };
}

async function deleteNow(store: Store, config: Config, { json }: Options): Promise<void> {
  const onFault = (fault: unknown, id: string) =>
    console.error(`The workspace ${id} failed: ${(fault as Error).message}`);
  const result = await runRetention(store, config, { onFault });
  if (!result) throw new CommandError('A server is at it right now: nothing was deleted by this command.');
  console.log(json ? JSON.stringify(result) : summary(result));
}

function summary({ deleted, postponed }: RetentionResult): string {
  const counts = `${deleted['state-versions']} state versions and ${deleted['configuration-versions']} configuration versions`;
  const rest = postponed > 0 ? ` ${postponed} workspaces were busy or failed, and are left to the next run.` : '';
  return `Deleted the content of ${counts}.${rest}`;
}
