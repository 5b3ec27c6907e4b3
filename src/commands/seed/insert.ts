/** Many rows in one statement, leaving alone what is there already. */
import type { Sql } from '../../core/store/store.ts';

export type SeedRow = Record<string, unknown>;

/**
 * Inserts the rows into the table; all rows have the members of the first. Rows whose key is taken are passed over.
 * Returns the number of rows that are new.
 */
export async function insertMissing(sql: Sql, table: string, rows: readonly SeedRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const columns = Object.keys(rows[0]!);
  const inserted = await sql`
    insert into ${sql(table)} (${sql(columns)})
    select ${sql(columns)} from jsonb_populate_recordset(null::${sql(table)}, ${sql.json(rows)})
    on conflict do nothing`;
  return inserted.count;
}

/** As `insertMissing`. Returns how many rows are new, by their value of `column`. */
export async function insertCounting(
  sql: Sql,
  table: string,
  rows: readonly SeedRow[],
  column: string,
): Promise<Record<string, number>> {
  if (rows.length === 0) return {};
  const columns = Object.keys(rows[0]!);
  const inserted = await sql<{ value: string }[]>`
    insert into ${sql(table)} (${sql(columns)})
    select ${sql(columns)} from jsonb_populate_recordset(null::${sql(table)}, ${sql.json(rows)})
    on conflict do nothing
    returning ${sql(column)} as value`;
  const counts: Record<string, number> = {};
  for (const { value } of inserted) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** Name → id of the rows of the organization in `table` that have one of these names. */
export async function idsByName(
  sql: Sql,
  table: 'projects' | 'tags' | 'teams',
  organizationId: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; name: string }[]>`
    select known.id, known.name from ${sql(table)} as known
    where known.organization_id = ${organizationId} and known.name = any(${names as string[]})`;
  return new Map(rows.map(({ id, name }) => [name, id]));
}
