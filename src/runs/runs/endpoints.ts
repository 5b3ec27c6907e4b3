/** Runs: made, read, decided on, and queued. */
import { applyRun, cancelRun, discardRun, forceCancelRun } from './actions.ts';
import { createRun } from './create.ts';
import { forceExecuteRun } from './force-execute.ts';
import { listOrganizationRuns, listWorkspaceRuns } from './list.ts';
import { showCapacity, showRunQueue } from './queue.ts';
import { showRun } from './show.ts';

export const runEndpoints = [
  createRun,
  listWorkspaceRuns,
  listOrganizationRuns,
  showRunQueue,
  showCapacity,
  showRun,
  applyRun,
  discardRun,
  cancelRun,
  forceCancelRun,
  forceExecuteRun,
];
