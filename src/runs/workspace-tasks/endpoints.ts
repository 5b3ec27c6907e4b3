/** Run tasks of workspaces, in the order of their use. */
import { deleteWorkspaceTask, showWorkspaceTask, updateWorkspaceTask } from './by-id.ts';
import { createWorkspaceTask } from './create.ts';
import { listWorkspaceTasks } from './list.ts';

export const workspaceTaskEndpoints = [
  listWorkspaceTasks,
  createWorkspaceTask,
  showWorkspaceTask,
  updateWorkspaceTask,
  deleteWorkspaceTask,
];
