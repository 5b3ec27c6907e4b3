/** §5.4 The teams with access to a project: all of them for who may read its teams, their own teams' for the others. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Row } from '../../core/jsonapi/fields.ts';
import { single } from '../../core/jsonapi/page.ts';
import { neededParameter } from '../../core/jsonapi/search.ts';
import { site } from '../../organizations/site/site.ts';
import { projectById } from '../projects/project.ts';
import { asTeamProject, teamProjectColumns, teamProjects } from './team-project.ts';

export const listTeamProjects = endpoint({
  operation: 'team-projects.list',
  section: '§5.4',
  summary: 'List the access of teams to a project',
  method: 'GET',
  paths: ['/team-projects'],
  subject: site,
  needs: policy['site:call'],
  query: { 'filter[project][id]': 'The project; must be given', 'filter[team][id]': 'One team of them' },
  answer: { status: 200, collection: teamProjects, pages: 'always' },
  handle: async ({ sql, actor, query, page }) => {
    const projectId = neededParameter(query, 'filter[project][id]');
    const teamId = single(query, 'filter[team][id]');
    const project = await projectById.find(sql, actor, { project_id: projectId }, null);
    if (!project) throw new ApiError('not-found');
    const seesAll = (project.powers & policy['project:list-teams'].anyOf) !== 0;
    const condition = sql`
      team_projects.project_id = ${project.id}
      ${seesAll ? sql`` : sql`and team_projects.team_id = any(${actor.teamIds as string[]})`}
      ${teamId ? sql`and team_projects.team_id = ${teamId}` : sql``}`;
    const [counts, rows] = await Promise.all([
      sql<{ total: number }[]>`select count(*) as total from team_projects where ${condition}`,
      sql<Row[]>`
        select ${teamProjectColumns(sql)}
        from team_projects
        join teams on teams.id = team_projects.team_id
        where ${condition}
        order by team_projects.created_at, team_projects.id
        limit ${page.size} offset ${page.offset}`,
    ]);
    return { rows: rows.map(row => asTeamProject(row, actor, project.powers)), total: counts[0]!.total };
  },
});
