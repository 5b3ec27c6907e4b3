/** What a team reaches: every workspace that it lets its members read, page by page, with what they may do there and why. */
import { Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import {
  withForceDelete,
  workspacePermissionNames,
  workspacePermissions,
  workspacePowers,
} from '../../access/workspace-levels.ts';
import { workspaceIsReadable } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { addressed, booleans, column, type Row, text } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { counted } from '../../core/store/page.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { type Team, teamById } from '../../people/teams/team.ts';
import { workspaceFromOrganization } from './access-grants.ts';
import { grantShape, shownGrant } from './explanation.ts';
import { type Grant, type GrantingTeam, keysGiving, organizationGrants, standingAlone } from './grants.ts';

export const teamReaches = resource({
  type: 'team-reaches',
  attributes: {
    'workspace-name': column(text),
    permissions: column(booleans(...workspacePermissionNames)),
    /** What the permissions come from, altogether. */
    grants: column(Type.Array(grantShape)),
  },
  relationships: {
    workspace: addressed('workspaces', 'id'),
    project: addressed('projects', 'project_id'),
  },
});

export const listTeamReach = endpoint({
  operation: 'teams.reach',
  section: '§5.4',
  summary: 'List the workspaces that a team reaches, with what its members may do in each',
  method: 'GET',
  paths: ['/teams/:team_id/reach'],
  subject: teamById,
  needs: policy['team:see-reach'],
  answer: { status: 200, collection: teamReaches, pages: 'always' },
  handle: async ({ store: { search: sql }, subject, page }) => {
    const matching = sql`
      workspaces.organization_id = ${subject.organization_id} and ${workspaceIsReadable(sql, teamAlone(subject))}`;
    const { rows, total } = await counted<ReachedWorkspace>(
      sql,
      sql`select count(*) as total from workspaces where ${matching}`,
      sql`${reachedWorkspaces(sql, subject, matching)}
        order by workspaces.name, workspaces.id limit ${page.size} offset ${page.offset}`,
    );
    return { rows: rows.map(row => reached(subject, row)), total };
  },
});

/** Somebody who is on this team, and nothing else. */
function teamAlone(team: Team): Actor {
  const standing = { isOwner: team.is_owners, organizationAccess: team.organization_access ?? 0 };
  return { ...standingAlone(team.organization_id, standing), teamIds: [team.id] };
}

function reachedWorkspaces(sql: Sql, team: Team, condition: Fragment): Fragment {
  return sql`
    select workspaces.id, workspaces.name as workspace_name, workspaces.project_id,
      organizations.allow_force_delete_workspaces,
      team_workspaces.id as workspace_access_id, team_workspaces.access as workspace_access,
      team_workspaces.powers as workspace_powers,
      team_projects.id as project_access_id, team_projects.access as project_access,
      team_projects.workspace_powers as project_powers
    from workspaces
    join organizations on organizations.id = workspaces.organization_id
    left join team_workspaces on team_workspaces.workspace_id = workspaces.id and team_workspaces.team_id = ${team.id}
    left join team_projects
      on team_projects.project_id = workspaces.project_id and team_projects.team_id = ${team.id}
    where ${condition}`;
}

/** A workspace with what the team's records on it and on its project say. */
interface ReachedWorkspace
  extends Row,
    Record<`${'workspace' | 'project'}_access` | `${'workspace' | 'project'}_access_id`, string | null>,
    Record<`${'workspace' | 'project'}_powers`, number | null> {
  allow_force_delete_workspaces: boolean;
}

interface Reach {
  permissions: Record<string, boolean>;
  grants: object[];
}

function reached(team: Team, row: ReachedWorkspace): Row & Reach {
  const through: GrantingTeam = { ...team, organization_access: team.organization_access ?? 0, is_visible: true };
  const from = workspaceFromOrganization(row);
  const recorded = (via: 'workspace-access' | 'project-access', type: 'team-workspaces' | 'team-projects') => {
    const side = via === 'workspace-access' ? 'workspace' : 'project';
    const id = row[`${side}_access_id`];
    if (id === null) return [];
    const powers = withForceDelete(workspacePowers.from(row[`${side}_powers`] ?? 0), row.allow_force_delete_workspaces);
    return [{ via, team: through, record: { type, id, access: row[`${side}_access`]! }, powers }];
  };
  const grants: Grant<'workspace'>[] = [
    ...organizationGrants(null, [through], team.organization_id, from),
    ...recorded('workspace-access', 'team-workspaces'),
    ...recorded('project-access', 'team-projects'),
  ];
  const keys = keysGiving(team.organization_id, from, workspacePowers.all, through.organization_access);
  return {
    ...row,
    permissions: workspacePermissions(workspacePowers.union(...grants.map(({ powers }) => powers))),
    grants: grants.map(grant => shownGrant(grant, grant.via === 'organization-access' ? keys : [])),
  };
}
