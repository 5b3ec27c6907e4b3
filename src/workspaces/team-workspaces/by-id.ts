/** §5.4 One team's access to a workspace: shown, changed, taken away. */
import { policy } from '../../access/policy.ts';
import { workspacePowersFrom } from '../../access/workspace-levels.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { columns } from '../../core/jsonapi/resource.ts';
import { row } from '../../core/store/store.ts';
import { settleWorkspaceAccess } from './rules.ts';
import { detailsOf, teamWorkspaceById, teamWorkspaces } from './team-workspace.ts';

const paths = ['/team-workspaces/:team_workspace_id'] as const;

export const showTeamWorkspace = endpoint({
  operation: 'team-workspaces.show',
  section: '§5.4',
  summary: "Show a team's access to a workspace",
  method: 'GET',
  paths,
  subject: teamWorkspaceById,
  needs: policy['team-access:read'],
  answer: { status: 200, document: teamWorkspaces },
  handle: ({ subject }) => subject,
});

export const updateTeamWorkspace = endpoint({
  operation: 'team-workspaces.update',
  section: '§5.4',
  summary: "Change a team's access to a workspace",
  method: 'PATCH',
  paths,
  subject: teamWorkspaceById,
  needs: policy['team-access:manage'],
  body: documentBody(teamWorkspaces, { typeIsOptional: true }),
  answer: { status: 200, document: teamWorkspaces, reads: teamWorkspaceById },
  check: ({ subject, body: { attributes }, faults }) => {
    const settled = settleWorkspaceAccess(attributes, { access: subject.access, details: detailsOf(subject) });
    faults.push(...settled.faults);
    return settled;
  },
  handle: async ({ sql, subject }, { level, details }) => {
    await sql`
      update team_workspaces set ${row(sql, {
        ...columns(teamWorkspaces, { access: level, ...details }),
        powers: workspacePowersFrom(level, details),
      })}
      where team_workspaces.id = ${subject.id}`;
  },
});

export const deleteTeamWorkspace = endpoint({
  operation: 'team-workspaces.delete',
  section: '§5.4',
  summary: "Take away a team's access to a workspace",
  method: 'DELETE',
  paths,
  subject: teamWorkspaceById,
  needs: policy['team-access:manage'],
  answer: { status: 204 },
  handle: async ({ sql, subject, note }) => {
    await sql`delete from team_workspaces where team_workspaces.id = ${subject.id}`;
    note({ team_id: subject.team_id, workspace_id: subject.workspace_id });
  },
});
