// Brings a database to the schema this program knows: plain SQL files, forward only, each in one transaction.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { claim, giveUpClaim, isApart, runApart } from './migrate-apart.ts';
import { type Connection, openStore, type Sql, type Store } from './store.ts';

/** The database cannot be brought to this program's schema; the message says why and what to do. */
export class MigrationError extends Error {}

export type Migration = { version: number; name: string; text: string; checksum: string };
type Landed = { version: number; name: string; checksum: string };

const oldestServer = 14;

/**
 * Applies what is missing and returns the file names applied now and the version reached. Any number of servers may
 * call it at once. Throws MigrationError when the database is newer than this program or a landed file has changed.
 */
export async function migrate(
  target: Connection | Store,
  migrations = readMigrations(),
): Promise<{ applied: string[]; version: number }> {
  if ('transaction' in target) return migrateWith(target, migrations);
  const store = openStore(target, { connections: 1, isPatient: true });
  try {
    return await migrateWith(store, migrations);
  } finally {
    await store.close();
  }
}

async function migrateWith(store: Store, migrations: Migration[]): Promise<{ applied: string[]; version: number }> {
  await requireServerVersion(store.read);
  await createTable(store.read);
  const applied: string[] = [];
  for (;;) {
    const step = await store.transaction(sql => nextStep(sql, migrations));
    if (step.is === 'done') break;
    if (step.is === 'busy') await sleep(busyPause_ms);
    else if (step.is === 'claimed') await applyApart(store, step.migration, step.claimId);
    if (step.is === 'applied' || step.is === 'claimed') applied.push(step.migration.name);
  }
  return { applied, version: migrations.at(-1)?.version ?? 0 };
}

type Step =
  | { is: 'done' | 'busy' }
  | { is: 'applied'; migration: Migration }
  | { is: 'claimed'; migration: Migration; claimId: string };

/** Applies what is next, or claims it where it has to run outside a transaction. */
async function nextStep(sql: Sql, migrations: Migration[]): Promise<Step> {
  // The row of version 0 is the lock: a second server waits here and then finds the work done.
  await sql`select 1 from schema_migrations where schema_migrations.version = 0 for update`;
  const migration = missing(await landed(sql), migrations)[0];
  if (migration === undefined) return { is: 'done' };
  if (isApart(migration)) {
    const claimId = await claim(sql);
    return claimId === undefined ? { is: 'busy' } : { is: 'claimed', migration, claimId };
  }
  await apply(sql, migration);
  return { is: 'applied', migration };
}

const busyPause_ms = 200;

async function applyApart(store: Store, migration: Migration, claimId: string): Promise<void> {
  try {
    await runApart(store, migration.text, claimId);
    await store.transaction(sql => land(sql, migration));
  } catch (error) {
    throw failure(migration, error);
  } finally {
    await giveUpClaim(store.read, claimId);
  }
}

async function apply(sql: Sql, migration: Migration): Promise<void> {
  try {
    await sql.script(migration.text);
  } catch (error) {
    throw failure(migration, error);
  }
  await land(sql, migration);
}

const failure = ({ name }: Migration, error: unknown) =>
  new MigrationError(`The migration ${name} failed: ${(error as Error).message}`, { cause: error });

const land = (sql: Sql, { version, name, checksum }: Migration) => sql`
  insert into schema_migrations (version, name, checksum)
  values (${version}, ${name}, ${checksum})`;

/** The migrations that have yet to be applied, in order. Pure: throws when the landed ones are not ours. */
export function missing(landed: Landed[], migrations: Migration[]): Migration[] {
  const known = new Map(migrations.map(migration => [migration.version, migration]));
  const newest = migrations.at(-1)?.version ?? 0;
  for (const { version, name, checksum } of landed) {
    if (version > newest)
      throw new MigrationError(
        `The database has schema version ${version} (${name}), and this Terrane knows versions up to ${newest}. ` +
          'Start a Terrane at least as new as the one that was used before.',
      );
    const ours = known.get(version);
    if (ours?.checksum !== checksum)
      throw new MigrationError(
        `The migration ${name} was applied to this database in another form than the file migrations/${ours?.name ?? name} ` +
          'has now. A landed migration never changes: restore the file, and put the change into a new one.',
      );
  }
  const versions = new Set(landed.map(({ version }) => version));
  return migrations.filter(({ version }) => !versions.has(version));
}

/** The newest applied version; 0 when the database has never been migrated. For readiness checks. */
export async function schemaVersion(sql: Sql): Promise<number> {
  const tables = await sql<{ found: string | null }[]>`select to_regclass('schema_migrations')::text as found`;
  if (!tables[0]?.found) return 0;
  const rows = await sql<{ version: number }[]>`
    select max(schema_migrations.version) as version
    from schema_migrations`;
  return rows[0]?.version ?? 0;
}

/** The version this program brings a database to. */
export function knownVersion(): number {
  return readMigrations().at(-1)?.version ?? 0;
}

function landed(sql: Sql): Promise<Landed[]> {
  return sql<Landed[]>`
    select schema_migrations.version, schema_migrations.name, schema_migrations.checksum
    from schema_migrations
    where schema_migrations.version > 0
    order by schema_migrations.version`;
}

async function createTable(sql: Sql): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sql`
        create table if not exists schema_migrations (
          version integer constraint schema_migrations_pkey primary key,
          name text not null,
          checksum text not null,
          applied_at timestamptz not null default now()
        )`;
      await sql`
        insert into schema_migrations (version, name, checksum)
        values (0, 'lock', '')
        on conflict (version) do nothing`;
      return;
    } catch (error) {
      // Two servers that create the table at the same moment: one of them finds its rows in the catalogue, or its type.
      const raced = ['23505', '42P07', '42710'].includes((error as { code?: string }).code ?? '');
      if (!raced || attempt === 5) throw error;
    }
  }
}

async function requireServerVersion(sql: Sql): Promise<void> {
  const rows = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
  const version = rows[0]?.version ?? '';
  if (Number.parseInt(version, 10) < oldestServer)
    throw new MigrationError(`Terrane needs PostgreSQL ${oldestServer} or newer, and this one is ${version}.`);
}

let shipped: Migration[] | undefined;

/** The files migrations/NNNN_name.sql, in the order of their numbers, beside the package.json above this file. */
export function readMigrations(): Migration[] {
  shipped ??= readMigrationsIn(migrationsDirectory());
  return shipped;
}

export function readMigrationsIn(directory: string): Migration[] {
  const names = readdirSync(directory).filter(name => /^\d{4}_\w+\.sql$/.test(name));
  return names.sort().map(name => {
    const text = readFileSync(join(directory, name), 'utf8').replaceAll('\r\n', '\n');
    return { version: Number(name.slice(0, 4)), name, text, checksum: createHash('sha256').update(text).digest('hex') };
  });
}

function migrationsDirectory(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'package.json'))) {
    if (directory === dirname(directory)) throw new MigrationError('The directory migrations/ of Terrane is missing.');
    directory = dirname(directory);
  }
  return join(directory, 'migrations');
}
