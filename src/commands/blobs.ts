// `terrane blobs`: where contents lie, and moving them into an object store or back.
import type { Command } from 'commander';
import { type ObjectStore, objectStoreOf } from '../core/blobs/object-store.ts';
import type { Config } from '../core/config.ts';
import type { Store } from '../core/store/store.ts';
import { type Moved, moveAll } from './blobs/move.ts';
import { CommandError } from './command-error.ts';
import { configuration } from './configuration.ts';
import { quietLog, withStore } from './database.ts';

interface Options {
  back?: boolean;
  json?: boolean;
}

export function registerBlobs(program: Command): void {
  const blobs = program
    .command('blobs')
    .description('contents of states, configurations and runs: where they lie, and moving them elsewhere');
  blobs
    .command('show', { isDefault: true })
    .description('say how many contents lie where')
    .option('--json', 'print it as JSON')
    .action(({ json }: Options) => withStore(configuration(), quietLog, store => show(store, json ?? false)));
  blobs
    .command('move')
    .description('move all contents from PostgreSQL into the object store of TERRANE_BLOBS, while servers run')
    .option('--back', 'move them from there into PostgreSQL')
    .option('--json', 'print what was moved as JSON')
    .addHelpText(
      'after',
      '\nFirst give all servers the same TERRANE_BLOBS, so that they find what was moved; for the way back, one with' +
        '\n"new=postgresql" in it. Broken off, it goes on where it was when called again. Objects that are not needed any more' +
        '\nare removed by the servers, a day later.' +
        '\n\nExample:\n  $ terrane blobs move',
    )
    .action(async (options: Options) => {
      const given = configuration();
      const objects = objectStoreOf(given);
      if (!objects) throw new CommandError('TERRANE_BLOBS is not set: it names the object store.');
      requireWay(given, options.back ?? false);
      const { problems } = await withStore(given, quietLog, store => move(store, objects, options));
      if (problems.length > 0) throw new CommandError(explained(problems));
    });
}

async function show({ read: sql }: Store, json: boolean): Promise<void> {
  const [found] = await sql<{ postgresql: number; objects: number; unneeded: number }[]>`
    select (select count(*) from blobs where blobs.object is null) as postgresql,
      (select count(*) from blobs where blobs.object is not null) as objects,
      (select count(*) from object_removals) as unneeded`;
  if (json) return console.log(JSON.stringify(found));
  const { postgresql, objects, unneeded } = found!;
  console.log(
    `${number(postgresql)} contents lie in PostgreSQL, and ${number(objects)} in the object store, ` +
      `where ${number(unneeded)} objects wait to be removed.`,
  );
}

/** What is new would go on coming to the place that is being emptied. */
function requireWay({ blobs }: Config, isBack: boolean): void {
  if (isBack === blobs!.isReadOnly) return;
  throw new CommandError(
    isBack
      ? 'TERRANE_BLOBS says that new contents go to the object store: add "new=postgresql" to it on all servers first.'
      : 'TERRANE_BLOBS says "new=postgresql", which is for the way back: take it out on all servers first.',
  );
}

async function move(store: Store, objects: ObjectStore, { back, json }: Options): Promise<Moved> {
  let said_ms = Date.now();
  const moved = await moveAll({ store, objects, to: back ? 'rows' : 'objects' }, count => {
    if (json || Date.now() - said_ms < sayEvery_ms) return;
    said_ms = Date.now();
    console.error(`${number(count)} contents moved so far.`);
  });
  const { name, prefix } = objects.bucket;
  if (json) console.log(JSON.stringify(moved));
  else console.log(`Moved ${number(moved.count)} contents ${back ? 'into PostgreSQL' : `to s3://${name}/${prefix}`}.`);
  return moved;
}

const sayEvery_ms = 5000;
const shownProblems = 20;
const number = (value: number) => value.toLocaleString('en');

function explained(problems: Moved['problems']): string {
  const lines = problems.slice(0, shownProblems).map(({ id, reason }) => `  ${id}: ${reason}`);
  const more = problems.length > shownProblems ? [`  and ${number(problems.length - shownProblems)} more`] : [];
  return [`${number(problems.length)} contents stay where they are:`, ...lines, ...more].join('\n');
}
