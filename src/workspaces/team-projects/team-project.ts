/** §5.4 A team's access to a project and all its workspaces: the document, the SELECT and the finder. */
import { type TSchema, Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import {
  type ProjectAccess,
  type ProjectLevel,
  type ProjectWorkspaceAccess,
  projectLevels,
} from '../../access/project-levels.ts';
import { teamAccessPowersOn } from '../../access/team-access.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Finder, Subject } from '../../core/jsonapi/endpoint.ts';
import { boolean, column, type Row, reference, word } from '../../core/jsonapi/fields.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { type Fragment, held, type Sql } from '../../core/store/store.ts';
import { projectById } from '../projects/project.ts';

const onProject = {
  settings: word('read', 'update', 'delete'),
  teams: word('none', 'read', 'manage'),
  'variable-sets': word('none', 'read', 'write'),
};

const onWorkspaces = {
  runs: word('read', 'plan', 'apply'),
  variables: word('none', 'read', 'write'),
  'state-versions': word('none', 'read-outputs', 'read', 'write'),
  'sentinel-mocks': word('none', 'read'),
  create: boolean,
  locking: boolean,
  move: boolean,
  delete: boolean,
  'run-tasks': boolean,
  'policy-overrides': boolean,
};

/** Answers carry every key, bodies any of them. */
function details<Access>(properties: Record<string, TSchema>) {
  return {
    shown: Type.Unsafe<Access>({ type: 'object', properties, required: Object.keys(properties) }),
    given: Type.Unsafe<Partial<Access>>({ type: 'object', properties }),
  };
}

const projectAccess = details<ProjectAccess>(onProject);
const workspaceAccess = details<ProjectWorkspaceAccess>(onWorkspaces);

const attributes = {
  access: column(word(...projectLevels), { write: true }),
  'project-access': column(projectAccess.shown, { write: projectAccess.given }),
  'workspace-access': column(workspaceAccess.shown, { write: workspaceAccess.given }),
};

/** §5.4 One client writes another type than the one that it reads. */
export const teamProjectTypes = { alsoTypes: ['team-project-access'], typeIsOptional: true };

export const teamProjects = resource({
  type: 'team-projects',
  attributes,
  relationships: {
    team: reference('teams', 'team_id', row => `/api/v2/teams/${row['team_id']}`),
    project: reference('projects', 'project_id', row => `/api/v2/projects/${row['project_id']}`),
  },
  links: row => ({ self: `/api/v2/team-projects/${row.id}` }),
});

export interface TeamProject extends RowOf<typeof attributes>, Subject {
  access: ProjectLevel;
  team_id: string;
  project_id: string;
  organization_id: string;
}

/** The powers that the record gives stay in the database: `powers` of the row is what the caller may do with it. */
export const teamProjectColumns = (sql: Sql): Fragment => sql`
  team_projects.id, team_projects.team_id, team_projects.project_id, team_projects.access,
  team_projects.project_access, team_projects.workspace_access, teams.organization_id`;

/** Adds what the caller may do with the record, by their powers on its project. */
export function asTeamProject(row: Row, actor: Actor, projectPowers: number): TeamProject {
  const seesAll = (projectPowers & policy['project:list-teams'].anyOf) !== 0;
  const manages = (projectPowers & policy['project:manage-teams'].anyOf) !== 0;
  return { ...row, powers: teamAccessPowersOn(row, actor, { seesAll, manages }) } as TeamProject;
}

export const teamProjectById: Finder<TeamProject> = {
  find: async (sql, actor, params, lock) => {
    const [row] = await sql<Row[]>`
      select ${teamProjectColumns(sql)}
      from team_projects
      join teams on teams.id = team_projects.team_id
      where team_projects.id = ${params['team_project_id']!}
        and teams.organization_id = any(${[...actor.standings.keys()]})
      ${held(sql, lock, 'team_projects')}`;
    const project = row && (await projectById.find(sql, actor, { project_id: row['project_id'] }, null));
    return project && asTeamProject(row, actor, project.powers);
  },
};
