/** Which tables a test's database had something committed to: a refused request commits nothing. */
import type { Sql } from '../../src/core/store/store.ts';

export interface Committed {
  /** The tables since it was asked last, in their order. */
  take: () => Promise<string[]>;
}

/** Times of use are written now and then, after the answer, and whoever asks. */
const isOfUse = (column: string) => /^(last_used_at|last_ping_at|seen_at)$/.test(column);

export async function watchCommits(sql: Sql): Promise<Committed> {
  const columns = await sql<{ table: string; column: string }[]>`
    select columns.table_name as table, columns.column_name as column
    from information_schema.columns
    join information_schema.tables on tables.table_schema = columns.table_schema and tables.table_name = columns.table_name
    where columns.table_schema = 'public' and tables.table_type = 'BASE TABLE'
    order by columns.table_name, columns.column_name`;
  const tables = new Map<string, string[]>();
  for (const { table, column } of columns) tables.set(table, [...(tables.get(table) ?? []), column]);
  const triggers = [...tables].map(([table, its]) => {
    const updates = its.filter(column => !isOfUse(column)).map(column => `"${column}"`);
    return `create trigger test_commits after insert or delete or update of ${updates.join(', ')} on "${table}"
      for each row execute function test_note_commit()`;
  });
  const log = `create unlogged table test_commits (name text not null, id text, change integer not null)`;
  const note = `
    create function test_note_commit() returns trigger language plpgsql as $$
    begin
      insert into test_commits values (tg_table_name, to_jsonb(coalesce(new, old)) ->> 'id',
        case tg_op when 'INSERT' then 1 when 'DELETE' then -1 else 0 end);
      return null;
    end $$`;
  for (const statement of [log, note, ...triggers]) await sql.unsafe(statement);
  return {
    take: async () => {
      // Content that is taken in before its body is judged goes again with what was refused.
      const rows = await sql<{ name: string }[]>`
        with gone as (delete from test_commits returning *), changed as (
          select gone.name from gone group by gone.name, gone.id
          having not (gone.id is not null and max(gone.change) = 1 and min(gone.change) = -1)
        )
        select distinct changed.name from changed order by changed.name`;
      return rows.map(({ name }) => name);
    },
  };
}
