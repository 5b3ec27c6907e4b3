// As fast as a server likes: everybody waits when it says that its limit of requests is reached.
import { setTimeout as sleep } from 'node:timers/promises';

export interface Pace {
  /** Resolves when a request may be sent. */
  turn: () => Promise<void>;
  /** After a 429: nobody asks before the time that the server names, which is returned, in milliseconds. */
  pause: (headers: Headers) => number;
  /** After any other answer: what is left of the server's allowance. */
  heed: (headers: Headers) => void;
}

const longestPause_ms = 120_000;

export function pace(): Pace {
  let resume_ms = 0;
  const until = (headers: Headers, otherwise_ms: number) => {
    const named = Number(headers.get('retry-after') ?? headers.get('x-ratelimit-reset') ?? Number.NaN);
    const wait_ms = Number.isFinite(named) ? Math.min(named * 1000, longestPause_ms) : otherwise_ms;
    resume_ms = Math.max(resume_ms, Date.now() + wait_ms);
    return wait_ms;
  };
  return {
    turn: async () => {
      while (Date.now() < resume_ms) await sleep(resume_ms - Date.now());
    },
    pause: headers => until(headers, 1_000),
    heed: headers => {
      if (headers.get('x-ratelimit-remaining') === '0') until(headers, 100);
    },
  };
}
