/** Run tasks of organizations, in the order of their use. */
import { deleteRunTask, showRunTask, updateRunTask } from './by-id.ts';
import { createRunTask } from './create.ts';
import { listRunTasks } from './list.ts';

export const runTaskEndpoints = [listRunTasks, createRunTask, showRunTask, updateRunTask, deleteRunTask];
