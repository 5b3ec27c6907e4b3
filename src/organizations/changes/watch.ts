/** Waiting for changes: one question of this server for all who wait, twice a second while anybody does. */
import type { Store } from '../../core/store/store.ts';

const interval_ms = 500;

export interface Watch {
  /**
   * Resolves when the organization has changes of transactions from `since` on, the time is over or the signal says so.
   * Whether the waiting caller may be told of them is asked by whoever reads them.
   */
  news: (organizationId: string, since: string, waiting: { timeout_ms: number; signal: AbortSignal }) => Promise<void>;
}

interface Waiter {
  organizationId: string;
  since: string;
  wake: () => void;
}

const watches = new WeakMap<Store, Watch>();

export function watchOf(store: Store): Watch {
  const known = watches.get(store) ?? openWatch(store);
  watches.set(store, known);
  return known;
}

function openWatch(store: Store): Watch {
  const waiters = new Set<Waiter>();
  let isLooking = false;
  const lookSoon = () => {
    isLooking = true;
    setTimeout(() => void look(), interval_ms);
  };
  const look = async () => {
    // While the database is away nobody is woken: everybody's time ends by itself, and then they ask it themselves.
    const changed = await organizationsWithNews(store, [...waiters]).catch(() => new Set<string>());
    for (const { organizationId, wake } of waiters) if (changed.has(organizationId)) wake();
    isLooking = false;
    if (waiters.size > 0) lookSoon();
  };
  return {
    news: (organizationId, since, { timeout_ms, signal }) =>
      new Promise(resolve => {
        if (signal.aborted) return resolve();
        const waiter: Waiter = { organizationId, since, wake: () => end() };
        const timeout = setTimeout(() => end(), timeout_ms);
        const end = () => {
          clearTimeout(timeout);
          signal.removeEventListener('abort', end);
          waiters.delete(waiter);
          resolve();
        };
        signal.addEventListener('abort', end);
        waiters.add(waiter);
        if (!isLooking) lookSoon();
      }),
  };
}

/** From the earliest place that anybody waits at: who is woken too soon finds nothing, and waits again. */
async function organizationsWithNews(store: Store, waiters: readonly Waiter[]): Promise<Set<string>> {
  const earliest = new Map<string, string>();
  for (const { organizationId, since } of waiters) {
    const known = earliest.get(organizationId);
    if (known === undefined || BigInt(since) < BigInt(known)) earliest.set(organizationId, since);
  }
  if (earliest.size === 0) return new Set();
  const sql = store.read;
  const rows = await sql<{ organization_id: string }[]>`
    select waiting.organization_id
    from unnest(${[...earliest.keys()]}::text[], ${[...earliest.values()]}::text[]) as waiting (organization_id, since)
    where exists (
      select from changes
      where changes.organization_id = waiting.organization_id and changes.transaction_id >= waiting.since::xid8
        and changes.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
    )`;
  return new Set(rows.map(({ organization_id }) => organization_id));
}
