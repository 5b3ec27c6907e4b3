/** §5.4 Give a team access to a project: one record for each pair, none for the owners team. */

import { policy } from '../../access/policy.ts';
import { relationshipFault } from '../../core/errors.ts';
import { documentBody, toOne } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { newId } from '../../core/store/ids.ts';
import { row } from '../../core/store/store.ts';
import { namedTeam } from '../../people/teams/team.ts';
import { projectById } from '../projects/project.ts';
import { accessColumns, settleProjectAccess } from './rules.ts';
import { teamProjectById, teamProjects } from './team-project.ts';

export const createTeamProject = endpoint({
  operation: 'team-projects.create',
  section: '§5.4',
  summary: 'Give a team access to a project',
  method: 'POST',
  paths: ['/team-projects'],
  subject: projectById,
  named: { byRelationship: 'project', parameter: 'project_id' },
  needs: policy['project:manage-teams'],
  holds: 'key share',
  body: documentBody(teamProjects, {
    required: ['access'],
    relationships: { team: toOne('teams'), project: toOne('projects') },
    requiredRelationships: ['team', 'project'],
    typeIsOptional: true,
  }),
  answer: { status: 201, document: teamProjects, reads: teamProjectById },
  errors: ['team-access-taken'],
  check: async ({ sql, actor, subject, body: { attributes, relationships }, faults }) => {
    const team = await namedTeam(sql, actor, relationships.team);
    if (team?.is_owners) faults.push(relationshipFault('team', 'The owners team has access to everything already'));
    if (team && team.organization_id !== subject.organization_id) {
      faults.push(relationshipFault('team', 'Team and project must be of the same organization'));
    }
    const settled = settleProjectAccess(attributes, null);
    faults.push(...settled.faults);
    return settled;
  },
  handle: async ({ sql, body: { relationships } }, settled) => {
    const id = newId('tprj');
    await sql`
      insert into team_projects ${row(sql, {
        id,
        team_id: relationships.team,
        project_id: relationships.project,
        ...accessColumns(sql, settled),
      })}`;
    return id;
  },
});
