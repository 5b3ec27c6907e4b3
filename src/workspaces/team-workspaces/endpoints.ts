/** §5.4: the access of teams to workspaces. */
import { deleteTeamWorkspace, showTeamWorkspace, updateTeamWorkspace } from './by-id.ts';
import { createTeamWorkspace } from './create.ts';
import { listTeamWorkspaces } from './list.ts';

export const teamWorkspaceEndpoints = [
  listTeamWorkspaces,
  createTeamWorkspace,
  showTeamWorkspace,
  updateTeamWorkspace,
  deleteTeamWorkspace,
];
