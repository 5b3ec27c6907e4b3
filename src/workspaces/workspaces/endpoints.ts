/** §4.2 to §4.4, in their order. */
import { createWorkspace } from './create.ts';
import { workspaceRetentionEndpoints } from './data-retention-policy.ts';
import { forceDeleteWorkspace, safeDeleteWorkspace } from './delete.ts';
import { showFormerName } from './former-name.ts';
import { listWorkspaces } from './list.ts';
import { forceUnlockWorkspace, lockWorkspace, unlockWorkspace, type WhenUnlocked } from './lock.ts';
import { addConsumers, listConsumers, removeConsumers, replaceConsumers } from './remote-state-consumers.ts';
import { showWorkspace } from './show.ts';
import { assignSshKey } from './ssh-key.ts';
import { workspaceBindingEndpoints } from './tag-bindings.ts';
import { addWorkspaceTags, listWorkspaceTags, removeWorkspaceTags } from './tags.ts';
import { updateWorkspace } from './update.ts';

/** @param runStatuses those that a current run can have */
export const workspaceEndpoints = (whenUnlocked: WhenUnlocked, runStatuses: readonly string[]) => [
  createWorkspace,
  updateWorkspace,
  listWorkspaces(runStatuses),
  showWorkspace,
  showFormerName,
  safeDeleteWorkspace,
  forceDeleteWorkspace,
  lockWorkspace,
  unlockWorkspace(whenUnlocked),
  forceUnlockWorkspace(whenUnlocked),
  assignSshKey,
  listConsumers,
  replaceConsumers,
  addConsumers,
  removeConsumers,
  listWorkspaceTags,
  addWorkspaceTags,
  removeWorkspaceTags,
  ...workspaceBindingEndpoints,
  ...workspaceRetentionEndpoints,
];
