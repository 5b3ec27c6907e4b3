/** The grants on workspaces and projects: by the organization, and by the records of access of teams. */
import {
  type ProjectLevel,
  projectAccessOf,
  projectLevels,
  projectPowers,
  projectPowersFrom,
  projectPowersFromOrganization,
  projectWorkspaceAccessOf,
  workspacePowersFromProject,
} from '../../access/project-levels.ts';
import { teamIsVisible } from '../../access/teams.ts';
import {
  type WorkspaceLevel,
  withForceDelete,
  workspaceLevels,
  workspacePowers,
  workspacePowersFromOrganization,
} from '../../access/workspace-levels.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Powers } from '../../core/access/powers.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import type { Project } from '../projects/project.ts';
import type { Workspace } from '../workspaces/attributes.ts';
import { type FromOrganization, type Grant, type GrantingTeam, isSome, organizationGrants } from './grants.ts';

interface TeamWithAccess extends GrantingTeam {
  workspace_access_id: string | null;
  workspace_access: string | null;
  workspace_powers: number | null;
  project_access_id: string | null;
  project_access: string | null;
  project_powers: number | null;
  project_workspace_powers: number | null;
  /** Whether the team has access to some workspace of the project. */
  reads_within: boolean;
}

/** Whose grants: of one caller, or of every team. */
export type Whose = { target: Actor } | { everyTeam: true };

const targetOf = (whose: Whose): Actor | null => ('target' in whose ? whose.target : null);

/** Force deletion follows from administration where the organization lets it. */
export const workspaceFromOrganization =
  ({
    allow_force_delete_workspaces: allows,
  }: {
    allow_force_delete_workspaces: boolean;
  }): FromOrganization<'workspace'> =>
  (actor, id) =>
    withForceDelete(workspacePowersFromOrganization(actor, id), allows);

export async function workspaceGrants(
  sql: Sql,
  asker: Actor,
  workspace: Workspace,
  whose: Whose,
): Promise<Grant<'workspace'>[]> {
  const { organization_id: organizationId, project_id: projectId } = workspace;
  const teams = await teamsWithAccess(sql, asker, whose, { organizationId, projectId, workspaceId: workspace.id });
  const given = (powers: number | null) =>
    withForceDelete(workspacePowers.from(powers ?? 0), workspace.allow_force_delete_workspaces);
  return [
    ...organizationGrants(targetOf(whose), teams, organizationId, workspaceFromOrganization(workspace)),
    ...teams.flatMap(team => [
      ...ofRecord('workspace-access', team, given(team.workspace_powers)),
      ...ofRecord('project-access', team, given(team.project_workspace_powers)),
    ]),
  ].filter(isSome);
}

export async function projectGrants(
  sql: Sql,
  asker: Actor,
  project: Project,
  whose: Whose,
): Promise<Grant<'project'>[]> {
  const { organization_id: organizationId, id: projectId } = project;
  const teams = await teamsWithAccess(sql, asker, whose, { organizationId, projectId, workspaceId: '' });
  return [
    ...organizationGrants(targetOf(whose), teams, organizationId, projectPowersFromOrganization),
    ...teams.flatMap(team => [
      ...ofRecord('project-access', team, projectPowers.from(team.project_powers ?? 0)),
      // Whoever may read a workspace may read its project.
      ...(team.reads_within
        ? [{ via: 'workspace-access' as const, team, record: null, powers: projectPowers.bit.read }]
        : []),
    ]),
  ].filter(isSome);
}

function ofRecord<Kind extends string>(
  via: 'workspace-access' | 'project-access',
  team: TeamWithAccess,
  powers: Powers<Kind>,
): Grant<Kind>[] {
  const [id, access] =
    via === 'workspace-access'
      ? [team.workspace_access_id, team.workspace_access]
      : [team.project_access_id, team.project_access];
  if (id === null) return [];
  const type = via === 'workspace-access' ? 'team-workspaces' : 'team-projects';
  return [{ via, team, record: { type, id, access: access! }, powers }];
}

interface Place {
  organizationId: string;
  projectId: string;
  /** Empty where it is about the project itself. */
  workspaceId: string;
}

/** The teams that can have anything to do with the place; of every team, or of those that the target is on. */
function teamsWithAccess(sql: Sql, asker: Actor, whose: Whose, place: Place): Promise<TeamWithAccess[]> {
  const readsWithin: Fragment =
    place.workspaceId === ''
      ? sql`exists (
          select from team_workspaces
          join workspaces on workspaces.id = team_workspaces.workspace_id
          where team_workspaces.team_id = teams.id and workspaces.project_id = ${place.projectId}
        )`
      : sql`false`;
  const isAsked =
    'target' in whose
      ? sql`teams.id = any(${whose.target.teamIds as string[]})`
      : sql`(
          teams.is_owners or teams.organization_access <> 0 or team_workspaces.id is not null
          or team_projects.id is not null or ${readsWithin}
        )`;
  return sql<TeamWithAccess[]>`
    select teams.id, teams.name, teams.is_owners, teams.organization_access, ${teamIsVisible(sql, asker)} as is_visible,
      team_workspaces.id as workspace_access_id, team_workspaces.access as workspace_access,
      team_workspaces.powers as workspace_powers, team_projects.id as project_access_id,
      team_projects.access as project_access, team_projects.powers as project_powers,
      team_projects.workspace_powers as project_workspace_powers, ${readsWithin} as reads_within
    from teams
    left join team_workspaces
      on team_workspaces.team_id = teams.id and team_workspaces.workspace_id = ${place.workspaceId}
    left join team_projects on team_projects.team_id = teams.id and team_projects.project_id = ${place.projectId}
    where teams.organization_id = ${place.organizationId} and ${isAsked}
    order by teams.name, teams.id`;
}

/** The levels of access to a workspace that give one of the powers on it. */
export function workspaceLevelsGiving(anyOf: Powers<'workspace'>, allowsForceDelete: boolean): string[] {
  const levels = Object.keys(workspaceLevels) as WorkspaceLevel[];
  return levels.filter(level => (withForceDelete(workspaceLevels[level], allowsForceDelete) & anyOf) !== 0);
}

/** The levels of access to a project that give one of the powers on its workspaces. */
export function projectLevelsGivingOnWorkspaces(anyOf: Powers<'workspace'>, allowsForceDelete: boolean): string[] {
  const powersOf = (level: ProjectLevel) => workspacePowersFromProject(level, projectWorkspaceAccessOf[level]);
  const fixed = projectLevels.filter(level => level !== 'custom');
  return fixed.filter(level => (withForceDelete(powersOf(level), allowsForceDelete) & anyOf) !== 0);
}

/** The levels of access to a project that give one of the powers on it. */
export function projectLevelsGiving(anyOf: Powers<'project'>): string[] {
  const powersOf = (level: ProjectLevel) => projectPowersFrom(projectAccessOf[level], projectWorkspaceAccessOf[level]);
  return projectLevels.filter(level => level !== 'custom' && (powersOf(level) & anyOf) !== 0);
}
