/** Projects, in the order of their use. */
import { createProject } from './create.ts';
import { deleteProject } from './delete.ts';
import { listProjects } from './list.ts';
import { moveWorkspaces } from './move-workspaces.ts';
import { showProject } from './show.ts';
import { projectBindingEndpoints } from './tag-bindings.ts';
import { updateProject } from './update.ts';

export const projectEndpoints = [
  listProjects,
  createProject,
  showProject,
  updateProject,
  deleteProject,
  moveWorkspaces,
  ...projectBindingEndpoints,
];
