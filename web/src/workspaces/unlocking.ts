/** Opens one's own lock: shown at once and taken back when the server refuses; while a state is being saved, tried again. */
import { useRef, useState } from 'react';
import { ApiFailure } from '../api/failure.ts';
import { locking as text } from '../texts/workspace.ts';
import { tell, tellFailure } from '../ui/tell.tsx';
import { lockWorkspace, unlockWorkspace, workspacesChanged } from './acts.ts';
import { expectWorkspace, type WorkspaceDocument } from './workspace.ts';

export interface Unlocking {
  /** Seconds until it is tried again; null while nothing waits. */
  wait_s: number | null;
  unlock: () => void;
  stop: () => void;
}

/** Waits between the tries while the state is still being saved. */
const waits_s = [1, 2, 4, 8];

export function useUnlocking(organization: string, document: WorkspaceDocument): Unlocking {
  const { id, attributes } = document.data;
  const { name, 'locked-reason': reason } = attributes;
  const [wait_s, setWait] = useState<number | null>(null);
  const isStopped = useRef(false);
  const open = async () => {
    const takeBack = expectWorkspace(organization, name, before => ({
      ...before,
      attributes: { ...before.attributes, locked: false, 'locked-reason': null },
    }));
    try {
      await unlockWorkspace(id);
    } catch (caught) {
      takeBack();
      throw caught;
    }
    const lockAgain = () => void lockWorkspace(id, reason ?? '').then(workspacesChanged, tellFailure);
    tell(text.nowOpen(name), { label: text.relock, onClick: lockAgain });
  };
  const unlock = async () => {
    isStopped.current = false;
    for (const pause_s of [...waits_s, null]) {
      try {
        await open();
        break;
      } catch (caught) {
        const isPending = caught instanceof ApiFailure && caught.status === 503;
        if (!isPending || pause_s === null) {
          tellFailure(caught);
          break;
        }
        await countDown(pause_s, setWait, isStopped);
        if (isStopped.current) break;
      }
    }
    setWait(null);
    void workspacesChanged();
  };
  const stop = () => {
    isStopped.current = true;
    setWait(null);
  };
  return { wait_s, unlock: () => void unlock(), stop };
}

async function countDown(
  seconds: number,
  show: (left: number) => void,
  isStopped: { readonly current: boolean },
): Promise<void> {
  for (let left = seconds; left > 0 && !isStopped.current; left -= 1) {
    show(left);
    await new Promise(resolve => setTimeout(resolve, 1000));
  }
}
