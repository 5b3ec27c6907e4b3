// migrations/schema.sql, which people read instead of adding up the migrations, is true. `npm run schema` renews it.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectGolden } from '../../../test/nets/golden.ts';
import { schemaText } from '../../../test/nets/schema-text.ts';
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../../test/running/database.ts';
import { openStore, type Sql } from './store.ts';

const golden = new URL('../../../migrations/schema.sql', import.meta.url);

async function within<T>(database: TestDatabase, work: (sql: Sql) => Promise<T>): Promise<T> {
  const store = openStore(database.connection, { connections: 1 });
  try {
    return await work(store.read);
  } finally {
    await store.close();
    await database.drop();
  }
}

test('the file says what the migrations make', async () => {
  const text = await within(await createDatabase(), schemaText);
  expect(text).toContain('create table workspaces (');
  expectGolden(golden, text);
});

test('the file is SQL that makes the same in an empty database', async () => {
  const file = readFileSync(golden, 'utf8');
  const made = await within(await createEmptyDatabase(), async sql => {
    await sql.script(file);
    return schemaText(sql);
  });
  expect(made).toBe(file);
});
