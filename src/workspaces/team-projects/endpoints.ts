/** §5.4: the access of teams to projects. */
import { deleteTeamProject, showTeamProject, updateTeamProject } from './by-id.ts';
import { createTeamProject } from './create.ts';
import { listTeamProjects } from './list.ts';

export const teamProjectEndpoints = [
  listTeamProjects,
  createTeamProject,
  showTeamProject,
  updateTeamProject,
  deleteTeamProject,
];
