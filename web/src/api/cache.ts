/** The cache of what the server said. Reads are repeated where that can help; what is hidden asks for nothing. */
import { notifyManager, QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './failure.ts';

const retries = 3;

// Told at once, not by a timer: what an act expects is drawn in the frame that also closes its dialog, not in the one after.
notifyManager.setScheduler(queueMicrotask);

export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, failure) => count < retries && mayPass(failure),
      retryDelay: (count, failure) => delay_ms(failure) ?? Math.min(1000 * 2 ** count, 8000),
      refetchIntervalInBackground: false,
    },
    mutations: { retry: false },
  },
});

function mayPass(failure: unknown): boolean {
  return failure instanceof ApiFailure && [0, 429, 502, 503, 504].includes(failure.status);
}

function delay_ms(failure: unknown): number | undefined {
  const seconds = failure instanceof ApiFailure ? failure.retryAfter : null;
  return seconds === null ? undefined : Math.min(seconds * 1000 + 50, 30_000);
}
