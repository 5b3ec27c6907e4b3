/** Run triggers: which workspaces' applied runs begin runs in another one. */
import { deleteRunTrigger, showRunTrigger } from './by-id.ts';
import { createRunTrigger } from './create.ts';
import { listRunTriggers } from './list.ts';

export const runTriggerEndpoints = [listRunTriggers, createRunTrigger, showRunTrigger, deleteRunTrigger];
