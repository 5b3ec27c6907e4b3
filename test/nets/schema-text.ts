/** What the migrations made, as SQL that makes it at once: from the catalog, in an order of its own, for people to read. */
import type { Sql } from '../../src/core/store/store.ts';

const heading = `-- The schema that the migrations have made so far, for readers: \`npm run schema\` writes it, and no program reads it.
-- Left out: schema_migrations, and what needs the extensions pg_trgm and btree_gin, which not every PostgreSQL has.
`;

/** The same for every supported version of PostgreSQL. */
export async function schemaText(sql: Sql): Promise<string> {
  const columns = await readColumns(sql);
  const constraints = await readConstraints(sql);
  const indexes = await readIndexes(sql);
  const functions = await readFunctions(sql);
  const triggers = await readTriggers(sql);
  const tables = [...new Set(columns.map(({ table }) => table))];
  const parts = tables.map(table => {
    const own = constraints.filter(one => one.table === table && !one.is_reference);
    const lines = [...columns.filter(one => one.table === table), ...own].map(({ text }) => `  ${text}`);
    return [
      `create table ${table} (\n${lines.join(',\n')}\n);`,
      ...indexes.filter(one => one.table === table).map(({ text }) => `${text};`),
    ].join('\n');
  });
  const references = constraints.filter(one => one.is_reference);
  const links = references.map(({ table, text }) => `alter table ${table} add ${text};`);
  const onChange = [...functions, ...triggers].map(({ text }) => `${text};`);
  return `${[heading.trimEnd(), ...parts, links.join('\n'), ...onChange].join('\n\n')}\n`;
}

interface Line {
  table: string;
  text: string;
}

function readColumns(sql: Sql) {
  return sql<Line[]>`
    select classes.relname::text as table,
      columns.attname || ' ' || format_type(columns.atttypid, columns.atttypmod)
        || case when columns.attnotnull then ' not null' else '' end
        || coalesce(' default ' || pg_get_expr(defaults.adbin, defaults.adrelid), '') as text
    from pg_class as classes
    join pg_attribute as columns on columns.attrelid = classes.oid
    left join pg_attrdef as defaults on defaults.adrelid = classes.oid and defaults.adnum = columns.attnum
    where classes.relnamespace = 'public'::regnamespace and classes.relkind = 'r'
      and classes.relname <> 'schema_migrations' and columns.attnum > 0 and not columns.attisdropped
    order by classes.relname collate "C", columns.attnum`;
}

/** From version 18 on the catalog also has a constraint for each `not null`, which stands at its column already. */
function readConstraints(sql: Sql) {
  return sql<(Line & { is_reference: boolean })[]>`
    select classes.relname::text as table, constraints.contype = 'f' as is_reference,
      'constraint ' || constraints.conname || ' ' || pg_get_constraintdef(constraints.oid) as text
    from pg_constraint as constraints
    join pg_class as classes on classes.oid = constraints.conrelid
    where classes.relnamespace = 'public'::regnamespace and classes.relname <> 'schema_migrations'
      and constraints.contype <> 'n'
    order by classes.relname collate "C", constraints.contype = 'p' desc, constraints.conname collate "C"`;
}

function readIndexes(sql: Sql) {
  return sql<Line[]>`
    select classes.relname::text as table, pg_get_indexdef(indexes.indexrelid) as text
    from pg_index as indexes
    join pg_class as classes on classes.oid = indexes.indrelid
    join pg_class as named on named.oid = indexes.indexrelid
    where classes.relnamespace = 'public'::regnamespace and classes.relname <> 'schema_migrations'
      and not exists (select from pg_constraint as constraints where constraints.conindid = indexes.indexrelid
        and constraints.contype in ('p', 'u', 'x'))
      and not pg_get_indexdef(indexes.indexrelid) like '%gin_trgm_ops%'
    order by classes.relname collate "C", named.relname collate "C"`;
}

/** Those of this schema, and none that an extension brought. */
function readFunctions(sql: Sql) {
  return sql<{ text: string }[]>`
    select rtrim(pg_get_functiondef(functions.oid), E'\n') as text from pg_proc as functions
    join pg_language as languages on languages.oid = functions.prolang
    where functions.pronamespace = 'public'::regnamespace and languages.lanname = 'plpgsql'
    order by functions.proname collate "C"`;
}

function readTriggers(sql: Sql) {
  return sql<{ text: string }[]>`
    select pg_get_triggerdef(triggers.oid) as text from pg_trigger as triggers
    join pg_class as classes on classes.oid = triggers.tgrelid
    where classes.relnamespace = 'public'::regnamespace and not triggers.tgisinternal
    order by classes.relname collate "C", triggers.tgname collate "C"`;
}
