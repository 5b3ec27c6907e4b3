/** §4.2 to §4.4, in their order. */
import { createWorkspace } from './create.ts';
import { forceDeleteWorkspace, safeDeleteWorkspace } from './delete.ts';
import { listWorkspaces } from './list.ts';
import { showWorkspace } from './show.ts';
import { updateWorkspace } from './update.ts';

export const workspaceEndpoints = [
  createWorkspace,
  updateWorkspace,
  listWorkspaces,
  showWorkspace,
  safeDeleteWorkspace,
  forceDeleteWorkspace,
];
