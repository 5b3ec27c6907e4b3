/** Variables of workspaces and of variable sets (§2.2 `vars`): the document, the SELECT and the finders. */

import { Type } from 'typebox';
import { setsWithReadableVariables } from '../../access/variable-sets.ts';
import { workspacePowers } from '../../access/workspace-levels.ts';
import type { Actor } from '../../core/access/actor.ts';
import {
  addressed,
  boolean,
  column,
  computed,
  nullable,
  type Row,
  text,
  timestamp,
  word,
} from '../../core/jsonapi/fields.ts';
import type { Finder, Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { visibleWorkspaces, workspaceById } from '../workspaces/rows.ts';

const keyForm = Type.String({ minLength: 1, maxLength: 255 });
/** A body of 1 MiB holds it with room for the rest. */
const valueForm = Type.String({ maxLength: 262_144 });

interface StoredVariable extends Row {
  organization_id: string;
  /** One of the two is null. */
  workspace_id: string | null;
  variable_set_id: string | null;
  value: string | null;
}

const attributes = {
  key: column(text, { write: keyForm }),
  /** Null for a sensitive variable, in every answer. */
  value: computed(nullable(text), (row: StoredVariable) => row.value, { write: nullable(valueForm) }),
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
    /** Clients read a workspace from it, and fail on anything else. */
    configurable: {
      ...addressed('workspaces', 'workspace_id'),
      isShown: (row: StoredVariable) => row.workspace_id !== null,
    },
    varset: {
      ...addressed('varsets', 'variable_set_id'),
      isShown: (row: StoredVariable) => row.variable_set_id !== null,
    },
  },
  links: (row: StoredVariable) => ({
    self: row.workspace_id
      ? `/api/v2/workspaces/${row.workspace_id}/vars/${row.id}`
      : `/api/v2/varsets/${row.variable_set_id}/relationships/vars/${row.id}`,
  }),
  load: loadVariables,
});

/** Without what the caller may do with it. */
export interface VariableRow extends RowOf<typeof attributes>, StoredVariable {}

export type Variable = VariableRow & Subject<'workspace'>;

export const variableColumns = (sql: Sql): Fragment => sql`
  variables.id, variables.organization_id, variables.workspace_id, variables.variable_set_id, variables.key,
  variables.category, variables.value, variables.sensitive, variables.hcl, variables.description,
  variables.version_id, variables.created_at`;

/** The variables of one workspace, oldest first. */
export async function variablesOf(sql: Sql, workspaceId: string): Promise<VariableRow[]> {
  return sql<VariableRow[]>`
    select ${variableColumns(sql)} from variables
    where variables.workspace_id = ${workspaceId}
    order by variables.created_at, variables.id`;
}

/** The variables of one set, oldest first. */
export async function variablesOfSet(sql: Sql, variableSetId: string): Promise<VariableRow[]> {
  return sql<VariableRow[]>`
    select ${variableColumns(sql)} from variables
    where variables.variable_set_id = ${variableSetId}
    order by variables.created_at, variables.id`;
}

/** The variables with these ids, of workspaces and sets whose variables the actor may read. */
async function loadVariables(sql: Sql, actor: Actor, ids: readonly string[]): Promise<Row[]> {
  const rows = await sql<VariableRow[]>`
    select ${variableColumns(sql)} from variables where variables.id = any(${ids as string[]})`;
  const homes = (name: 'workspace_id' | 'variable_set_id') =>
    [...new Set(rows.map(row => row[name]))].filter(id => id !== null);
  const [workspaceIds, setIds] = [homes('workspace_id'), homes('variable_set_id')];
  const [workspaces, sets] = await Promise.all([
    workspaceIds.length > 0 ? visibleWorkspaces(sql, actor, sql`workspaces.id = any(${workspaceIds})`) : [],
    setsWithReadableVariables(sql, actor, setIds),
  ]);
  const readable = new Set([
    ...workspaces.filter(({ powers }) => workspacePowers.has(powers, 'read-variables')).map(({ id }) => id),
    ...sets,
  ]);
  return rows.filter(row => readable.has((row.workspace_id ?? row.variable_set_id)!));
}

/** The caller's powers are those on the workspace; a write holds the workspace, too. */
export const variableById: Finder<Variable> = {
  parameter: 'variable_id',
  find: async (look, params) => {
    const { sql } = look;
    const workspace = await workspaceById.find(look, params);
    if (!workspace) return undefined;
    const [row] = await sql<VariableRow[]>`
      select ${variableColumns(sql)} from variables
      where variables.workspace_id = ${workspace.id} and variables.id = ${params['variable_id']!}`;
    return row && ({ ...row, powers: workspace.powers } as Variable);
  },
};
