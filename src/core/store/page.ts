/** A page and the number of all records that it is taken from, in one statement: both say what was there at one moment. */
import { none } from './sql.ts';
import type { Fragment, Sql } from './store.ts';

/** Of a page past the end there is one row, with the total alone. */
export type Counted<Row> = (Row | { id: null }) & { total: number };

/**
 * @param total a SELECT of one row with the column `total`
 * @param rows a SELECT in the order of the page, with an `id` that is never null
 * @param more one more column, with a comma before it
 */
export const countedPage = (sql: Sql, total: Fragment, rows: Fragment, more: Fragment = none): Fragment => sql`
  select page.*, counted.total${more}
  from (${total}) as counted
  left join (select listed.*, row_number() over () as place from (${rows}) as listed) as page on true
  order by page.place`;

export const pageFrom = <Row extends { id: string }>(
  found: readonly Counted<Row>[],
): { rows: Row[]; total: number } => ({
  rows: found.filter((row): row is Row & { total: number } => row.id !== null),
  total: found[0]!.total,
});

export async function counted<Row extends { id: string }>(
  sql: Sql,
  total: Fragment,
  rows: Fragment,
): Promise<{ rows: Row[]; total: number }> {
  return pageFrom(await sql<Counted<Row>[]>`${countedPage(sql, total, rows)}`);
}
