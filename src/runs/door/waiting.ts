/** Agents that wait for a job: each server hands out what there is to all of its own together, at most so often. */
import type { Store } from '../../core/store/store.ts';
import { type Asking, type HandedOut, handOut } from './hand-out.ts';

/** Whoever comes within it is served by the same statement. */
const shortestPause_ms = 25;
/** While there is nothing for those who wait. */
const longestPause_ms = 250;

export interface Waiting {
  /** The job that the agent holds by then; null where there was none in time. Rejects where nobody could look. */
  forJob: (asking: Asking, timeout_ms: number, gone: AbortSignal) => Promise<HandedOut | null>;
  /** Lets nobody wait any more. */
  close: () => void;
}

interface Waiter extends Asking {
  end_ms: number;
  hasLeft: boolean;
  resolve: (job: HandedOut | null) => void;
  reject: (fault: unknown) => void;
}

export function waitingAgents(store: Store): Waiting {
  const waiters = new Set<Waiter>();
  const bell = newBell();
  let [isOpen, isLooking, hasNews] = [true, false, false];
  const answer = (waiter: Waiter, job: HandedOut | null) => {
    waiters.delete(waiter);
    waiter.resolve(job);
  };
  const look = async () => {
    for (const waiter of waiters) if (waiter.hasLeft || !isOpen) answer(waiter, null);
    const asking = [...waiters];
    if (asking.length === 0) return;
    const handed = await store.transaction(sql => handOut(sql, asking));
    const jobs = new Map(handed.map(one => [one.hash.toString('hex'), one]));
    for (const waiter of asking) {
      const job = jobs.get(waiter.hash.toString('hex')) ?? null;
      if (job !== null || waiter.end_ms <= Date.now()) answer(waiter, job);
    }
  };
  const lookWhileAnybodyWaits = async () => {
    isLooking = true;
    while (waiters.size > 0) {
      hasNews = false;
      await look().catch(fault => {
        for (const { reject } of waiters) reject(fault);
        waiters.clear();
      });
      await bell.rings(shortestPause_ms, () => !isOpen);
      await bell.rings(longestPause_ms - shortestPause_ms, () => !isOpen || hasNews);
    }
    isLooking = false;
  };
  const tell = () => {
    hasNews = true;
    bell.ring();
    if (!isLooking) void lookWhileAnybodyWaits();
  };
  return {
    forJob: (asking, timeout_ms, gone) =>
      new Promise((resolve, reject) => {
        const waiter = { ...asking, end_ms: Date.now() + timeout_ms, hasLeft: gone.aborted, resolve, reject };
        gone.addEventListener('abort', () => {
          waiter.hasLeft = true;
          tell();
        });
        waiters.add(waiter);
        tell();
      }),
    close: () => {
      isOpen = false;
      tell();
    },
  };
}

/** Somebody sleeps until it rings for a reason that is theirs, or the time is over. */
function newBell() {
  let listen = () => {};
  return {
    ring: () => listen(),
    rings: (most_ms: number, isReason: () => boolean) =>
      new Promise<void>(resolve => {
        if (isReason()) return resolve();
        const wake = () => {
          clearTimeout(timer);
          listen = () => {};
          resolve();
        };
        const timer = setTimeout(wake, most_ms);
        listen = () => {
          if (isReason()) wake();
        };
      }),
  };
}
