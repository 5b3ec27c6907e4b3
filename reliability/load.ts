/** A steady load: so many requests a second are begun, whether or not those before them were answered. */
import type { Outcome } from './client.ts';

export interface Load {
  /** What became of every request so far, in the order in which they ended. */
  outcomes: Outcome[];
  /** Begins no more, and resolves when all that were begun have ended. */
  end: () => Promise<Outcome[]>;
}

const tick_ms = 5;

export function loadAt(perSecond: number, next: () => Promise<Outcome>): Load {
  const outcomes: Outcome[] = [];
  const underWay = new Set<Promise<void>>();
  const started_ms = performance.now();
  let begun = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - started_ms) / 1000) * perSecond);
    while (begun < due) {
      begun += 1;
      const one: Promise<void> = next().then(outcome => {
        outcomes.push(outcome);
        underWay.delete(one);
      });
      underWay.add(one);
    }
  }, tick_ms);
  return {
    outcomes,
    end: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
      return outcomes;
    },
  };
}

/** How often each of these was met, the most frequent first: `7 × 503, 1 × ECONNRESET`. */
export function tally(outcomes: readonly Outcome[]): string {
  const counts = new Map<string, number>();
  for (const { status, fault } of outcomes) {
    const what = fault ?? String(status);
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const sorted = [...counts].sort((one, other) => other[1] - one[1]);
  return sorted.map(([what, count]) => `${count} × ${what}`).join(', ') || 'none';
}

export function percentile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((one, other) => one - other);
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}
