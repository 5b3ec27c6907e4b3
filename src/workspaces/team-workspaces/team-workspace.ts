/** §5.4 A team's access to a workspace: the document, the SELECT and the finder. */

import { policy } from '../../access/policy.ts';
import { teamAccessPowersOn } from '../../access/team-access.ts';
import type { WorkspaceAccess } from '../../access/workspace-levels.ts';
import { type Granted, grantColumns, grantedPowers, workspaceIsReadable } from '../../access/workspaces.ts';
import { addressed, boolean, column, word } from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';

interface TeamWorkspaceRow extends Subject<'team-access'>, Granted {
  team_id: string;
  workspace_id: string;
  organization_id: string;
}

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
    team: addressed('teams', 'team_id'),
    workspace: addressed('workspaces', 'workspace_id'),
  },
  links: row => ({ self: `/api/v2/team-workspaces/${row.id}` }),
});

export interface TeamWorkspace extends RowOf<typeof attributes>, TeamWorkspaceRow {}

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
export const teamWorkspaceRecords = records<TeamWorkspace>({
  table: 'team_workspaces',
  columns: (sql, actor) => sql`
    team_workspaces.id, team_workspaces.team_id, team_workspaces.workspace_id, team_workspaces.access,
    team_workspaces.runs, team_workspaces.variables, team_workspaces.state_versions, team_workspaces.sentinel_mocks,
    team_workspaces.workspace_locking, team_workspaces.run_tasks, team_workspaces.policy_overrides,
    workspaces.organization_id, ${grantColumns(sql, actor)}`,
  from: sql => sql`
    team_workspaces
    join workspaces on workspaces.id = team_workspaces.workspace_id`,
  isVisible: workspaceIsReadable,
  powers: (row, actor) => {
    const manages = (grantedPowers(row, actor) & policy['workspace:manage-teams'].anyOf) !== 0;
    return teamAccessPowersOn(row, actor, { seesAll: manages, manages });
  },
});

export const teamWorkspaceById = teamWorkspaceRecords.byId('team_workspace_id');
