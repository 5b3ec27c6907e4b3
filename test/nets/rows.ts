/** How many rows each table holds: what a refused request must not change. */
import type { Fragment, Sql, Store } from '../../src/core/store/store.ts';

/** One statement: the tables do not change while the tests run. */
export async function rowCounts(store: Store): Promise<Record<string, number>> {
  const sql = store.read;
  const names = await tableNames(store);
  const counts = names.map(name => sql`(select count(*) from ${sql(name)}) as ${sql(name)}`);
  const [row] = await sql<Record<string, number>[]>`select ${joined(sql, counts)}`;
  return { ...row! };
}

/**
 * As `rowCounts`, for whoever asks again and again: a database of the test's own notes each statement that writes, and
 * where none did, the counts are those of before. To count all tables takes six times as long as a request.
 */
export async function rowCounter(store: Store): Promise<() => Promise<Record<string, number>>> {
  await store.read.script(noteWrites);
  let [seen, counts]: [string | null, Record<string, number>] = [null, {}];
  return async () => {
    const [writes] = await store.read<{ noted: string }[]>`
      select concat(test_writes.last_value, test_writes.is_called) as noted from test_writes`;
    if (writes!.noted !== seen) counts = await rowCounts(store);
    seen = writes!.noted;
    return { ...counts };
  };
}

/** Also those that are rolled back later: a sequence does not go back. */
const noteWrites = `
  create sequence test_writes;
  create function note_write() returns trigger language plpgsql as $$
  begin
    perform nextval('test_writes');
    return null;
  end $$;
  do $$
  declare
    one regclass;
  begin
    for one in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('create trigger note_write after insert or update or delete or truncate on %s
        for each statement execute function note_write()', one);
    end loop;
  end $$;`;

/** A digest of every row of every table, but for when a token or a session was used last, which is written on its own. */
export async function fingerprint(store: Store): Promise<Record<string, string>> {
  const sql = store.read;
  const names = (await tableNames(store)).filter(name => name !== 'tokens' && name !== 'sessions');
  const digests = names.map(
    name => sql`(select md5(coalesce(string_agg(rows::text, '' order by rows::text), '')) from ${sql(name)} as rows)
      as ${sql(name)}`,
  );
  const [row] = await sql<Record<string, string>[]>`select ${joined(sql, digests)}`;
  return { ...row! };
}

const known = new WeakMap<Sql, string[]>();

async function tableNames({ read: sql }: Store): Promise<string[]> {
  const before = known.get(sql);
  if (before) return before;
  const tables = await sql<{ table_name: string }[]>`
    select tables.table_name::text from information_schema.tables where tables.table_schema = 'public' order by 1`;
  const names = tables.map(table => table.table_name);
  known.set(sql, names);
  return names;
}

function joined(sql: Sql, fragments: readonly Fragment[]): Fragment {
  return fragments.reduce((all, one) => sql`${all}, ${one}`);
}
