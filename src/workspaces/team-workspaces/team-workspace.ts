/** §5.4 A team's access to a workspace: the document, the SELECT and the finder. */

import { policy } from '../../access/policy.ts';
import { teamAccessPowersOn } from '../../access/team-access.ts';
import type { WorkspaceAccess } from '../../access/workspace-levels.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Finder, Subject } from '../../core/jsonapi/endpoint.ts';
import { boolean, column, type Row, reference, word } from '../../core/jsonapi/fields.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { type Fragment, held, type Sql } from '../../core/store/store.ts';
import { workspaceById } from '../workspaces/workspace.ts';

const attributes = {
  access: column(word('read', 'plan', 'write', 'admin', 'custom'), { write: true }),
  runs: column(word('read', 'plan', 'apply'), { write: true }),
  variables: column(word('none', 'read', 'write'), { write: true }),
  'state-versions': column(word('none', 'read-outputs', 'read', 'write'), { write: true }),
  'sentinel-mocks': column(word('none', 'read'), { write: true }),
  'workspace-locking': column(boolean, { write: true }),
  'run-tasks': column(boolean, { write: true }),
  'policy-overrides': column(boolean, { write: true }),
};

export const teamWorkspaces = resource({
  type: 'team-workspaces',
  attributes,
  relationships: {
    team: reference('teams', 'team_id', row => `/api/v2/teams/${row['team_id']}`),
    workspace: reference('workspaces', 'workspace_id', row => `/api/v2/workspaces/${row['workspace_id']}`),
  },
  links: row => ({ self: `/api/v2/team-workspaces/${row.id}` }),
});

export interface TeamWorkspace extends RowOf<typeof attributes>, Subject {
  team_id: string;
  workspace_id: string;
  organization_id: string;
}

/** The details as bodies name them. */
export function detailsOf(record: TeamWorkspace): WorkspaceAccess {
  return {
    runs: record.runs,
    variables: record.variables,
    'state-versions': record.state_versions,
    'sentinel-mocks': record.sentinel_mocks,
    'workspace-locking': record.workspace_locking,
    'run-tasks': record.run_tasks,
    'policy-overrides': record.policy_overrides,
  };
}

/** The powers that the record gives stay in the database: `powers` of the row is what the caller may do with it. */
export const teamWorkspaceColumns = (sql: Sql): Fragment => sql`
  team_workspaces.id, team_workspaces.team_id, team_workspaces.workspace_id, team_workspaces.access,
  team_workspaces.runs, team_workspaces.variables, team_workspaces.state_versions, team_workspaces.sentinel_mocks,
  team_workspaces.workspace_locking, team_workspaces.run_tasks, team_workspaces.policy_overrides,
  teams.organization_id`;

/** Adds what the caller may do with the record, by their powers on its workspace. */
export function asTeamWorkspace(row: Row, actor: Actor, workspacePowers: number): TeamWorkspace {
  const manages = (workspacePowers & policy['workspace:manage-teams'].anyOf) !== 0;
  return { ...row, powers: teamAccessPowersOn(row, actor, { seesAll: manages, manages }) } as TeamWorkspace;
}

export const teamWorkspaceById: Finder<TeamWorkspace> = {
  find: async (sql, actor, params, lock) => {
    const [row] = await sql<Row[]>`
      select ${teamWorkspaceColumns(sql)}
      from team_workspaces
      join teams on teams.id = team_workspaces.team_id
      where team_workspaces.id = ${params['team_workspace_id']!}
        and teams.organization_id = any(${[...actor.standings.keys()]})
      ${held(sql, lock, 'team_workspaces')}`;
    const workspace = row && (await workspaceById.find(sql, actor, { workspace_id: row['workspace_id'] }, null));
    return workspace && asTeamWorkspace(row, actor, workspace.powers);
  },
};
