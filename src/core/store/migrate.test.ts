import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../../test/running/database.ts';
import { type Migration, MigrationError, migrate, missing, readMigrations, schemaVersion } from './migrate.ts';
import { openStore, type Sql, type Store } from './store.ts';

const migration = (version: number, text: string, checksum = `sum-${version}`): Migration => ({
  version,
  name: `${String(version).padStart(4, '0')}_test.sql`,
  text,
  checksum,
});
const two = [
  migration(1, 'create table fruit (id text primary key); insert into fruit values (chr(97))'),
  migration(2, 'alter table fruit add column name text'),
];

async function withDatabase(database: TestDatabase, work: (sql: Sql, store: Store) => Promise<void>): Promise<void> {
  const store = openStore(database.connection, { connections: 2 });
  try {
    await work(store.read, store);
  } finally {
    await store.close();
    await database.drop();
  }
}

test('an empty database gets every migration once, in order', async () => {
  const database = await createEmptyDatabase();
  await withDatabase(database, async (sql, store) => {
    expect(await schemaVersion(sql)).toBe(0);
    expect(await migrate(database.connection, two)).toEqual({
      applied: ['0001_test.sql', '0002_test.sql'],
      version: 2,
    });
    expect(await migrate(store, two)).toEqual({ applied: [], version: 2 });
    expect(await schemaVersion(sql)).toBe(2);
    expect(await sql`select fruit.id, fruit.name from fruit order by fruit.id`).toEqual([{ id: 'a', name: null }]);
  });
});

test('two servers that start at once apply each migration once', async () => {
  const database = await createEmptyDatabase();
  await withDatabase(database, async () => {
    const results = await Promise.all(Array.from({ length: 4 }, () => migrate(database.connection, two)));
    expect(results.flatMap(result => result.applied).sort()).toEqual(['0001_test.sql', '0002_test.sql']);
  });
});

test('a migration that fails half-way leaves no trace and names its file', async () => {
  const database = await createEmptyDatabase();
  await withDatabase(database, async (sql, store) => {
    const broken = migration(3, 'create table basket (id text); select 1 / 0');
    await expect(migrate(store, [...two, broken])).rejects.toThrow(/0003_test\.sql failed: division by zero/);
    expect(await schemaVersion(sql)).toBe(2);
    expect(await sql`select to_regclass('basket') as found`).toEqual([{ found: null }]);
  });
});

/** Broken off, it is run again: so it begins by taking away what is left. */
const indexed = (version: number, columns = 'name') =>
  migration(
    version,
    '-- Outside a transaction, so that everybody goes on writing.\n' +
      'drop index concurrently if exists fruit_names;\n\n' +
      `create unique index concurrently fruit_names on fruit (${columns});\n`,
  );
const names = (sql: Sql) => sql<{ valid: boolean }[]>`
  select pg_index.indisvalid as valid from pg_index where pg_index.indexrelid = to_regclass('fruit_names')`;

test('an index that is made outside a transaction keeps nobody from writing', async () => {
  const database = await createEmptyDatabase();
  await withDatabase(database, async (sql, store) => {
    await migrate(store, two);
    let migrating: Promise<unknown> | undefined;
    await store.transaction(async writing => {
      await writing`insert into fruit values ('b', 'pear')`;
      migrating = migrate(database.connection, [...two, indexed(3)]);
      await expect.poll(async () => (await names(sql)).length, { timeout: 10_000 }).toBe(1);
      await sql`insert into fruit values ('c', 'plum')`;
      expect(await names(sql)).toEqual([{ valid: false }]);
    });
    await migrating;
    expect(await names(sql)).toEqual([{ valid: true }]);
  });
});

test('servers that start at once run what is outside a transaction once', async () => {
  const database = await createEmptyDatabase();
  await withDatabase(database, async sql => {
    const all = [...two, indexed(3)];
    const results = await Promise.all(Array.from({ length: 3 }, () => migrate(database.connection, all)));
    expect(results.flatMap(result => result.applied).sort()).toEqual(all.map(({ name }) => name));
    expect(await names(sql)).toEqual([{ valid: true }]);
  });
});

test('what fails outside a transaction is run again from its start', async () => {
  const database = await createEmptyDatabase();
  await withDatabase(database, async (sql, store) => {
    await migrate(store, two);
    await sql`insert into fruit values ('b', 'pear'), ('c', 'pear')`;
    const all = [...two, indexed(3)];
    await expect(migrate(store, all)).rejects.toThrow(/0003_test\.sql failed: could not create unique index/);
    expect(await names(sql)).toEqual([{ valid: false }]);
    expect(await schemaVersion(sql)).toBe(2);
    await sql`delete from fruit where fruit.id = 'c'`;
    expect((await migrate(store, all)).applied).toEqual(['0003_test.sql']);
    expect(await names(sql)).toEqual([{ valid: true }]);
  });
});

test('what a server was at that is gone is taken over, and what one is at is waited for', async () => {
  const database = await createEmptyDatabase();
  await withDatabase(database, async (sql, store) => {
    await migrate(store, two);
    const claimed = (ago: string) => sql`
      update schema_migrations set checksum = 'another', applied_at = now() - ${ago}::interval
      where schema_migrations.version = 0`;
    await claimed('2 minutes');
    expect((await migrate(store, [...two, indexed(3)])).applied).toEqual(['0003_test.sql']);
    await claimed('0');
    const waiting = migrate(store, [...two, indexed(3), indexed(4, 'name, id')]);
    expect(await Promise.race([waiting, sleep(500).then(() => 'waits')])).toBe('waits');
    await claimed('2 minutes');
    expect((await waiting).applied).toEqual(['0004_test.sql']);
  });
});

test('an index that needs a missing extension is left out', async () => {
  const database = await createEmptyDatabase();
  await withDatabase(database, async (_sql, store) => {
    const optional = indexed(3, 'name unheard_of_ops');
    expect((await migrate(store, [...two, optional])).applied.at(-1)).toBe('0003_test.sql');
    const broken = indexed(4, 'colour');
    await expect(migrate(store, [...two, optional, broken])).rejects.toThrow(/0004_test\.sql failed: column "colour"/);
  });
});

test('a schema newer than this program is refused, and nothing is changed', async () => {
  const database = await createEmptyDatabase();
  await withDatabase(database, async (_sql, store) => {
    await migrate(store, two);
    await expect(migrate(store, two.slice(0, 1))).rejects.toThrow(/schema version 2 .* knows versions up to 1/);
  });
});

test('a landed migration whose file has changed is refused', () => {
  const landed = [{ version: 1, name: '0001_test.sql', checksum: 'another' }];
  expect(() => missing(landed, two)).toThrow(MigrationError);
  expect(() => missing(landed, two)).toThrow(/0001_test\.sql was applied to this database in another form/);
});

test('a number below a landed one that was never applied is applied', () => {
  expect(missing([{ version: 2, name: '0002_test.sql', checksum: 'sum-2' }], two)).toEqual([two[0]]);
});

test('a cloned test database is at the version that the files give', async () => {
  const database = await createDatabase();
  await withDatabase(database, async sql => {
    expect(await schemaVersion(sql)).toBe(readMigrations().at(-1)?.version);
  });
});

test('the files are numbered upwards from 1, and no number twice', () => {
  const versions = readMigrations().map(({ version }) => version);
  expect(versions[0]).toBe(1);
  expect(versions).toEqual([...new Set(versions)].sort((one, other) => one - other));
});
