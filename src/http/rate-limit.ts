/** Requests a second and account (or address, for callers without a token), in this process. Off unless configured. */
import { LRUCache } from 'lru-cache';
import { limits } from '../core/limits.ts';

export interface Allowance {
  isAllowed: boolean;
  remaining: number;
  /** Until the window ends. */
  resetSeconds: number;
}

export interface RateLimiter {
  /** Counts a request. */
  count: (key: string, now?: number) => Allowance;
  /** What a request would be told, without counting it. */
  look: (key: string, now?: number) => Allowance;
}

const window_ms = 1000;

/** A fixed window of one second for each key. */
export function rateLimiter(requestsPerSecond: number): RateLimiter {
  const windows = new LRUCache<string, { startedAt: number; count: number }>({
    max: limits.countedCallers_items.value,
  });
  const windowOf = (key: string, now: number) => {
    const known = windows.get(key);
    return known && now - known.startedAt < window_ms ? known : { startedAt: now, count: 0 };
  };
  const allowance = (window: { startedAt: number; count: number }, now: number): Allowance => ({
    isAllowed: window.count <= requestsPerSecond,
    remaining: Math.max(0, requestsPerSecond - window.count),
    resetSeconds: (window.startedAt + window_ms - now) / 1000,
  });
  return {
    count: (key, now = Date.now()) => {
      const window = windowOf(key, now);
      window.count += 1;
      windows.set(key, window);
      return allowance(window, now);
    },
    look: (key, now = Date.now()) => {
      const { startedAt, count } = windowOf(key, now);
      return allowance({ startedAt, count: count + 1 }, now);
    },
  };
}
