/**
 * Requests that wait while the database is away. A command line asks again for minutes, but not for a plan, which it gives up after
 * eleven attempts, nor for a log: where it was told that nothing has come, and the run is over, it takes the log for read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limits } from '../core/limits.ts';
import { isUnavailable } from '../core/store/faults.ts';
import { counter } from './bounds.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Does the work again until the database is there, for a while. Then, or where too many wait already, it throws what the work threw. */
    patiently: <Result>(request: FastifyRequest, work: () => Promise<Result>) => Promise<Result>;
  }
}

const pause_ms = 500;

export function waitForStore(app: FastifyInstance): void {
  const waiting = counter(limits.waitingReaders_items.value, limits.waitingReaders_items.value);
  app.decorate('patiently', async (request, work) => {
    const end_ms = Date.now() + limits.readerWait_ms.value;
    let gone: AbortSignal | null = null;
    for (;;) {
      try {
        return await work();
      } catch (fault) {
        if (!isUnavailable(fault) || Date.now() >= end_ms) throw fault;
        gone ??= placeFor(request);
        if (!gone || gone.aborted) throw fault;
        await sleep(Math.min(pause_ms, end_ms - Date.now()), undefined, { signal: gone }).catch(() => undefined);
      }
    }
  });

  /** Aborted when nobody waits any more, or the server goes; null where too many wait. */
  function placeFor(request: FastifyRequest): AbortSignal | null {
    try {
      waiting.take('', 1);
    } catch {
      return null;
    }
    const left = new AbortController();
    request.atEnd(() => {
      waiting.giveBack('', 1);
      left.abort();
    });
    return AbortSignal.any([left.signal, app.going]);
  }
}
