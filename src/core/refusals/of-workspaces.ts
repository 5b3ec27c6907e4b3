/** Of workspaces, their locks and variables, and of projects. */
import type { Refusal } from './refusal.ts';

export const workspaceRefusals = {
  'force-delete-forbidden': {
    status: 403,
    title: 'forbidden',
    detail:
      'Only organization owners may force delete. Use safe delete, or let an owner set allow-force-delete-workspaces.',
  },
  'move-forbidden': {
    status: 403,
    title: 'forbidden',
    detail: 'Workspace(s) not found, or you are not authorized to move them: {ids}',
  },
  'workspace-locked': {
    status: 409,
    title: 'conflict',
    detail: 'Workspace is currently locked. Workspace must be unlocked before it can be deleted.',
  },
  'workspace-locked-already': {
    status: 409,
    title: 'conflict',
    detail: 'Unable to lock workspace. The workspace is already locked.',
  },
  'workspace-not-locked': {
    status: 409,
    title: 'conflict',
    detail: 'Unable to unlock workspace. The workspace is already unlocked.',
  },
  'workspace-locked-by-other': {
    status: 409,
    title: 'conflict',
    detail:
      'Unable to unlock workspace. The workspace is locked by {kind} {holder} and may not be unlocked except by them.',
  },
  'workspace-being-processed': {
    status: 409,
    title: 'conflict',
    detail: 'The latest state of the workspace is still being processed to find its resources. Try again in a moment.',
  },
  'workspace-not-assessable': {
    status: 409,
    title: 'conflict',
    detail:
      'The workspace cannot be assessed now. It has to be unlocked and at rest, to manage resources and to have a configuration; its last run must not have failed, and something must be there that executes its runs.',
  },
  'workspace-manages-resources': {
    status: 409,
    title: 'conflict',
    detail: 'Workspace cannot be safely deleted because it is still managing resources.',
  },
  'state-shared-with-all': {
    status: 422,
    title: 'unprocessable entity',
    detail: 'Remote state consumers cannot be changed while global-remote-state is true: every workspace is one.',
  },
  'variable-key-taken': {
    status: 422,
    title: 'invalid attribute',
    detail: 'Key has already been taken in this category',
  },
  'variable-key-global': {
    status: 422,
    title: 'invalid attribute',
    detail: 'Key has already been taken in this category by another global variable set',
  },
  'variable-set-global': {
    status: 422,
    title: 'unprocessable entity',
    detail: 'The variable set is global: it applies to every workspace, whatever is named.',
  },
  'project-not-empty': {
    status: 422,
    title: 'unprocessable entity',
    detail: 'The project still has workspaces. Move or delete them first.',
  },
  'default-project-protected': {
    status: 422,
    title: 'unprocessable entity',
    detail: 'The default project of an organization cannot be deleted.',
  },
} as const satisfies Record<string, Refusal>;
