/** §5.4 Give a team access to a workspace: one record for each pair, none for the owners team. */

import { policy } from '../../access/policy.ts';
import { workspacePowersFrom } from '../../access/workspace-levels.ts';
import type { Actor } from '../../core/access/actor.ts';
import { ApiError, relationshipFault } from '../../core/errors.ts';
import { documentBody, toOne } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { columns } from '../../core/jsonapi/resource.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { site } from '../../organizations/site/site.ts';
import { namedTeam } from '../../people/teams/team.ts';
import { type Workspace, workspaceById } from '../workspaces/workspace.ts';
import { settleWorkspaceAccess } from './rules.ts';
import { teamWorkspaceById, teamWorkspaces } from './team-workspace.ts';

export const createTeamWorkspace = endpoint({
  operation: 'team-workspaces.create',
  section: '§5.4',
  summary: 'Give a team access to a workspace',
  method: 'POST',
  paths: ['/team-workspaces'],
  subject: site,
  needs: policy['site:call'],
  holds: null,
  body: documentBody(teamWorkspaces, {
    required: ['access'],
    relationships: { team: toOne('teams'), workspace: toOne('workspaces') },
    requiredRelationships: ['team', 'workspace'],
    typeIsOptional: true,
  }),
  answer: { status: 201, document: teamWorkspaces },
  errors: ['team-access-taken'],
  check: async ({ sql, actor, body: { attributes, relationships }, faults }) => {
    const workspace = await managedWorkspace(sql, actor, relationships.workspace);
    const team = await namedTeam(sql, actor, relationships.team);
    if (relationships.team === null) faults.push(relationshipFault('team', "Team can't be blank"));
    if (relationships.workspace === null) faults.push(relationshipFault('workspace', "Workspace can't be blank"));
    if (team?.is_owners) faults.push(relationshipFault('team', 'The owners team has access to everything already'));
    if (team && workspace && team.organization_id !== workspace.organization_id) {
      faults.push(relationshipFault('team', 'Team and workspace must be of the same organization'));
    }
    const settled = settleWorkspaceAccess(attributes, null);
    faults.push(...settled.faults);
    return settled;
  },
  handle: async ({ sql, actor, body: { relationships } }, { level, details }) => {
    const id = newId('tws');
    await sql`
      insert into team_workspaces ${row(sql, {
        id,
        team_id: relationships.team,
        workspace_id: relationships.workspace,
        ...columns(teamWorkspaces, { access: level, ...details }),
        powers: workspacePowersFrom(level, details),
      })}`;
    return (await teamWorkspaceById.find(sql, actor, { team_workspace_id: id }, null))!;
  },
});

/** Undefined when the body names none; a workspace whose access the caller does not manage is no workspace to them. */
async function managedWorkspace(sql: Sql, actor: Actor, id: string | null | undefined): Promise<Workspace | undefined> {
  if (typeof id !== 'string') return undefined;
  const workspace = await workspaceById.find(sql, actor, { workspace_id: id }, 'key share');
  if (!workspace || (workspace.powers & policy['workspace:manage-teams'].anyOf) === 0) throw new ApiError('not-found');
  return workspace;
}
