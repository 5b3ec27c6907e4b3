/** Variable set (§2.2 `vars`): the document, the SELECT and the finder. Its variables are those of every workspace it applies to. */
import { Type } from 'typebox';
import type { Actor } from '../access/actor.ts';
import { organizationPowersOf } from '../access/organization-access.ts';
import { policy, variableSetPowers } from '../access/policy.ts';
import { projectPowers, projectPowersFromOrganization } from '../access/project-levels.ts';
import { workspacePowers, workspacePowersFromOrganization } from '../access/workspace-levels.ts';
import type { Finder, Subject } from '../jsonapi/endpoint.ts';
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
} from '../jsonapi/fields.ts';
import { type RowOf, resource } from '../jsonapi/resource.ts';
import { readableBy } from '../projects/project.ts';
import { type Fragment, held, type Sql } from '../store/store.ts';
import { readsWhole, visibleTo } from '../workspaces/workspace.ts';

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

/** Whether a set (a row of `variable_sets`) applies to a workspace; one that a project owns stays inside of it. */
export const appliesTo = (sql: Sql): Fragment => sql`(
  variable_sets.organization_id = workspaces.organization_id and ${isWithin(sql)}
  and (variable_sets.global or ${namesWorkspace(sql)} or ${namesItsProject(sql)})
)`;

const isWithin = (sql: Sql): Fragment => sql`
  (variable_sets.project_id is null or variable_sets.project_id = workspaces.project_id)`;

export const namesWorkspace = (sql: Sql): Fragment => sql`
  exists (
    select from variable_set_workspaces
    where variable_set_workspaces.variable_set_id = variable_sets.id
      and variable_set_workspaces.workspace_id = workspaces.id
  )`;

export const namesItsProject = (sql: Sql): Fragment => sql`
  exists (
    select from variable_set_projects
    where variable_set_projects.variable_set_id = variable_sets.id
      and variable_set_projects.project_id = workspaces.project_id
  )`;

/** Whether a set applies to a project, or to any workspace of it. */
const reaches = (sql: Sql): Fragment => sql`(
  variable_sets.organization_id = projects.organization_id
  and (variable_sets.project_id is null or variable_sets.project_id = projects.id)
  and (
    variable_sets.global
    or exists (
      select from variable_set_projects
      where variable_set_projects.variable_set_id = variable_sets.id
        and variable_set_projects.project_id = projects.id
    )
    or exists (
      select from variable_set_workspaces
      join workspaces on workspaces.id = variable_set_workspaces.workspace_id
      where variable_set_workspaces.variable_set_id = variable_sets.id and workspaces.project_id = projects.id
    )
  )
)`;

/** What the caller's teams have been given on the workspaces that a set applies to. */
const granted = (sql: Sql, actor: Actor): Fragment => sql`
  (
    select coalesce(bit_or(given.powers), 0) from (
      select team_workspaces.powers from team_workspaces
      join workspaces on workspaces.id = team_workspaces.workspace_id
      where team_workspaces.team_id = any(${actor.teamIds as string[]}) and ${appliesTo(sql)}
      union all
      select team_projects.workspace_powers from team_projects
      join projects on projects.id = team_projects.project_id
      where team_projects.team_id = any(${actor.teamIds as string[]}) and ${reaches(sql)}
    ) as given
  )`;

/** What the caller's teams have been given on the project that owns a set. */
const grantedOnOwner = (sql: Sql, actor: Actor): Fragment => sql`
  (
    select coalesce(bit_or(team_projects.powers), 0) from team_projects
    where team_projects.project_id = variable_sets.project_id
      and team_projects.team_id = any(${actor.teamIds as string[]})
  )`;

/** Sets that the caller may read: whoever may read a workspace may read what applies to it. */
export function readableSets(sql: Sql, actor: Actor): Fragment {
  const whole = [...actor.standings.keys()].filter(id => readsWhole(actor, id) || managesSetsOf(actor, id));
  return sql`(
    variable_sets.organization_id = any(${whole})
    or (${granted(sql, actor)} & ${workspacePowers.bit.read}::integer) <> 0
    or (${grantedOnOwner(sql, actor)} & ${projectPowers.bit['read-variable-sets']}::integer) <> 0
  )`;
}

/** Whether the actor changes the sets that the organization owns. */
export function managesSetsOf(actor: Actor, organizationId: string): boolean {
  return (organizationPowersOf(actor, organizationId) & policy['organization:manage-variable-sets'].anyOf) !== 0;
}

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
          and ${visibleTo(sql, actor)}
        order by workspaces.id
      ) as workspace_ids,
      array(
        select projects.id from variable_set_projects
        join projects on projects.id = variable_set_projects.project_id
        where variable_set_projects.variable_set_id = variable_sets.id and ${readableBy(sql, actor)}
        order by projects.id
      ) as project_ids,
      ${granted(sql, actor)} as granted_powers, ${grantedOnOwner(sql, actor)} as granted_on_owner
    from variable_sets
    join organizations on organizations.id = variable_sets.organization_id
    where ${condition} and ${readableSets(sql, actor)}
    ${rest ?? sql``}`;
  return rows.map(({ granted_powers: given, granted_on_owner: onOwner, ...row }) => {
    const powers = powersOn(actor, row, given, onOwner);
    if (!variableSetPowers.has(powers, 'read-variables')) row['variable_ids'] = [];
    return { ...row, powers } as unknown as VariableSet;
  });
}

/** @param given on the workspaces that the set applies to; `onOwner` is on the project that owns it */
function powersOn(actor: Actor, row: Row, given: number, onOwner: number): number {
  const organizationId: string = row['organization_id'];
  const onWorkspaces = given | workspacePowersFromOrganization(actor, organizationId);
  const onProject = row['project_id'] ? onOwner | projectPowersFromOrganization(actor, organizationId) : 0;
  const manages = row['project_id']
    ? projectPowers.has(onProject, 'write-variable-sets')
    : managesSetsOf(actor, organizationId);
  const readsVariables =
    manages ||
    workspacePowers.has(onWorkspaces, 'read-variables') ||
    projectPowers.has(onProject, 'read-variable-sets');
  const { bit } = variableSetPowers;
  return bit.read | (readsVariables ? bit['read-variables'] : 0) | (manages ? bit.manage : 0);
}

export const variableSetById: Finder<VariableSet> = {
  find: async (sql, actor, params, lock) => {
    const condition = sql`variable_sets.id = ${params['variable_set_id']!}`;
    const [found] = await readVariableSets(sql, actor, condition, held(sql, lock, 'variable_sets'));
    return found;
  },
};
