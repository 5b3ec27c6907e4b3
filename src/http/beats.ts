/**
 * Even moments for answers that must not tell by their time how they came about (§5.5): a record that the caller may not see
 * is looked at before it is refused, and one that is not there is not. docs/decisions/even-moments.md says why this way.
 */
import { performance } from 'node:perf_hooks';

/** Resolves at the second beat behind `begun_ms`, or at the next one where that has passed: those of a beat in the order in which they began. */
export type Beats = (begun_ms: number) => Promise<void>;

interface Waiting {
  begun_ms: number;
  beat: number;
  go: () => void;
}

/** A timer fires up to a millisecond early or some tenths late, by what came before it: the rest of the way is gone turn by turn. */
const timerSlack_ms = 1.2;
/** So many go on in one turn of the loop, and then others have theirs. */
const together_items = 50;

/** @param every_ms the time from beat to beat, by the clock of the process */
export function beats(every_ms: number): Beats {
  let waiting: Waiting[] = [];
  const nextBeat = () => Math.floor(performance.now() / every_ms) + 1;
  const wait = (beat: number) => {
    const left_ms = beat * every_ms - performance.now();
    if (left_ms > timerSlack_ms) setTimeout(wait, left_ms - timerSlack_ms, beat);
    else if (left_ms > 0) setImmediate(wait, beat);
    else release(beat);
  };
  const release = (beat: number) => {
    const due = waiting.filter(one => one.beat <= beat).sort((one, other) => one.begun_ms - other.begun_ms);
    waiting = waiting.filter(one => one.beat > beat);
    if (waiting.length > 0) wait(nextBeat());
    letGo(due);
  };
  return begun_ms =>
    new Promise(go => {
      const beat = Math.max(Math.floor(begun_ms / every_ms) + 2, nextBeat());
      waiting.push({ begun_ms, beat, go });
      if (waiting.length === 1) wait(nextBeat());
    });
}

function letGo(due: readonly Waiting[]): void {
  for (const { go } of due.slice(0, together_items)) go();
  if (due.length > together_items) setImmediate(letGo, due.slice(together_items));
}
