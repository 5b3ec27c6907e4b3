/** §2.2: the form of ids, and that none of their characters is likelier than another. */
import { expect, test } from 'vitest';
import { derivedId, idPrefixes, newId, randomBase62 } from './ids.ts';

test('§2.2 an id is its prefix and 16 letters and digits that clients take for an id: without 0, O, I and l', () => {
  for (const prefix of idPrefixes) {
    const form = new RegExp(`^${prefix}-[1-9A-HJ-NP-Za-km-z]{16}$`);
    for (let position = 0; position < 50; position += 1) {
      expect(newId(prefix)).toMatch(form);
      expect(derivedId(prefix, `text ${position}`)).toMatch(form);
    }
  }
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
