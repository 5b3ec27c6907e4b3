/** Looks now and then whether a run takes more of the machine than it may. */
import type { Confinement } from './isolation.ts';
import { diskOf, memoryOf, processesOf } from './usage.ts';

/** What a run took more of than it may. */
export type Excess = 'time' | 'memory' | 'disk';

const memoryInterval_ms = 1000;
const diskInterval_ms = 5000;
/** Of the time, at most one part in so many goes into looking through files. */
const diskShare = 20;
/** Who takes so many times as much is not asked to stop any more, but ended. */
const far = 1.5;

/** `exceeds` may be called again, and says whether it is far beyond. Only Linux tells what there is to know. */
export function watchUsage(
  pid: number | undefined,
  { writable, memory_bytes, disk_bytes }: Confinement,
  exceeds: (what: Excess, isFar: boolean) => void,
): { end: () => void } {
  const timers = new Set<NodeJS.Timeout>();
  let isOver = false;
  const repeat = (interval_ms: number, look: () => Promise<void>) => {
    const timer = setTimeout(async () => {
      timers.delete(timer);
      const begun_ms = Date.now();
      // What cannot be looked at now is looked at the next time.
      await look().catch(() => undefined);
      if (!isOver) repeat(Math.max(interval_ms, (Date.now() - begun_ms) * diskShare), look);
    }, interval_ms);
    timers.add(timer);
  };
  const compare = (what: Excess, taken_bytes: number, most_bytes: number) => {
    if (!isOver && taken_bytes > most_bytes) exceeds(what, taken_bytes > most_bytes * far);
  };
  if (process.platform === 'linux' && pid !== undefined) {
    if (memory_bytes !== null)
      repeat(memoryInterval_ms, async () => compare('memory', memoryOf(processesOf(pid)), memory_bytes));
    if (disk_bytes !== null)
      repeat(diskInterval_ms, async () => compare('disk', await diskOf(writable, disk_bytes * far + 1), disk_bytes));
  }
  return {
    end: () => {
      isOver = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
