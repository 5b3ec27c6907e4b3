/** The variables of workspaces and of variable sets. */
import { listAllVariables } from './list-all.ts';
import {
  createSetVariable,
  deleteSetVariable,
  listSetVariables,
  showSetVariable,
  updateSetVariable,
} from './of-sets.ts';
import { listVariables, showVariable } from './read.ts';
import { createVariable, deleteVariable, updateVariable } from './write.ts';

export const variableEndpoints = [
  listVariables,
  listAllVariables,
  createVariable,
  showVariable,
  updateVariable,
  deleteVariable,
  listSetVariables,
  createSetVariable,
  showSetVariable,
  updateSetVariable,
  deleteSetVariable,
];
