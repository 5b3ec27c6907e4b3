/** §2.2: the form of ids, and that none of their characters is likelier than another. */
import { expect, test } from 'vitest';
import { idPrefixes, newId, randomBase62 } from './ids.ts';

test('§2.2 an id is its prefix and 16 letters and digits', () => {
  for (const prefix of idPrefixes) expect(newId(prefix)).toMatch(new RegExp(`^${prefix}-[0-9A-Za-z]{16}$`));
});

test('no two of 100,000 ids are equal', () => {
  expect(new Set(Array.from({ length: 100_000 }, () => newId('ws'))).size).toBe(100_000);
});

test('random text has the length asked for, and each of the 62 characters is equally likely', () => {
  for (const count of [0, 1, 7, 16, 1000]) expect(randomBase62(count)).toHaveLength(count);
  const drawn = 620_000;
  const counts = new Map<string, number>();
  for (const character of randomBase62(drawn)) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(62);
  const expected = drawn / 62;
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  // 61 degrees of freedom: an honest source exceeds 150 once in a hundred million runs; drawing modulo 62 gives 5,000.
  expect(chiSquare).toBeLessThan(150);
});
