/** §5.4 One team's access to a project: shown, changed, taken away. */
import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { row } from '../../core/store/store.ts';
import { accessColumns, settleProjectAccess } from './rules.ts';
import { teamProjectById, teamProjects } from './team-project.ts';

const paths = ['/team-projects/:team_project_id'] as const;

export const showTeamProject = endpoint({
  operation: 'team-projects.show',
  section: '§5.4',
  summary: "Show a team's access to a project",
  method: 'GET',
  paths,
  subject: teamProjectById,
  needs: policy['team-access:read'],
  answer: { status: 200, document: teamProjects },
  handle: ({ subject }) => subject,
});

export const updateTeamProject = endpoint({
  operation: 'team-projects.update',
  section: '§5.4',
  summary: "Change a team's access to a project; details that are left out keep their value",
  method: 'PATCH',
  paths,
  subject: teamProjectById,
  needs: policy['team-access:manage'],
  body: documentBody(teamProjects, { typeIsOptional: true }),
  answer: { status: 200, document: teamProjects, reads: teamProjectById },
  check: ({ subject, body: { attributes }, faults }) => {
    const settled = settleProjectAccess(attributes, subject);
    faults.push(...settled.faults);
    return settled;
  },
  handle: async ({ sql, subject }, settled) => {
    await sql`
      update team_projects set ${row(sql, accessColumns(sql, settled))} where team_projects.id = ${subject.id}`;
  },
});

export const deleteTeamProject = endpoint({
  operation: 'team-projects.delete',
  section: '§5.4',
  summary: "Take away a team's access to a project",
  method: 'DELETE',
  paths,
  subject: teamProjectById,
  needs: policy['team-access:manage'],
  answer: { status: 204 },
  handle: async ({ sql, subject, note }) => {
    await sql`delete from team_projects where team_projects.id = ${subject.id}`;
    note({ team_id: subject.team_id, project_id: subject.project_id });
  },
});
