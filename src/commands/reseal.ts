// `terrane reseal`: seals again, by the present encryption key, what former keys sealed; then those may be forgotten.
import type { Command } from 'commander';
import type { Config } from '../core/config.ts';
import { type KeyName, keyNames } from '../core/store/secrets.ts';
import type { Store } from '../core/store/store.ts';
import { CommandError } from './command-error.ts';
import { configuration } from './configuration.ts';
import { quietLog, withStore } from './database.ts';
import type { Resealed, Use } from './reseal/report.ts';
import { keyUses, reseal } from './reseal/reseal.ts';

interface Options {
  dryRun?: boolean;
  json?: boolean;
}

export function registerReseal(program: Command): void {
  program
    .command('reseal')
    .description('seal again, by the present encryption key, what was sealed by former ones')
    .option('--dry-run', 'print how much each key has sealed, and change nothing')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nFirst give all servers the new key, and the former one in TERRANE_OLD_ENCRYPTION_KEYS. They may run meanwhile;' +
        '\nwhen this is broken off, the next call goes on.' +
        '\n\nExample:\n  $ terrane reseal --dry-run',
    )
    .action(async (options: Options) => {
      const problems = await withStore(configuration(), quietLog, (store, config) => run(store, config, options));
      if (problems.length > 0) throw new CommandError(explained(problems));
    });
}

async function run(store: Store, config: Config, { dryRun, json }: Options): Promise<Resealed['problems']> {
  const { count, problems } = dryRun ? { count: 0, problems: [] } : await reseal(store, config);
  const uses = await keyUses(store);
  const keys = keyNames(config);
  if (json) console.log(JSON.stringify({ resealed: count, keys: keysAsJson(keys, uses), problems }));
  else console.log([...(dryRun ? [] : [`Sealed again: ${number(count)} values.`]), ...linesOf(keys, uses)].join('\n'));
  return problems;
}

const variables: Record<KeyName['from'], string> = {
  encryptionKey: 'TERRANE_ENCRYPTION_KEY',
  oldEncryptionKeys: 'TERRANE_OLD_ENCRYPTION_KEYS',
  tokenPepper: 'TERRANE_TOKEN_PEPPER',
};

const number = (value: number) => value.toLocaleString('en');
const sum = (uses: readonly Use[]) => uses.reduce((total, { count }) => total + count, 0);
const ofKey = (uses: readonly Use[], id: string) => uses.filter(({ keyId }) => keyId === id);

/** The keys that are configured, then those that are not but sealed something. */
function everyKey(keys: readonly KeyName[], uses: readonly Use[]): (Omit<KeyName, 'from'> & { from: string | null })[] {
  const unknown = [...new Set(uses.map(({ keyId }) => keyId))].filter(id => !keys.some(key => key.id === id));
  return [
    ...keys.map(key => ({ ...key, from: variables[key.from] })),
    ...unknown.map(id => ({ id, from: null, position: null })),
  ];
}

function keysAsJson(keys: readonly KeyName[], uses: readonly Use[]) {
  return everyKey(keys, uses).map(({ id, from, position }) => ({
    id,
    from,
    ...(position !== null && { position }),
    values: Object.fromEntries(ofKey(uses, id).map(({ table, column, count }) => [`${table}.${column}`, count])),
  }));
}

function linesOf(keys: readonly KeyName[], uses: readonly Use[]): string[] {
  return everyKey(keys, uses).map(({ id, from, position }, index) => {
    const name = from === null ? 'not configured' : position === null ? from : `number ${position} of ${from}`;
    const found = ofKey(uses, id);
    const parts = found.map(({ table, column, count }) => `${number(count)} in ${table}.${column}`);
    const isGone = index > 0 && position !== null && found.length === 0;
    const sealed = parts.length > 0 ? `${number(sum(found))} values: ${parts.join(', ')}` : 'nothing';
    return `Key ${id} (${name}) seals ${sealed}.${isGone ? ' No server needs it any more: remove it.' : ''}`;
  });
}

const shownProblems = 20;

function explained(problems: Resealed['problems']): string {
  const lines = problems.slice(0, shownProblems).map(one => `  ${one.table} ${one.id}, ${one.column}: ${one.reason}`);
  const more = problems.length > shownProblems ? [`  and ${number(problems.length - shownProblems)} more`] : [];
  return [`${number(problems.length)} values stay as they were, since they do not open:`, ...lines, ...more].join('\n');
}
