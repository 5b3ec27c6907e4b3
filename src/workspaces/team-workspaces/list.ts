/** §5.4 The teams with access to a workspace: all of them for its admins, their own teams' for everybody else. */

import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { required, term } from '../../core/jsonapi/query.ts';
import { all } from '../../core/store/conditions.ts';
import { workspaceById } from '../workspaces/rows.ts';
import { teamWorkspaceRecords, teamWorkspaces } from './team-workspace.ts';

export const listTeamWorkspaces = endpoint({
  operation: 'team-workspaces.list',
  section: '§5.4',
  summary: 'List the access of teams to a workspace',
  method: 'GET',
  paths: ['/team-workspaces'],
  subject: workspaceById,
  named: { byQuery: { 'filter[workspace][id]': 'workspace_id' } },
  needs: policy['workspace:read'],
  query: { 'filter[workspace][id]': required(term('The workspace')), 'filter[team][id]': term('One team of them') },
  answer: { status: 200, collection: teamWorkspaces, pages: 'when-asked' },
  handle: context => {
    const { sql, actor, subject, query } = context;
    const seesAll = (subject.powers & policy['workspace:manage-teams'].anyOf) !== 0;
    const condition = all(sql, [
      sql`team_workspaces.workspace_id = ${subject.id}`,
      !seesAll && sql`team_workspaces.team_id = any(${actor.teamIds as string[]})`,
      query['filter[team][id]'] && sql`team_workspaces.team_id = ${query['filter[team][id]']}`,
    ]);
    return teamWorkspaceRecords.page(context, condition, sql`team_workspaces.created_at, team_workspaces.id`);
  },
});
