/** §4.1, in its order. */
import { createTeam } from './create.ts';
import { deleteTeam } from './delete.ts';
import { listTeams } from './list.ts';
import { showTeam } from './show.ts';
import { updateTeam } from './update.ts';

export const teamEndpoints = [listTeams, createTeam, showTeam, updateTeam, deleteTeam];
