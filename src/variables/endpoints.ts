/** The variables of workspaces. */
import { listVariables, showVariable } from './read.ts';
import { createVariable, deleteVariable, updateVariable } from './write.ts';

export const variableEndpoints = [listVariables, createVariable, showVariable, updateVariable, deleteVariable];
