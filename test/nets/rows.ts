/** How many rows each table holds: what a refused request must not change. */
import type { Fragment, Sql, Store } from '../../src/core/store/store.ts';

/** One statement: the tables do not change while the tests run. */
export async function rowCounts(store: Store): Promise<Record<string, number>> {
  return countsOf(store.read, await tableNames(store));
}

async function countsOf(sql: Sql, names: readonly string[]): Promise<Record<string, number>> {
  const counts = names.map(name => sql`(select count(*) from ${sql(name)}) as ${sql(name)}`);
  const [row] = await sql<Record<string, number>[]>`select ${joined(sql, counts)}`;
  return { ...row! };
}

/**
 * As `rowCounts`, for whoever asks again and again: a database of the test's own notes each statement that writes, and
 * only tables of such are counted anew. To count all of them takes six times as long as a request.
 */
export async function rowCounter({ read: sql }: Store): Promise<() => Promise<Record<string, number>>> {
  await sql.script(noteWrites);
  let [writes, ofTables, counts]: [string | null, Record<string, number>, Record<string, number>] = [null, {}, {}];
  return async () => {
    const [now] = await sql<{ noted: string }[]>`
      select concat(test_writes.last_value, test_writes.is_called) as noted from test_writes`;
    if (now!.noted === writes) return { ...counts };
    const [noted] = await sql<{ tables: Record<string, number> }[]>`
      select jsonb_object_agg(substring(pg_class.relname::text from 13), coalesce(pg_sequence_last_value(pg_class.oid), 0)) as tables
      from pg_class where pg_class.relkind = 'S' and starts_with(pg_class.relname::text, 'test_writes_')`;
    const changed = Object.keys(noted!.tables).filter(name => noted!.tables[name] !== ofTables[name]);
    // None: what was written between the last two statements is counted already.
    if (changed.length > 0) counts = { ...counts, ...(await countsOf(sql, changed)) };
    [writes, ofTables] = [now!.noted, noted!.tables];
    return { ...counts };
  };
}

/** Also those that are rolled back later: a sequence does not go back. */
const noteWrites = `
  create sequence test_writes;
  create function note_write() returns trigger language plpgsql as $$
  begin
    perform nextval('test_writes'), nextval('test_writes_' || tg_table_name);
    return null;
  end $$;
  do $$
  declare
    one name;
  begin
    for one in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('create sequence %I', 'test_writes_' || one);
      execute format('create trigger note_write after insert or update or delete or truncate on %I
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
