/** §2.3 Effective tag bindings: a workspace's own and those of its project; a project's are its own. */
import { column, type Relationship, type Row, text } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';

/** `project_id` is that of the project from which a workspace has it, and null of who bears it directly. */
interface EffectiveBinding extends Row {
  holder_id: string;
  project_id: string | null;
}

const project = (row: EffectiveBinding) => `/api/v2/projects/${row.project_id}`;
const isInherited = (row: EffectiveBinding) => row.project_id !== null;

/** Older clients look for the mark of inheritance among the links, newer ones among the relationships. */
export const effectiveTagBindings = resource({
  type: 'effective-tag-bindings',
  attributes: { key: column(text), value: column(text) },
  relationships: {
    'inherited-from': {
      form: 'links',
      types: [],
      identifiers: () => [],
      related: project,
      isShown: isInherited,
    } satisfies Relationship,
  },
  links: (row: EffectiveBinding) => ({ 'inherited-from': project(row) }),
  hasLinks: isInherited,
});

/** Whether the organization reserves the key for its projects: a workspace's own value yields to them. */
const yields = (sql: Sql, organizationId: Fragment, key: Fragment): Fragment => sql`exists (
  select from reserved_tag_keys
  where reserved_tag_keys.organization_id = ${organizationId} and reserved_tag_keys.key = ${key}
    and reserved_tag_keys.disable_overrides
)`;

/**
 * The direct bindings that hold (as `bindings`), of the workspaces of a condition on it. `etb-…` in place of `tb-…` is
 * the id of a binding as workspaces inherit it: it is shown with the mark that the project's own does not bear.
 */
export const directInEffect = (sql: Sql): Fragment => sql`
  not (
    ${yields(sql, sql`bindings.organization_id`, sql`bindings.key`)}
    and exists (
      select from workspaces as holder
      join project_tag_bindings as inherited on inherited.project_id = holder.project_id
      where holder.id = bindings.workspace_id and inherited.key = bindings.key
    )
  )`;

/** The project's `bindings` that hold on `inheriting`, a workspace of it. */
export const inheritedInEffect = (sql: Sql): Fragment => sql`
  (
    ${yields(sql, sql`bindings.organization_id`, sql`bindings.key`)}
    or not exists (
      select from workspace_tag_bindings as direct
      where direct.workspace_id = inheriting.id and direct.key = bindings.key
    )
  )`;

export async function effectiveOfWorkspaces(sql: Sql, workspaces: readonly Row[]): Promise<Map<string, Row[]>> {
  const ids = workspaces.map(({ id }) => id);
  const rows = await sql<EffectiveBinding[]>`
    select bindings.workspace_id as holder_id, bindings.id, bindings.key, bindings.value, null as project_id
    from workspace_tag_bindings as bindings
    where bindings.workspace_id = any(${ids}) and ${directInEffect(sql)}
    union all
    select inheriting.id, 'e' || bindings.id, bindings.key, bindings.value, bindings.project_id
    from workspaces as inheriting
    join project_tag_bindings as bindings on bindings.project_id = inheriting.project_id
    where inheriting.id = any(${ids}) and ${inheritedInEffect(sql)}
    order by key, id`;
  return byHolder(rows);
}

export async function effectiveOfProjects(sql: Sql, projects: readonly Row[]): Promise<Map<string, Row[]>> {
  const rows = await sql<EffectiveBinding[]>`
    select bindings.project_id as holder_id, bindings.id, bindings.key, bindings.value, null as project_id
    from project_tag_bindings as bindings
    where bindings.project_id = any(${projects.map(({ id }) => id)})
    order by bindings.key, bindings.id`;
  return byHolder(rows);
}

function byHolder(rows: readonly EffectiveBinding[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) found.set(row.holder_id, [...(found.get(row.holder_id) ?? []), row]);
  return found;
}
