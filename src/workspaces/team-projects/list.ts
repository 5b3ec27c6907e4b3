/** §5.4 The teams with access to a project: all of them for who may read its teams, their own teams' for the others. */

import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { required, term } from '../../core/jsonapi/query.ts';
import { all } from '../../core/store/conditions.ts';
import { projectById } from '../projects/project.ts';
import { teamProjectRecords, teamProjects } from './team-project.ts';

export const listTeamProjects = endpoint({
  operation: 'team-projects.list',
  section: '§5.4',
  summary: 'List the access of teams to a project',
  method: 'GET',
  paths: ['/team-projects'],
  subject: projectById,
  named: { byQuery: { 'filter[project][id]': 'project_id' } },
  needs: policy['project:read'],
  query: { 'filter[project][id]': required(term('The project')), 'filter[team][id]': term('One team of them') },
  answer: { status: 200, collection: teamProjects, pages: 'always' },
  handle: context => {
    const { sql, actor, subject, query } = context;
    const seesAll = (subject.powers & policy['project:list-teams'].anyOf) !== 0;
    const condition = all(sql, [
      sql`team_projects.project_id = ${subject.id}`,
      !seesAll && sql`team_projects.team_id = any(${actor.teamIds as string[]})`,
      query['filter[team][id]'] && sql`team_projects.team_id = ${query['filter[team][id]']}`,
    ]);
    return teamProjectRecords.page(context, condition, sql`team_projects.created_at, team_projects.id`);
  },
});
