/** Which variable sets apply where, which of them an actor may read, and what the actor may do with each, in SQL. */
import type { Actor } from '../core/access/actor.ts';
import type { Powers } from '../core/access/powers.ts';
import type { Fragment, Sql } from '../core/store/store.ts';
import { meets } from './organization-access.ts';
import { policy, variableSetPowers } from './policy.ts';
import { projectPowers, projectPowersFromOrganization } from './project-levels.ts';
import { workspacePowers, workspacePowersFromOrganization } from './workspace-levels.ts';
import { readsWhole } from './workspaces.ts';

/** Whether a set (a row of `variable_sets`) applies to a workspace; one that a project owns stays inside of it. */
export const appliesTo = (sql: Sql): Fragment => sql`(
  variable_sets.organization_id = workspaces.organization_id and ${isWithin(sql)}
  and (variable_sets.global or ${namesWorkspace(sql)} or ${namesItsProject(sql)})
)`;

export const isWithin = (sql: Sql): Fragment => sql`
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

/** What the powers on a row of `variable_sets` follow from. */
export const setGrantColumns = (sql: Sql, actor: Actor): Fragment => sql`
  ${granted(sql, actor)} as granted_powers, ${grantedOnOwner(sql, actor)} as owner_powers`;

/** Whether the caller may read a row of `variable_sets`: whoever may read a workspace may read what applies to it. */
export function setIsReadable(sql: Sql, actor: Actor): Fragment {
  const whole = [...actor.standings.keys()].filter(id => readsWhole(actor, id) || managesSetsOf(actor, id));
  return sql`(
    variable_sets.organization_id = any(${whole})
    or (${granted(sql, actor)} & ${workspacePowers.bit.read}::integer) <> 0
    or (${grantedOnOwner(sql, actor)} & ${projectPowers.bit['read-variable-sets']}::integer) <> 0
  )`;
}

/** Whether the actor changes the sets that the organization owns. */
export function managesSetsOf(actor: Actor, organizationId: string): boolean {
  return meets(actor, organizationId, policy['organization:manage-variable-sets']);
}

/** A set with its owner, and what `setGrantColumns` yield. */
export interface SetGrants {
  organization_id: string;
  project_id: string | null;
  granted_powers: number;
  owner_powers: number;
}

/** What the actor may do with a set. */
export function setPowers(actor: Actor, row: SetGrants): Powers<'variable-set'> {
  const organizationId = row.organization_id;
  const onWorkspaces = workspacePowers.union(
    workspacePowers.from(row.granted_powers),
    workspacePowersFromOrganization(actor, organizationId),
  );
  const onProject = row.project_id
    ? projectPowers.union(projectPowers.from(row.owner_powers), projectPowersFromOrganization(actor, organizationId))
    : projectPowers.none;
  const manages = row.project_id
    ? projectPowers.has(onProject, 'write-variable-sets')
    : managesSetsOf(actor, organizationId);
  const readsVariables =
    manages ||
    workspacePowers.has(onWorkspaces, 'read-variables') ||
    projectPowers.has(onProject, 'read-variable-sets');
  return variableSetPowers.where({ read: true, 'read-variables': readsVariables, manage: manages });
}

/** Those of the sets whose variables the actor may read. */
export async function setsWithReadableVariables(sql: Sql, actor: Actor, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await sql<(SetGrants & { id: string })[]>`
    select variable_sets.id, variable_sets.organization_id, variable_sets.project_id, ${setGrantColumns(sql, actor)}
    from variable_sets where variable_sets.id = any(${ids as string[]}) and ${setIsReadable(sql, actor)}`;
  return rows.filter(row => variableSetPowers.has(setPowers(actor, row), 'read-variables')).map(({ id }) => id);
}
