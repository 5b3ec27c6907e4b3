/** The variables of workspaces. */
import { listAllVariables } from './list-all.ts';
import { listVariables, showVariable } from './read.ts';
import { createVariable, deleteVariable, updateVariable } from './write.ts';

export const variableEndpoints = [
  listVariables,
  listAllVariables,
  createVariable,
  showVariable,
  updateVariable,
  deleteVariable,
];
