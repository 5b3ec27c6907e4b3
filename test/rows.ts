/** How many rows each table holds: what a refused request must not change. */
import type { Store } from '../src/store/store.ts';

export async function rowCounts({ read: sql }: Store): Promise<Record<string, number>> {
  const tables = await sql<{ table_name: string }[]>`
    select tables.table_name::text from information_schema.tables where tables.table_schema = 'public' order by 1`;
  const counts = tables.map(async ({ table_name: name }) => {
    const [row] = await sql<{ count: number }[]>`select count(*) as count from ${sql(name)}`;
    return [name, row!.count] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}
