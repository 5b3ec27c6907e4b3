/** Variables of a workspace (§2.2 `vars`): the document, the SELECT and the finder. */
import { Type } from 'typebox';
import type { Actor } from '../access/actor.ts';
import { workspacePowers } from '../access/workspace-levels.ts';
import type { Finder, Subject } from '../jsonapi/endpoint.ts';
import { boolean, column, computed, nullable, type Row, reference, text, timestamp, word } from '../jsonapi/fields.ts';
import { type RowOf, resource } from '../jsonapi/resource.ts';
import type { Fragment, Sql } from '../store/store.ts';
import { visibleWorkspaces, workspaceById } from '../workspaces/workspace.ts';

const keyForm = Type.String({ minLength: 1, maxLength: 255 });
/** A body of 1 MiB holds it with room for the rest. */
const valueForm = Type.String({ maxLength: 262_144 });

const attributes = {
  key: column(text, { write: keyForm }),
  /** Null for a sensitive variable, in every answer. */
  value: computed(nullable(text), row => row['value'], { write: nullable(valueForm) }),
  sensitive: column(boolean, { write: true, default: false }),
  category: column(word('terraform', 'env'), { write: true }),
  hcl: column(boolean, { write: true, default: false }),
  description: column(nullable(text), { write: nullable(Type.String({ maxLength: 512 })), default: null }),
  'created-at': column(timestamp),
  'version-id': column(text),
};

export const variables = resource({
  type: 'vars',
  attributes,
  relationships: {
    configurable: reference('workspaces', 'workspace_id', row => `/api/v2/workspaces/${row['workspace_id']}`),
  },
  links: row => ({ self: `/api/v2/workspaces/${row['workspace_id']}/vars/${row.id}` }),
  load: loadVariables,
});

export interface Variable extends RowOf<typeof attributes>, Subject {
  id: string;
  organization_id: string;
  workspace_id: string;
  value: string | null;
}

const variableColumns = (sql: Sql): Fragment => sql`
  variables.id, variables.organization_id, variables.workspace_id, variables.key, variables.category, variables.value,
  variables.sensitive, variables.hcl, variables.description, variables.version_id, variables.created_at`;

/** The variables of one workspace, oldest first. */
export async function variablesOf(sql: Sql, workspaceId: string): Promise<Row[]> {
  return sql<Row[]>`
    select ${variableColumns(sql)} from variables
    where variables.workspace_id = ${workspaceId}
    order by variables.created_at, variables.id`;
}

/** The variables with these ids, of workspaces whose variables the actor may read. */
async function loadVariables(sql: Sql, actor: Actor, ids: readonly string[]): Promise<Row[]> {
  const rows = await sql<
    Row[]
  >`select ${variableColumns(sql)} from variables where variables.id = any(${ids as string[]})`;
  const workspaceIds = [...new Set(rows.map(row => row['workspace_id'] as string))];
  const owners = await visibleWorkspaces(sql, actor, sql`workspaces.id = any(${workspaceIds})`);
  const readable = new Set(
    owners.filter(({ powers }) => workspacePowers.has(powers, 'read-variables')).map(({ id }) => id),
  );
  return rows.filter(row => readable.has(row['workspace_id']));
}

/** The caller's powers are those on the workspace; a write holds the workspace, too. */
export const variableById: Finder<Variable> = {
  find: async (sql, actor, params, lock) => {
    const workspace = await workspaceById.find(sql, actor, params, lock);
    if (!workspace) return undefined;
    const [row] = await sql<Row[]>`
      select ${variableColumns(sql)} from variables
      where variables.workspace_id = ${workspace.id} and variables.id = ${params['variable_id']!}`;
    return row && ({ ...row, powers: workspace.powers } as Variable);
  },
};
