/** Variable sets, in the order of their use. */
import { createVariableSet } from './create.ts';
import { deleteVariableSet } from './delete.ts';
import { listVariableSets, listVariableSetsOfProject, listVariableSetsOfWorkspace } from './list.ts';
import { addSetProjects, addSetWorkspaces, removeSetProjects, removeSetWorkspaces } from './places.ts';
import { showVariableSet } from './show.ts';
import { updateVariableSet } from './update.ts';

export const variableSetEndpoints = [
  listVariableSets,
  listVariableSetsOfProject,
  listVariableSetsOfWorkspace,
  createVariableSet,
  showVariableSet,
  updateVariableSet,
  deleteVariableSet,
  addSetWorkspaces,
  removeSetWorkspaces,
  addSetProjects,
  removeSetProjects,
];
