/** Which rows belong to an organization: found by following the foreign keys, so that no table can be forgotten. */
import type { Sql } from '../../src/core/store/store.ts';

/** A table, and which of its rows (as `t`) belong to the organization whose key is `$1`. */
export interface TenantTable {
  name: string;
  condition: string;
}

interface Reference {
  child: string;
  column: string;
  parent: string;
}

/** People belong to whoever they are members of, and service accounts to what they act for; no foreign key says so. */
const people = `t.service_of_id = $1
  or t.service_of_id in (select teams.id from teams where teams.organization_id = $1)
  or t.id in (
    select organization_memberships.user_id from organization_memberships
    where organization_memberships.organization_id = $1
  )`;

/** Every table that holds something of an organization, after those that it refers to. */
export async function tenantTables(sql: Sql): Promise<TenantTable[]> {
  const references = await sql<Reference[]>`
    select child.relname as child, attribute.attname as column, parent.relname as parent
    from pg_constraint
    join pg_class child on child.oid = pg_constraint.conrelid
    join pg_class parent on parent.oid = pg_constraint.confrelid
    join pg_attribute attribute
      on attribute.attrelid = pg_constraint.conrelid and attribute.attnum = pg_constraint.conkey[1]
    where pg_constraint.contype = 'f' and pg_constraint.connamespace = 'public'::regnamespace
    order by child.relname, attribute.attname`;
  const named = await sql<{ name: string }[]>`
    select columns.table_name as name from information_schema.columns
    where columns.table_schema = 'public' and columns.column_name = 'organization_id'
    order by columns.table_name`;
  const found = new Map<string, string>([
    ['organizations', 't.id = $1'],
    ['users', people],
  ]);
  for (const { name } of named) found.set(name, 't.organization_id = $1');
  for (;;) {
    const next = references.filter(({ child, parent }) => !found.has(child) && found.has(parent));
    if (next.length === 0) break;
    // All references that are known by now: a token belongs to a person, a team or an organization.
    for (const child of new Set(next.map(way => way.child))) found.set(child, throughParents(child, next, found));
  }
  found.set('tokens', throughParents('tokens', references, found));
  return [...found].map(([name, condition]) => ({ name, condition }));
}

function throughParents(child: string, references: readonly Reference[], found: ReadonlyMap<string, string>): string {
  const ways = references.filter(way => way.child === child && found.has(way.parent));
  return ways
    .map(({ column, parent }) => `t.${column} in (select t.id from ${parent} t where ${found.get(parent)!})`)
    .join(' or ');
}

/** When a token was last used is written now and then, after the answer. */
const content = `(to_jsonb(t) - 'last_used_at')::text`;

/** The content of every table's rows of an organization as one checksum each, with how many there are. */
export async function checksums(
  sql: Sql,
  tables: readonly TenantTable[],
  key: string,
): Promise<Record<string, string>> {
  const parts = tables.map(
    ({ name, condition }) => `
      select '${name}' as name, count(*)::text || ' ' || coalesce(md5(string_agg(${content}, '|' order by ${content})), '') as sum
      from ${name} t where ${condition}`,
  );
  const rows = await sql.unsafe<{ name: string; sum: string }[]>(parts.join(' union all '), [key]);
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}

export interface TenantRecord {
  id: string;
  name: string | null;
}

/** The rows of an organization that bear an id, by table: ids, and names where there are names. */
export async function recordsOf(
  sql: Sql,
  tables: readonly TenantTable[],
  key: string,
): Promise<Map<string, TenantRecord[]>> {
  const identified = await sql<{ name: string; called: string | null }[]>`
    select columns.table_name as name, (
      select min(others.column_name) from information_schema.columns others
      where others.table_schema = 'public' and others.table_name = columns.table_name
        and others.column_name in ('name', 'username')
    ) as called
    from information_schema.columns
    where columns.table_schema = 'public' and columns.column_name = 'id'
    order by columns.table_name`;
  const calledBy = new Map(identified.map(({ name, called }) => [name, called]));
  const parts = tables
    .filter(({ name }) => calledBy.has(name))
    .map(
      ({ name, condition }) =>
        `select '${name}' as of, t.id, ${calledBy.get(name) ? `t.${calledBy.get(name)}` : 'null'} as name
         from ${name} t where ${condition}`,
    );
  const rows = await sql.unsafe<{ of: string; id: string; name: string | null }[]>(
    `select * from (${parts.join(' union all ')}) as records order by records.of, records.id`,
    [key],
  );
  const records = new Map<string, TenantRecord[]>();
  for (const { of, id, name } of rows) records.set(of, [...(records.get(of) ?? []), { id, name }]);
  return records;
}

/** Rows, of whatever table, whose text names one of the ids: `table: row`. */
export async function rowsNaming(sql: Sql, ids: readonly string[], except: readonly string[]): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select tables.table_name as name from information_schema.tables
    where tables.table_schema = 'public' and tables.table_type = 'BASE TABLE' 
    order by tables.table_name`;
  const found: string[] = [];
  for (const { name } of tables) {
    if (except.includes(name)) continue;
    const rows = await sql.unsafe<{ text: string }[]>(`select t::text as text from ${name} t`);
    const named = rows.filter(({ text }) => ids.some(id => text.includes(id)));
    found.push(...named.map(({ text }) => `${name}: ${text.slice(0, 300)}`));
  }
  return found;
}

/** Where the records lie that a path parameter, or `type` of an identifier, names. */
const tablesOfWords: Record<string, string> = {
  version: 'engine_versions',
  variable: 'variables',
  var: 'variables',
  varset: 'variable_sets',
  token: 'tokens',
  authentication_token: 'tokens',
  task: 'run_tasks',
  terraform_version: 'engine_versions',
  apply: 'applies',
  output: 'state_version_outputs',
};

/** `workspace_id` → `workspaces`, and `authentication-tokens` → `tokens`; undefined where no such table is known. */
export function tableOf(word: string, tables: readonly string[]): string | undefined {
  const single = word
    .replaceAll('-', '_')
    .replace(/_(id|name)$/, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '');
  const candidates = [tablesOfWords[single], `${single}s`, `${single.replace(/y$/, 'ies')}`];
  return candidates.find(table => table !== undefined && tables.includes(table));
}
