/** §1: how many passwords are hashed at once, and how many wait for that. */
import { expect, test } from 'vitest';
import { useLimits } from '../../../test/limits.ts';
import { ApiError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { hashCount, hashPassword } from './hash.ts';

useLimits({ hashes_items: 1, waitingHashes_items: 2 });

test('§1 so many are hashed at once, so many wait for their turn, and whoever comes then is told to come again', async () => {
  const before = hashCount();
  const room = limits.hashes_items.value + limits.waitingHashes_items.value;
  const answers = await Promise.allSettled(
    Array.from({ length: room + 3 }, () => hashPassword('the words that I chose')),
  );
  const refused = answers.flatMap(one => (one.status === 'rejected' ? [one.reason as ApiError] : []));
  expect([answers.length - refused.length, hashCount() - before]).toEqual([room, room]);
  expect(refused.map(fault => fault instanceof ApiError && fault.faults[0].name)).toEqual(Array(3).fill('server-busy'));
  // Whoever was refused took no place away.
  await hashPassword('the words that I chose');
});
