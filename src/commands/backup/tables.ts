/** What of the database a backup holds: all tables but those that mean nothing elsewhere. */
import type pg from 'pg';

export interface Table {
  name: string;
  columns: string[];
}

/**
 * What migrations write, what counts transactions of this PostgreSQL alone, which servers are there now, and which objects
 * to remove: what was needless then may be needed since.
 */
const leftOut = ['schema_migrations', 'changes', 'servers', 'object_removals'];

export async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select pg_class.relname as name, array_agg(pg_attribute.attname::text order by pg_attribute.attnum) as columns
     from pg_class
     join pg_attribute on pg_attribute.attrelid = pg_class.oid and pg_attribute.attnum > 0
       and not pg_attribute.attisdropped and pg_attribute.attgenerated = ''
     where pg_class.relkind = 'r' and pg_class.relnamespace = current_schema()::regnamespace
       and pg_class.relname <> all($1::text[])
     group by pg_class.relname order by pg_class.relname`,
    [leftOut],
  );
  return rows;
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** For `copy`: the table with its columns by name, since their order may differ. */
export const copied = ({ name, columns }: Table) => `${quoted(name)} (${columns.map(quoted).join(', ')})`;
