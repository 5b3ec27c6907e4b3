/** §2.3 Tag bindings: keys and values bound directly to a workspace or a project, and how they are written. */
import { column, type Row, text, timestamp } from '../../core/jsonapi/fields.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { newId } from '../../core/store/ids.ts';
import type { Sql } from '../../core/store/store.ts';
import type { BindingGiven } from './binding-rules.ts';

const attributes = { key: column(text), value: column(text), 'created-at': column(timestamp) };

export const tagBindings = resource({
  type: 'tag-bindings',
  attributes,
  relationships: {},
  links: (row: Held) => ({ target: `/api/v2/${row.holder_type}/${row.holder_id}` }),
});

/** What keys and values are bound to. */
export type HolderType = 'workspaces' | 'projects';

interface Held extends Row {
  holder_type: HolderType;
  holder_id: string;
}

export interface TagBinding extends RowOf<typeof attributes>, Held {}

interface Holder {
  id: string;
  organization_id: string;
}

const places = {
  workspaces: { table: 'workspace_tag_bindings', holder: 'workspace_id' },
  projects: { table: 'project_tag_bindings', holder: 'project_id' },
} as const satisfies Record<HolderType, { table: string; holder: string }>;

/** All of them, by key. */
export async function readBindings(sql: Sql, type: HolderType, holderId: string): Promise<TagBinding[]> {
  const { table, holder } = places[type];
  return sql<TagBinding[]>`
    select bindings.id, bindings.key, bindings.value, bindings.created_at, bindings.${sql(holder)} as holder_id,
      ${type}::text as holder_type
    from ${sql(table)} as bindings
    where bindings.${sql(holder)} = ${holderId}
    order by bindings.key, bindings.id`;
}

/** Adds keys and gives those that are there their new value; takes none away. The holder's row is locked by the caller. */
export async function addBindings(
  sql: Sql,
  type: HolderType,
  { id, organization_id }: Holder,
  given: readonly BindingGiven[],
): Promise<void> {
  if (given.length === 0) return;
  const { table, holder } = places[type];
  const bindings = given.map(({ key, value }) => ({ id: newId('tb'), key, value: value ?? '' }));
  await sql`
    insert into ${sql(table)} as bindings (id, organization_id, ${sql(holder)}, key, value)
    select given.id, ${organization_id}, ${id}, given.key, given.value
    from jsonb_to_recordset(${sql.json(bindings)}) as given (id text, key text, value text)
    on conflict (${sql(holder)}, key) do update set value = excluded.value`;
}

/** Leaves exactly these bindings; those that stay keep their id and the time they were made. */
export async function replaceBindings(
  sql: Sql,
  type: HolderType,
  holding: Holder,
  given: readonly BindingGiven[],
): Promise<void> {
  const { table, holder } = places[type];
  await sql`
    delete from ${sql(table)} as bindings
    where bindings.${sql(holder)} = ${holding.id}
      and not bindings.key = any(${given.map(({ key }) => key)})`;
  await addBindings(sql, type, holding, given);
}
