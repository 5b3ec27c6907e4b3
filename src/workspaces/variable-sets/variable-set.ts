/** Variable set (§2.2 `vars`): the document, the SELECT and the finder. Its variables are those of every workspace it applies to. */

import { Type } from 'typebox';
import { variableSetPowers } from '../../access/policy.ts';
import { projectIsReadable } from '../../access/projects.ts';
import { isWithin, type SetGrants, setGrantColumns, setIsReadable, setPowers } from '../../access/variable-sets.ts';
import { workspaceIsReadable } from '../../access/workspaces.ts';
import {
  addressed,
  boolean,
  choice,
  column,
  computed,
  integer,
  references,
  text,
  timestamp,
} from '../../core/jsonapi/fields.ts';
import { printableName } from '../../core/jsonapi/forms.ts';
import { type Finder, records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { type VariableRow, variableColumns } from '../variables/variable.ts';

interface VariableSetRow extends Subject<'variable-set'>, SetGrants {
  organization_id: string;
  organization_name: string;
  /** The project that owns the set; null where the organization does. */
  project_id: string | null;
  /** None for who may not read them. */
  variable_ids: string[];
  /** Those that the caller may see. */
  workspace_ids: string[];
  project_ids: string[];
}

const attributes = {
  name: column(text, { write: printableName }),
  description: column(text, { write: Type.String({ maxLength: 512 }), default: '' }),
  global: column(boolean, { write: true, default: false }),
  priority: column(boolean, { write: true, default: false }),
  'updated-at': column(timestamp),
  /** Of what the relationships name. */
  'var-count': computed(integer, (row: VariableSetRow) => row.variable_ids.length),
  'workspace-count': computed(integer, (row: VariableSetRow) => row.workspace_ids.length),
  'project-count': computed(integer, (row: VariableSetRow) => row.project_ids.length),
};

export const variableSets = resource({
  type: 'varsets',
  attributes,
  relationships: {
    organization: addressed('organizations', 'organization_name'),
    /** Who owns the set. */
    parent: choice(['organizations', 'projects'], (row: VariableSetRow) =>
      row.project_id ? { type: 'projects', id: row.project_id } : { type: 'organizations', id: row.organization_name },
    ),
    vars: references('vars', 'variable_ids'),
    workspaces: references('workspaces', 'workspace_ids'),
    projects: references('projects', 'project_ids'),
  },
  links: row => ({ self: `/api/v2/varsets/${row.id}` }),
  load: (sql, actor, ids) => variableSetRecords.load(sql, actor, ids),
});

export interface VariableSet extends RowOf<typeof attributes>, VariableSetRow {}

/** Clients ask for stacks, too, which nothing here has. */
export const includePaths = ['organization', 'parent', 'vars', 'workspaces', 'projects', 'stacks'] as const;

/** With as much of what they name as the actor may see. */
export const variableSetRecords = records<VariableSet>({
  table: 'variable_sets',
  columns: (sql, actor) => sql`
    variable_sets.id, variable_sets.organization_id, organizations.name as organization_name,
    variable_sets.project_id, variable_sets.name, variable_sets.description, variable_sets.global,
    variable_sets.priority, variable_sets.updated_at,
    array(
      select variables.id from variables
      where variables.variable_set_id = variable_sets.id
      order by variables.created_at, variables.id
    ) as variable_ids,
    array(
      select workspaces.id from variable_set_workspaces
      join workspaces on workspaces.id = variable_set_workspaces.workspace_id
      where variable_set_workspaces.variable_set_id = variable_sets.id and ${isWithin(sql)}
        and ${workspaceIsReadable(sql, actor)}
      order by workspaces.id
    ) as workspace_ids,
    array(
      select projects.id from variable_set_projects
      join projects on projects.id = variable_set_projects.project_id
      where variable_set_projects.variable_set_id = variable_sets.id and ${projectIsReadable(sql, actor)}
      order by projects.id
    ) as project_ids,
    ${setGrantColumns(sql, actor)}`,
  from: sql => sql`
    variable_sets
    join organizations on organizations.id = variable_sets.organization_id`,
  isVisible: setIsReadable,
  powers: (row, actor) => setPowers(actor, row),
  complete: row => (variableSetPowers.has(row.powers, 'read-variables') ? {} : { variable_ids: [] }),
});

export const variableSetById = variableSetRecords.byId('variable_set_id');

export type SetVariable = VariableRow & Subject<'variable-set'>;

/** The caller's powers are those on the set; a write holds the set, too. */
export const setVariableById: Finder<SetVariable> = {
  parameter: 'variable_id',
  find: async (look, params) => {
    const { sql } = look;
    const set = await variableSetById.find(look, params);
    if (!set) return undefined;
    const [row] = await sql<VariableRow[]>`
      select ${variableColumns(sql)} from variables
      where variables.variable_set_id = ${set.id} and variables.id = ${params['variable_id']!}`;
    return row && ({ ...row, powers: set.powers } as SetVariable);
  },
};
