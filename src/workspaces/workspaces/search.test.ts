/** §4.3: how PostgreSQL looks names up, which costs a hundred times as much where it takes the wrong index. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../test/running/database.ts';
import { type Fragment, openStore, type Sql, type Store } from '../../core/store/store.ts';
import { matching, type Search } from './search.ts';

let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.connection, { connections: 1 });
});

afterAll(async () => {
  await store.close();
  await database.drop();
});

const nothing: Search = {
  'search[name]': undefined,
  'search[tags]': [],
  'search[exclude-tags]': [],
  'search[wildcard-name]': undefined,
  'filter[project][id]': undefined,
  'filter[current-run][status]': [],
  'filter[locked]': undefined,
  'filter[locked-by][id]': undefined,
  'filter[execution-mode]': [],
  'filter[tagged]': [],
};

/** The plan where only an index that knows the condition itself can serve: however few rows there are, and whatever it costs. */
const plan = (condition: (sql: Sql) => Fragment) =>
  store.transaction(async sql => {
    for (const way of ['seqscan', 'indexscan', 'indexonlyscan'])
      await sql`select set_config(${`enable_${way}`}, 'off', true)`;
    const lines = await sql<{ 'QUERY PLAN': string }[]>`
      explain select workspaces.id from workspaces where ${condition(sql)}`;
    return lines.map(line => line['QUERY PLAN']).join('\n');
  });

test.for([
  ['search[name]', 'ledger'],
  ['search[wildcard-name]', '*ledger'],
] as const)('§4.3 %s looks into the index of trigrams', async ([parameter, value]) => {
  const search = { ...nothing, [parameter]: value };
  expect(await plan(sql => matching(sql, 'org-1', search, 'direct'))).toContain(
    'Bitmap Index Scan on workspaces_search',
  );
});

// Of a bare column it would also know which names are equal, and PostgreSQL took it to look a single workspace up.
test('§4.3 the one index of trigrams begins with the organization, and is of no bare column', async () => {
  const found = await store.read<{ columns: string[] }[]>`
    select array(
      select pg_get_indexdef(pg_index.indexrelid, position, true) from generate_series(1, pg_index.indnatts) as position
    ) as columns
    from pg_index
    where pg_index.indrelid = 'workspaces'::regclass and pg_index.indisvalid
      and pg_get_indexdef(pg_index.indexrelid) like '%gin_trgm_ops%'`;
  expect(found).toEqual([{ columns: ['organization_id', 'lower(name)'] }]);
});
