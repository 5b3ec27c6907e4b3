/** §4.1, in its order; then the members. */
import { createTeam } from './create.ts';
import { deleteTeam } from './delete.ts';
import { listTeams } from './list.ts';
import { listTeamMemberships } from './list-memberships.ts';
import { addMemberships, addUsers, removeMemberships, removeUsers } from './members.ts';
import { showTeam } from './show.ts';
import { updateTeam } from './update.ts';

export const teamEndpoints = [
  listTeams,
  createTeam,
  showTeam,
  updateTeam,
  deleteTeam,
  addUsers,
  removeUsers,
  listTeamMemberships,
  addMemberships,
  removeMemberships,
];
