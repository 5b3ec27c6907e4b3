/** Agents that wait for a job: one statement now and then asks for all of them, and as many are called as there are jobs. */
import type { Store } from '../../core/store/store.ts';

const interval_ms = 250;

export interface Waiting {
  /** Resolves when there may be a job for an agent of the pool, and at the latest after the time. */
  forJob: (poolId: string | null, timeout_ms: number, gone: AbortSignal) => Promise<void>;
  /** Calls everybody, and lets nobody wait any more. */
  close: () => void;
}

interface Waiter {
  pool: string;
  call: () => void;
}

const own = '';

export function waitingAgents(store: Store, onFault: (fault: unknown) => void): Waiting {
  const waiters = new Set<Waiter>();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const queued = await store.read<{ pool: string; count: number }[]>`
      select case when jobs.is_built_in then ${own} else jobs.agent_pool_id end as pool, count(*) as count
      from jobs where jobs.status = 'queued'
      group by 1`;
    const jobs = new Map(queued.map(({ pool, count }) => [pool, count]));
    for (const waiter of [...waiters]) {
      const left = jobs.get(waiter.pool) ?? 0;
      if (left === 0) continue;
      jobs.set(waiter.pool, left - 1);
      waiter.call();
    }
  };
  const lookSoon = () => {
    if (timer || waiters.size === 0 || isClosed) return;
    timer = setTimeout(() => {
      look()
        .catch(onFault)
        .finally(() => {
          timer = undefined;
          lookSoon();
        });
    }, interval_ms);
    timer.unref();
  };
  return {
    forJob: (poolId, timeout_ms, gone) => {
      if (isClosed || gone.aborted) return Promise.resolve();
      return new Promise(resolve => {
        const waiter: Waiter = {
          pool: poolId ?? own,
          call: () => {
            waiters.delete(waiter);
            clearTimeout(late);
            gone.removeEventListener('abort', waiter.call);
            resolve();
          },
        };
        const late = setTimeout(waiter.call, timeout_ms);
        gone.addEventListener('abort', waiter.call);
        waiters.add(waiter);
        lookSoon();
      });
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      for (const { call } of [...waiters]) call();
    },
  };
}
