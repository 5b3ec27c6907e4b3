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
