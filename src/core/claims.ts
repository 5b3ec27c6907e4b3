/** Rows that wait to be worked on, by any number of servers: each claims some, works on them, and looks for more. */
import { type RepeatLog, repeat } from './repeat.ts';

export interface Claims<Row> {
  /** At most so many, which nobody else works on for a while. */
  claim: (most: number) => Promise<readonly Row[]>;
  work: (row: Row) => Promise<void>;
  /** Worked on at once. */
  most: number;
}

const interval_ms = 1000;

/** Until the returned function is called, which resolves once nothing is under way. What fails is claimed anew in its time. */
export function workOnClaims<Row>(
  { claim, work, most }: Claims<Row>,
  log: RepeatLog,
  failure: string,
): () => Promise<void> {
  const underWay = new Set<Promise<void>>();
  const look = async () => {
    const free = most - underWay.size;
    if (free === 0) return;
    for (const row of await claim(free)) {
      const working: Promise<void> = work(row)
        .catch(fault => log.warn({ err: fault }, failure))
        .finally(() => underWay.delete(working));
      underWay.add(working);
    }
  };
  const end = repeat(interval_ms, look, log, failure);
  return async () => {
    await end();
    await Promise.all(underWay);
  };
}

/** All that is there now. Returns how many rows were worked on. */
export async function workOffClaims<Row>({ claim, work, most }: Claims<Row>): Promise<number> {
  let count = 0;
  for (;;) {
    const rows = await claim(most);
    if (rows.length === 0) return count;
    await Promise.all(rows.map(work));
    count += rows.length;
  }
}
