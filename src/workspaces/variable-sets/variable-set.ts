/** Variable set (§2.2 `vars`): the document, the SELECT and the finder. Its variables are those of every workspace it applies to. */

import { Type } from 'typebox';
import { variableSetPowers } from '../../access/policy.ts';
import { projectIsReadable } from '../../access/projects.ts';
import { isWithin, setGrantColumns, setIsReadable, setPowers } from '../../access/variable-sets.ts';
import { workspaceIsReadable } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Finder, Subject } from '../../core/jsonapi/endpoint.ts';
import {
  boolean,
  choice,
  column,
  computed,
  integer,
  type Row,
  reference,
  references,
  text,
  timestamp,
} from '../../core/jsonapi/fields.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { type Fragment, held, type Sql } from '../../core/store/store.ts';
import { type Variable, variableColumns } from '../variables/variable.ts';

/** Anything that prints, without space around it. */
const nameForm = Type.String({
  pattern: '^(?!\\s)[^\\p{Cc}]{1,255}(?<!\\s)$',
  'x-rule': 'must be printable, without space around it, and have 1 to 255 characters',
});

const attributes = {
  name: column(text, { write: nameForm }),
  description: column(text, { write: Type.String({ maxLength: 512 }), default: '' }),
  global: column(boolean, { write: true, default: false }),
  priority: column(boolean, { write: true, default: false }),
  'updated-at': column(timestamp),
  /** Of what the relationships name. */
  'var-count': computed(integer, row => row['variable_ids'].length),
  'workspace-count': computed(integer, row => row['workspace_ids'].length),
  'project-count': computed(integer, row => row['project_ids'].length),
};

export const variableSets = resource({
  type: 'varsets',
  attributes,
  relationships: {
    organization: reference(
      'organizations',
      'organization_name',
      row => `/api/v2/organizations/${row['organization_name']}`,
    ),
    /** Who owns the set. */
    parent: choice(['organizations', 'projects'], row =>
      row['project_id']
        ? { type: 'projects', id: row['project_id'] }
        : { type: 'organizations', id: row['organization_name'] },
    ),
    vars: references('vars', 'variable_ids'),
    workspaces: references('workspaces', 'workspace_ids'),
    projects: references('projects', 'project_ids'),
  },
  links: row => ({ self: `/api/v2/varsets/${row.id}` }),
  load: (sql, actor, ids) => readVariableSets(sql, actor, sql`variable_sets.id = any(${ids as string[]})`),
});

export interface VariableSet extends RowOf<typeof attributes>, Subject {
  id: string;
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

/** Clients ask for stacks, too, which nothing here has. */
export const includePaths = ['organization', 'parent', 'vars', 'workspaces', 'projects', 'stacks'] as const;

/** The sets of a condition that the actor may read, with as much of what they name as the actor may see. */
export async function readVariableSets(
  sql: Sql,
  actor: Actor,
  condition: Fragment,
  rest?: Fragment,
): Promise<VariableSet[]> {
  const rows = await sql<Row[]>`
    select
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
      ${setGrantColumns(sql, actor)}
    from variable_sets
    join organizations on organizations.id = variable_sets.organization_id
    where ${condition} and ${setIsReadable(sql, actor)}
    ${rest ?? sql``}`;
  return rows.map(({ granted_powers, granted_on_owner, ...row }) => {
    const powers = setPowers(actor, { ...row, granted_powers, granted_on_owner });
    if (!variableSetPowers.has(powers, 'read-variables')) row['variable_ids'] = [];
    return { ...row, powers } as unknown as VariableSet;
  });
}

export const variableSetById: Finder<VariableSet> = {
  find: async (sql, actor, params, lock) => {
    const condition = sql`variable_sets.id = ${params['variable_set_id']!}`;
    const [found] = await readVariableSets(sql, actor, condition, held(sql, lock, 'variable_sets'));
    return found;
  },
};

/** The caller's powers are those on the set; a write holds the set, too. */
export const setVariableById: Finder<Variable> = {
  find: async (sql, actor, params, lock) => {
    const set = await variableSetById.find(sql, actor, params, lock);
    if (!set) return undefined;
    const [row] = await sql<Row[]>`
      select ${variableColumns(sql)} from variables
      where variables.variable_set_id = ${set.id} and variables.id = ${params['variable_id']!}`;
    return row && ({ ...row, powers: set.powers } as Variable);
  },
};
