/** A page and the number of all records that it is taken from, in one statement: both say what was there at one moment. */
import type { Fragment, Sql } from './store.ts';

/**
 * @param total a SELECT of one row with the column `total`
 * @param rows a SELECT in the order of the page, with an `id` that is never null
 */
export async function counted<Row extends { id: string }>(
  sql: Sql,
  total: Fragment,
  rows: Fragment,
): Promise<{ rows: Row[]; total: number }> {
  const found = await sql<(Row & { total: number; id: string | null })[]>`
    select page.*, counted.total
    from (${total}) as counted
    left join (select listed.*, row_number() over () as place from (${rows}) as listed) as page on true
    order by page.place`;
  // A page past the end is one row, with the total alone.
  return { rows: found.filter(({ id }) => id !== null) as Row[], total: found[0]!.total };
}
