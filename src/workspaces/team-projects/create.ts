/** §5.4 Give a team access to a project: one record for each pair, none for the owners team. */

import { policy } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import { ApiError, relationshipFault } from '../../core/errors.ts';
import { documentBody, toOne } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { site } from '../../organizations/site/site.ts';
import { namedTeam } from '../../people/teams/team.ts';
import { type Project, projectById } from '../projects/project.ts';
import { accessColumns, settleProjectAccess } from './rules.ts';
import { teamProjectById, teamProjects, teamProjectTypes } from './team-project.ts';

export const createTeamProject = endpoint({
  operation: 'team-projects.create',
  section: '§5.4',
  summary: 'Give a team access to a project',
  method: 'POST',
  paths: ['/team-projects'],
  subject: site,
  needs: policy['site:call'],
  holds: null,
  body: documentBody(teamProjects, {
    required: ['access'],
    relationships: { team: toOne('teams'), project: toOne('projects') },
    requiredRelationships: ['team', 'project'],
    ...teamProjectTypes,
  }),
  answer: { status: 201, document: teamProjects },
  errors: ['team-access-taken'],
  check: async ({ sql, actor, body: { attributes, relationships }, faults }) => {
    const project = await managedProject(sql, actor, relationships.project);
    const team = await namedTeam(sql, actor, relationships.team);
    if (relationships.team === null) faults.push(relationshipFault('team', "Team can't be blank"));
    if (relationships.project === null) faults.push(relationshipFault('project', "Project can't be blank"));
    if (team?.is_owners) faults.push(relationshipFault('team', 'The owners team has access to everything already'));
    if (team && project && team.organization_id !== project.organization_id) {
      faults.push(relationshipFault('team', 'Team and project must be of the same organization'));
    }
    const settled = settleProjectAccess(attributes, null);
    faults.push(...settled.faults);
    return settled;
  },
  handle: async ({ sql, actor, body: { relationships } }, settled) => {
    const id = newId('tprj');
    await sql`
      insert into team_projects ${row(sql, {
        id,
        team_id: relationships.team,
        project_id: relationships.project,
        ...accessColumns(sql, settled),
      })}`;
    return (await teamProjectById.find(sql, actor, { team_project_id: id }, null))!;
  },
});

/** Undefined when the body names none; a project whose access the caller does not manage is no project to them. */
async function managedProject(sql: Sql, actor: Actor, id: string | null | undefined): Promise<Project | undefined> {
  if (typeof id !== 'string') return undefined;
  const project = await projectById.find(sql, actor, { project_id: id }, 'key share');
  if (!project || (project.powers & policy['project:manage-teams'].anyOf) === 0) throw new ApiError('not-found');
  return project;
}
