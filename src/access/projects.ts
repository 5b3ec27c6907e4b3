/** Which projects an actor may read, and what their teams may do with each, in SQL. */
import type { Actor } from '../core/access/actor.ts';
import type { Fragment, Sql } from '../core/store/store.ts';
import { projectPowers, projectPowersFromOrganization } from './project-levels.ts';

/** The powers that the caller's teams have been given on the project itself. */
export const projectGrant = (sql: Sql, actor: Actor): Fragment => sql`
  (
    select coalesce(bit_or(team_projects.powers), 0) from team_projects
    where team_projects.project_id = projects.id and team_projects.team_id = any(${actor.teamIds as string[]})
  )`;

/** Ids of organizations in which organization access alone gives a power on every project. */
function organizationsGiving(actor: Actor, power: (typeof projectPowers.names)[number]): string[] {
  const ids = [...actor.standings.keys()];
  return ids.filter(id => projectPowers.has(projectPowersFromOrganization(actor, id), power));
}

/** Whether the caller may read a row of `projects`: whoever may read a workspace may read its project. */
export function projectIsReadable(sql: Sql, actor: Actor): Fragment {
  const teamIds = actor.teamIds as string[];
  return sql`(
    projects.organization_id = any(${organizationsGiving(actor, 'read')})
    or projects.id in (
      select team_projects.project_id from team_projects where team_projects.team_id = any(${teamIds})
    )
    or projects.id in (
      select workspaces.project_id from team_workspaces
      join workspaces on workspaces.id = team_workspaces.workspace_id
      where team_workspaces.team_id = any(${teamIds})
    )
  )`;
}

/** Whether the caller has a power beyond reading on a row of `projects`. */
export function projectGives(sql: Sql, actor: Actor, power: (typeof projectPowers.names)[number]): Fragment {
  return sql`(
    projects.organization_id = any(${organizationsGiving(actor, power)})
    or (${projectGrant(sql, actor)} & ${projectPowers.bit[power]}::integer) <> 0
  )`;
}
