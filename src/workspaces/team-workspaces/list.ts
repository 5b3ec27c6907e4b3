/** §5.4 The teams with access to a workspace: all of them for its admins, their own teams' for everybody else. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Row } from '../../core/jsonapi/fields.ts';
import { single } from '../../core/jsonapi/page.ts';
import { neededParameter } from '../../core/jsonapi/search.ts';
import { site } from '../../organizations/site/site.ts';
import { workspaceById } from '../workspaces/workspace.ts';
import { asTeamWorkspace, teamWorkspaceColumns, teamWorkspaces } from './team-workspace.ts';

export const listTeamWorkspaces = endpoint({
  operation: 'team-workspaces.list',
  section: '§5.4',
  summary: 'List the access of teams to a workspace',
  method: 'GET',
  paths: ['/team-workspaces'],
  subject: site,
  needs: policy['site:call'],
  query: { 'filter[workspace][id]': 'The workspace; must be given', 'filter[team][id]': 'One team of them' },
  answer: { status: 200, collection: teamWorkspaces, pages: 'when-asked' },
  handle: async ({ sql, actor, query, page }) => {
    const workspaceId = neededParameter(query, 'filter[workspace][id]');
    const teamId = single(query, 'filter[team][id]');
    const workspace = await workspaceById.find(sql, actor, { workspace_id: workspaceId }, null);
    if (!workspace) throw new ApiError('not-found');
    const seesAll = (workspace.powers & policy['workspace:manage-teams'].anyOf) !== 0;
    const rows = await sql<Row[]>`
      select ${teamWorkspaceColumns(sql)}
      from team_workspaces
      join teams on teams.id = team_workspaces.team_id
      where team_workspaces.workspace_id = ${workspace.id}
        ${seesAll ? sql`` : sql`and team_workspaces.team_id = any(${actor.teamIds as string[]})`}
        ${teamId ? sql`and team_workspaces.team_id = ${teamId}` : sql``}
      order by team_workspaces.created_at, team_workspaces.id`;
    const shown = page.isGiven ? rows.slice(page.offset, page.offset + page.size) : rows;
    return { rows: shown.map(row => asTeamWorkspace(row, actor, workspace.powers)), total: rows.length };
  },
});
