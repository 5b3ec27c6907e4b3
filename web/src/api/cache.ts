/** The cache of what the server said. Reads are repeated where that can help; what is hidden asks for nothing. */
import { QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './failure.ts';

const retries = 3;

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
