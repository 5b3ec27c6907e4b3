// `terrane seed`: made-up teams and workspaces in an organization, to try things out and to measure with.
import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../core/config.ts';
import type { Store } from '../core/store/store.ts';
import { CommandError } from './command-error.ts';
import { configuration } from './configuration.ts';
import { quietLog, withStore } from './database.ts';
import { keepAdministrator } from './first-start.ts';
import { type SeedResult, seed } from './seed/seed.ts';

interface Options {
  organization: string;
  workspaces: number;
  teams: number;
  seed: string;
  json?: boolean;
}

export function registerSeed(program: Command): void {
  program
    .command('seed')
    .description('fill an organization with made-up teams and workspaces, with tags and team access')
    .requiredOption(
      '--organization <name>',
      'the organization; made when it is missing, owned by admin',
      organizationName,
    )
    .option('--workspaces <number>', 'how many there shall be at least', wholeNumber(10_000_000), 1000)
    .option('--teams <number>', 'how many there shall be at least', wholeNumber(1000), 20)
    .option('--seed <text>', 'the same text gives the same records', '1')
    .option('--json', 'print what was added as JSON')
    .addHelpText(
      'after',
      '\nA second run with the same values adds nothing; larger numbers add the rest. With the embedded PostgreSQL it' +
        '\nworks while the server runs, and without it.' +
        '\n\nExample:\n  $ terrane seed --organization demo --workspaces 5000 --teams 50',
    )
    .action(async (options: Options) => {
      const started_ms = performance.now();
      const result = await withStore(configuration(), quietLog, (store, config) =>
        seedAsAdministrator(store, config, options),
      );
      const seconds = (performance.now() - started_ms) / 1000;
      console.log(options.json ? JSON.stringify({ ...result, seconds }) : summary(result, seconds));
    });
}

/** The first administrator owns what is made: on an empty database it is made before, as the server would. */
async function seedAsAdministrator(store: Store, config: Config, options: Options): Promise<SeedResult> {
  await keepAdministrator(store, config);
  const [account] = await store.read<{ id: string; username: string; email: string }[]>`
    select users.id, users.username, users.email from users where users.is_admin
    order by users.created_at, users.id limit 1`;
  if (!account) throw new CommandError('There is no site administrator, who would own the records.');
  return seed(store, account, { ...options, ...(process.stderr.isTTY && { onProgress: progressBar() }) });
}

function summary({ organization, isFounded, added }: SeedResult, seconds: number): string {
  const rows = Object.entries(added).filter(([, count]) => count > 0);
  if (rows.length === 0 && !isFounded) return `Nothing to add: ${organization} holds all of it.`;
  const rate = Math.round((added['workspaces'] ?? 0) / seconds).toLocaleString('en');
  return [
    `${isFounded ? 'Made' : 'Added to'} the organization ${organization} in ${seconds.toFixed(1)} s (${rate} workspaces a second):`,
    ...rows.map(([table, count]) => `  ${count.toLocaleString('en').padStart(12)} ${table.replaceAll('_', ' ')}`),
  ].join('\n');
}

/** Drawn over itself, at most ten times a second. */
function progressBar(): (done: number, total: number) => void {
  const width = 40;
  let drawn_ms = 0;
  return (done, total) => {
    const isDone = done === total;
    if (!isDone && performance.now() - drawn_ms < 100) return;
    drawn_ms = performance.now();
    const filled = total === 0 ? width : Math.floor((done / total) * width);
    const bar = '█'.repeat(filled).padEnd(width, '░');
    process.stderr.write(`\r${bar} ${done.toLocaleString('en')} of ${total.toLocaleString('en')} workspaces`);
    if (isDone) process.stderr.write('\r\x1b[K');
  };
}

/** As §1 has them: a name that the API would refuse could not be asked for afterwards. */
function organizationName(text: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError('It may only contain letters, numbers, - and _, and at most 64 of them.');
}

function wholeNumber(largest: number): (text: string) => number {
  return text => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number <= largest) return number;
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${largest.toLocaleString('en')}.`);
  };
}
