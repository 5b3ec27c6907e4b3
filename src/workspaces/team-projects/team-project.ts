/** §5.4 A team's access to a project and all its workspaces: the document, the SELECT and the finder. */

import { type TSchema, Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import {
  type ProjectAccess,
  type ProjectLevel,
  type ProjectWorkspaceAccess,
  projectLevels,
  projectPowersFromOrganization,
} from '../../access/project-levels.ts';
import { projectGrant, projectIsReadable } from '../../access/projects.ts';
import { teamAccessPowersOn } from '../../access/team-access.ts';
import { addressed, boolean, column, word } from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';

interface TeamProjectRow extends Subject<'team-access'> {
  granted_powers: number;
  access: ProjectLevel;
  team_id: string;
  project_id: string;
  organization_id: string;
}

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

export const teamProjects = resource({
  type: 'team-projects',
  sentAs: ['team-project-access'],
  attributes,
  relationships: {
    team: addressed('teams', 'team_id'),
    project: addressed('projects', 'project_id'),
  },
  links: row => ({ self: `/api/v2/team-projects/${row.id}` }),
});

export interface TeamProject extends RowOf<typeof attributes>, TeamProjectRow {}

/** The powers that the record gives stay in the database: `powers` of the row is what the caller may do with it. */
export const teamProjectRecords = records<TeamProject>({
  table: 'team_projects',
  columns: (sql, actor) => sql`
    team_projects.id, team_projects.team_id, team_projects.project_id, team_projects.access,
    team_projects.project_access, team_projects.workspace_access, projects.organization_id,
    ${projectGrant(sql, actor)} as granted_powers`,
  from: sql => sql`
    team_projects
    join projects on projects.id = team_projects.project_id`,
  isVisible: projectIsReadable,
  powers: (row, actor) => {
    const onProject = row.granted_powers | projectPowersFromOrganization(actor, row.organization_id);
    const seesAll = (onProject & policy['project:list-teams'].anyOf) !== 0;
    const manages = (onProject & policy['project:manage-teams'].anyOf) !== 0;
    return teamAccessPowersOn(row, actor, { seesAll, manages });
  },
});

export const teamProjectById = teamProjectRecords.byId('team_project_id');
