/**
 * Writers of one record, one after the other: PostgreSQL would let them wait as well, but each with a connection, and those
 * are few. Writers on other servers still meet at the row.
 */
import { ApiError } from '../errors.ts';
import { limits } from '../limits.ts';

export interface Turns {
  /**
   * Runs `work` when nobody else of this record is at work, and tells whether that took a while: then somebody changed it
   * meanwhile. Throws `record-busy` where it takes too long.
   */
  take: <Result>(record: string, work: (hasWaited: boolean) => Promise<Result>) => Promise<Result>;
}

export function turns(): Turns {
  /** Who waits for each record that somebody is at work on, in the order in which they came. */
  const waiting = new Map<string, Set<() => void>>();
  const wait = (others: Set<() => void>) =>
    new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        others.delete(start);
        reject(new ApiError('record-busy'));
      }, limits.connectionWait_ms.value);
      others.add(start);
    });
  return {
    take: async (record, work) => {
      const others = waiting.get(record);
      if (others) await wait(others);
      else waiting.set(record, new Set());
      try {
        return await work(others !== undefined);
      } finally {
        const left = waiting.get(record)!;
        const [next] = left;
        if (next) {
          left.delete(next);
          next();
        } else waiting.delete(record);
      }
    },
  };
}
