/** Variable sets, in the order of their use, and their variables. */
import { createVariableSet } from './create.ts';
import { deleteVariableSet } from './delete.ts';
import { listVariableSets, listVariableSetsOfProject, listVariableSetsOfWorkspace } from './list.ts';
import { addSetProjects, addSetWorkspaces, removeSetProjects, removeSetWorkspaces } from './places.ts';
import { showVariableSet } from './show.ts';
import { updateVariableSet } from './update.ts';
import {
  createSetVariable,
  deleteSetVariable,
  listSetVariables,
  showSetVariable,
  updateSetVariable,
} from './variables.ts';

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
  listSetVariables,
  createSetVariable,
  showSetVariable,
  updateSetVariable,
  deleteSetVariable,
];
