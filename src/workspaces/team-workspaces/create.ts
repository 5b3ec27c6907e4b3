/** §5.4 Give a team access to a workspace: one record for each pair, none for the owners team. */

import { policy } from '../../access/policy.ts';
import { workspacePowersFrom } from '../../access/workspace-levels.ts';
import { relationshipFault } from '../../core/errors.ts';
import { documentBody, toOne } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { columns } from '../../core/jsonapi/resource.ts';
import { newId } from '../../core/store/ids.ts';
import { row } from '../../core/store/store.ts';
import { namedTeam } from '../../people/teams/team.ts';
import { workspaceById } from '../workspaces/rows.ts';
import { settleWorkspaceAccess } from './rules.ts';
import { teamWorkspaceById, teamWorkspaces } from './team-workspace.ts';

export const createTeamWorkspace = endpoint({
  operation: 'team-workspaces.create',
  section: '§5.4',
  summary: 'Give a team access to a workspace',
  method: 'POST',
  paths: ['/team-workspaces'],
  subject: workspaceById,
  named: { byRelationship: 'workspace', parameter: 'workspace_id' },
  needs: policy['workspace:manage-teams'],
  holds: 'key share',
  body: documentBody(teamWorkspaces, {
    required: ['access'],
    relationships: { team: toOne('teams'), workspace: toOne('workspaces') },
    requiredRelationships: ['team', 'workspace'],
    typeIsOptional: true,
  }),
  answer: { status: 201, document: teamWorkspaces, reads: teamWorkspaceById },
  errors: ['team-access-taken'],
  check: async ({ sql, actor, subject, body: { attributes, relationships }, faults }) => {
    const team = await namedTeam(sql, actor, relationships.team);
    if (team?.is_owners) faults.push(relationshipFault('team', 'The owners team has access to everything already'));
    if (team && team.organization_id !== subject.organization_id) {
      faults.push(relationshipFault('team', 'Team and workspace must be of the same organization'));
    }
    const settled = settleWorkspaceAccess(attributes, null);
    faults.push(...settled.faults);
    return settled;
  },
  handle: async ({ sql, body: { relationships } }, { level, details }) => {
    const id = newId('tws');
    await sql`
      insert into team_workspaces ${row(sql, {
        id,
        team_id: relationships.team,
        workspace_id: relationships.workspace,
        ...columns(teamWorkspaces, { access: level, ...details }),
        powers: workspacePowersFrom(level, details),
      })}`;
    return id;
  },
});
