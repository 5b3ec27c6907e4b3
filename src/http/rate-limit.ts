/** Requests a second and account (or address, for callers without a token), in this process. Off unless configured. */
import { LRUCache } from 'lru-cache';

export interface Allowance {
  isAllowed: boolean;
  remaining: number;
  /** Until the window ends. */
  resetSeconds: number;
}

const windowMilliseconds = 1000;
const callersLimit = 100_000;

/** A fixed window of one second for each key. */
export function rateLimiter(requestsPerSecond: number): (key: string, now?: number) => Allowance {
  const windows = new LRUCache<string, { startedAt: number; count: number }>({ max: callersLimit });
  return (key, now = Date.now()) => {
    const known = windows.get(key);
    const window = known && now - known.startedAt < windowMilliseconds ? known : { startedAt: now, count: 0 };
    window.count += 1;
    windows.set(key, window);
    return {
      isAllowed: window.count <= requestsPerSecond,
      remaining: Math.max(0, requestsPerSecond - window.count),
      resetSeconds: (window.startedAt + windowMilliseconds - now) / 1000,
    };
  };
}
