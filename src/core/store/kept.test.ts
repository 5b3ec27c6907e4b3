/** Rows that are kept: as many as there is room for, in number and in bytes. */

import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { type Kept, keep } from './kept.ts';

const row = (id: string, characters = 0) => ({ id, outputs: Array<string>(characters / 100).fill('x'.repeat(100)) });

const holds = (kept: Kept, id: string) => kept.find(id, 'stamp', 1, one => one) !== undefined;

test('a row of many outputs takes the room of many rows, and one that is larger than all room is not kept', () => {
  const kept = keep(1000, 2 ** 20);
  for (let n = 0; n < 50; n += 1) kept.keep(row(`small-${n}`), 'stamp');
  const before = Array.from({ length: 50 }, (_, n) => holds(kept, `small-${n}`));
  expect(before.filter(Boolean)).toHaveLength(50);
  kept.keep(row('large', 206_000), 'stamp');
  expect(holds(kept, 'large')).toBe(true);
  const after = Array.from({ length: 50 }, (_, n) => holds(kept, `small-${n}`));
  expect(after.filter(Boolean).length).toBeLessThan(50);
  // The one that was used last is the last to go.
  expect(after[49]).toBe(true);
  kept.keep(row('huge', 2_000_000), 'stamp');
  expect([holds(kept, 'huge'), holds(kept, 'large')]).toEqual([false, true]);
});

test('no more rows than said, however small', () => {
  const kept = keep(3, 2 ** 20);
  for (let n = 0; n < 10; n += 1) kept.keep(row(`${n}`), 'stamp');
  expect(Array.from({ length: 10 }, (_, n) => holds(kept, `${n}`)).filter(Boolean)).toHaveLength(3);
});

test('of one row only the documents of so many sets of powers are kept', () => {
  const kept = keep(10, 2 ** 20);
  kept.keep(row('one'), 'stamp');
  const shown = (powers: number) => kept.find('one', 'stamp', powers, one => one);
  const all = Array.from({ length: limits.keptDocuments_items.value + 1 }, (_, powers) => powers);
  const first = all.map(shown);
  expect(all.filter(powers => shown(powers) === first[powers])).toEqual(all.slice(0, -1));
});
