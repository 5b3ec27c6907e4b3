/** §3, §4.4 Who may upload state, and which state may follow which. */
import type { ErrorName } from '../../core/errors.ts';

/** How often a client that is still working may send what it has so far, in seconds. */
const snapshotInterval_s = 60;

/** Read by command lines from the current version that they begin with, and from each one that they add. */
export const snapshotHeaders = { 'x-terraform-snapshot-interval': String(snapshotInterval_s) };

interface Holder {
  type: string;
  id: string;
}

/** Only whoever holds the lock; a run's lock lets in what is said to be made by that run. */
export function uploadRefusal(lock: Holder | null, caller: Holder, runId: string | null): ErrorName | null {
  if (lock === null) return 'state-not-locked';
  if (lock.type === 'runs' ? lock.id === runId : lock.type === caller.type && lock.id === caller.id) return null;
  return 'state-locked-by-other';
}

export interface StateIdentity {
  serial: number;
  md5: string;
  lineage: string | null;
}

/** The same state again is no conflict: clients send one twice when told to force. */
export function conflict(head: StateIdentity | undefined, next: StateIdentity, isForced: boolean): ErrorName | null {
  if (!head || isForced) return null;
  if (head.lineage !== null && next.lineage !== null && head.lineage !== next.lineage) return 'state-lineage-conflict';
  const isSame = head.serial === next.serial && head.md5 === next.md5.toLowerCase();
  return next.serial > head.serial || isSame ? null : 'state-serial-conflict';
}
