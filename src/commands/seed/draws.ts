/** Chance that repeats itself: what is drawn for a record follows from the seed, the kind and the position alone. */
import { createHash } from 'node:crypto';

export interface Draws {
  /** From 0 up to, not including, 1. */
  fraction: () => number;
  /** A whole number from 0 up to, not including, `limit`. */
  below: (limit: number) => number;
  /** Low numbers often, high ones seldom: each doubling of `limit` is reached equally often. At most `limit - 1`. */
  skewedBelow: (limit: number) => number;
  pick: <Value>(values: readonly Value[]) => Value;
  /** Some of the values, each at most once, in their order. */
  some: <Value>(values: readonly Value[], atMost: number) => Value[];
  /** True in this share of draws. */
  chance: (share: number) => boolean;
}

/** The draws of one record: the same name, the same sequence. */
export function drawsFor(name: string): Draws {
  const hash = createHash('sha256').update(name).digest();
  let state = hash.readUInt32LE(0);
  // Mulberry32: one multiplication a draw, and even enough for names and settings.
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(fraction() * limit);
  return {
    fraction,
    below,
    skewedBelow: limit => Math.floor((limit + 1) ** fraction()) - 1,
    pick: values => values[below(values.length)]!,
    some: (values, atMost) => {
      const chosen = new Set(Array.from({ length: below(atMost + 1) }, () => below(values.length)));
      return values.filter((_value, position) => chosen.has(position));
    },
    chance: share => fraction() < share,
  };
}
