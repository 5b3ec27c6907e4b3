/** Does one thing to many workspaces: six requests at a time, to be stopped, with what failed kept for another try. */
import { useRef, useState } from 'react';
import { ApiFailure } from '../api/failure.ts';

export interface Target {
  id: string;
  name: string;
}

export interface Outcome {
  done: Target[];
  skipped: { target: Target; why: string }[];
  failed: { target: Target; why: string; requestId: string | null }[];
}

export interface Progress extends Outcome {
  all: number;
  isRunning: boolean;
}

const atOnce = 6;
const nothing: Outcome = { done: [], skipped: [], failed: [] };

export function useBulk(act: (target: Target) => Promise<unknown>) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const isStopped = useRef(false);
  const run = async (targets: readonly Target[]): Promise<Outcome> => {
    isStopped.current = false;
    const outcome: Outcome = { done: [], skipped: [], failed: [] };
    const show = (isRunning: boolean) => setProgress({ ...copyOf(outcome), all: targets.length, isRunning });
    show(true);
    const queue = targets[Symbol.iterator]();
    const worker = async () => {
      for (const target of queue) {
        if (isStopped.current) return;
        await one(act, target, outcome);
        show(true);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    show(false);
    return outcome;
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { progress: progress ?? { ...nothing, all: 0, isRunning: false }, hasRun: progress !== null, run, stop };
}

/** A conflict is no failure: the workspace is in a state in which the act has nothing to do. */
async function one(act: (target: Target) => Promise<unknown>, target: Target, outcome: Outcome): Promise<void> {
  try {
    await act(target);
    outcome.done.push(target);
  } catch (caught) {
    const failure = caught instanceof ApiFailure ? caught : null;
    const why = failure?.errors[0]?.detail ?? failure?.errors[0]?.title ?? String(caught);
    if (failure?.status === 409) outcome.skipped.push({ target, why });
    else outcome.failed.push({ target, why, requestId: failure?.requestId ?? null });
  }
}

const copyOf = ({ done, skipped, failed }: Outcome): Outcome => ({
  done: [...done],
  skipped: [...skipped],
  failed: [...failed],
});
