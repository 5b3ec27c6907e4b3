/** §4.7 The background job: now and then, one of the servers deletes what is past its age. */
import type { Config } from '../../core/config.ts';
import { newId } from '../../core/store/ids.ts';
import type { Store } from '../../core/store/store.ts';
import { deleteBatch } from './delete.ts';
import { dueWorkspaces, type Kind, kinds } from './due.ts';
import { LeaseLostError, leaseSeconds, releaseLease, renewLease, takeLease } from './lease.ts';

const firstDelay_ms = 60_000;
const interval_ms = 3_600_000;

export interface RetentionResult {
  deleted: Record<Kind, number>;
  /** Workspaces that were busy or failed: the next run comes back to them. */
  postponed: number;
}

interface Options {
  /** Asked between batches. */
  isStopped?: () => boolean;
  onFault?: (fault: unknown, workspaceId: string) => void;
}

/** Deletes what is due, once. Returns null when another holds the lease. Throws LeaseLostError when one took it over. */
export async function runRetention(
  store: Store,
  config: Config,
  { isStopped = () => false, onFault = () => undefined }: Options = {},
): Promise<RetentionResult | null> {
  const jobId = newId('job');
  if (!(await takeLease(store.read, jobId))) return null;
  const result: RetentionResult = { deleted: { 'state-versions': 0, 'configuration-versions': 0 }, postponed: 0 };
  let isFinished = false;
  try {
    let after = '';
    while (!isStopped()) {
      await renewLease(store.read, jobId);
      const workspaces = await dueWorkspaces(store.search, after);
      isFinished = workspaces.length === 0;
      if (isFinished) break;
      for (const id of workspaces) {
        try {
          await sweepWorkspace(store, config, jobId, id, result, isStopped);
        } catch (fault) {
          if (fault instanceof LeaseLostError) throw fault;
          // One workspace that fails keeps no other one waiting.
          result.postponed += 1;
          onFault(fault, id);
        }
      }
      after = workspaces.at(-1)!;
    }
    return result;
  } finally {
    // Best effort: a lease that nobody gives back expires.
    await releaseLease(store.read, jobId, isFinished).catch(() => undefined);
  }
}

async function sweepWorkspace(
  store: Store,
  config: Config,
  jobId: string,
  id: string,
  result: RetentionResult,
  isStopped: () => boolean,
): Promise<void> {
  for (const kind of kinds) {
    for (let isMore = true; isMore && !isStopped(); ) {
      const batch = await deleteBatch(store, config, jobId, kind, id);
      if (!batch) {
        result.postponed += 1;
        return;
      }
      result.deleted[kind] += batch.deleted;
      isMore = batch.isMore;
    }
  }
}

interface Log {
  info: (details: object, message: string) => void;
  warn: (details: object, message: string) => void;
}

/** Runs every hour until the returned function is called, which resolves behind the last batch. Never when hosted (§9). */
export function startRetention(store: Store, config: Config, log: Log): () => Promise<void> {
  if (config.edition === 'hosted') return async () => undefined;
  let isStopped = false;
  let underWay: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const runIn = (milliseconds: number) => {
    timer = setTimeout(() => {
      underWay = run().then(next => {
        if (!isStopped) runIn(next);
      });
    }, milliseconds);
    timer.unref();
  };
  /** Resolves to the time until the next run: soon where another server is at it, which may die. */
  const run = async (): Promise<number> => {
    const onFault = (fault: unknown, workspace: string) =>
      log.warn({ err: fault, workspace }, 'data retention: a workspace is postponed');
    try {
      const result = await runRetention(store, config, { isStopped: () => isStopped, onFault });
      if (!result) return leaseSeconds * 1000;
      const isWorthALine =
        result.postponed + result.deleted['state-versions'] + result.deleted['configuration-versions'];
      if (isWorthALine > 0) log.info(result, 'data retention');
    } catch (fault) {
      log.warn({ err: fault }, 'data retention did not finish');
    }
    return interval_ms;
  };
  runIn(firstDelay_ms);
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await underWay;
  };
}
