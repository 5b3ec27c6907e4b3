// `terrane verify`: whether a database is whole, after a restore or whenever somebody wants to know.
import type { Command } from 'commander';
import type { Config } from '../core/config.ts';
import type { Sql, Store } from '../core/store/store.ts';
import { CommandError } from './command-error.ts';
import { configuration } from './configuration.ts';
import { quietLog, withStore } from './database.ts';
import type { Check, Finding } from './verify/check.ts';
import { contentChecks } from './verify/contents.ts';
import { recordChecks } from './verify/records.ts';

type Found = Finding & Pick<Check, 'name' | 'means'>;

export function registerVerify(program: Command): void {
  program
    .command('verify')
    .description('look whether the database is whole: references, counters, locks, states, contents, secrets, audit')
    .option('--json', 'print what was found as JSON')
    .addHelpText(
      'after',
      '\nIt looks at one moment of the database and changes nothing; servers may run. The exit code is 1 where something is wrong.' +
        '\n\nExample:\n  $ terrane verify --json',
    )
    .action(async ({ json }: { json?: boolean }) => {
      const found = await withStore(configuration(), quietLog, verify);
      if (json) console.log(JSON.stringify({ checks: found }));
      else for (const line of found.flatMap(linesOf)) console.log(line);
      const wrong = found.filter(one => one.wrong > 0);
      if (wrong.length > 0) throw new CommandError(`Not whole: ${wrong.map(({ name }) => name).join(', ')}.`);
    });
}

/** What each check finds, all at one moment. */
function verify(store: Store, config: Config): Promise<Found[]> {
  return store.transaction(async sql => {
    await sql`set transaction isolation level repeatable read, read only`;
    return lookAtAll(sql, config);
  });
}

export async function lookAtAll(sql: Sql, config: Config): Promise<Found[]> {
  const found: Found[] = [];
  for (const { name, means, look } of [...recordChecks, ...contentChecks]) {
    const { looked, wrong, problems } = await look(sql, config);
    found.push({ name, means, looked, wrong, problems });
  }
  return found;
}

function linesOf({ name, means, looked, wrong, problems }: Found): string[] {
  const more = wrong > problems.length ? [`           and ${wrong - problems.length} more`] : [];
  return [
    `${wrong === 0 ? 'ok   ' : 'WRONG'}  ${name}: ${means} (${looked.toLocaleString('en')} looked at)`,
    ...problems.map(problem => `           ${problem}`),
    ...more,
  ];
}
