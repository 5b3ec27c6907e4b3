/** §3 The rules of the lock by themselves: what each state and caller come to. */
import { describe, expect, test } from 'vitest';
import type { Holder } from '../../core/access/actor.ts';
import { limits } from '../../core/limits.ts';
import { forceUnlock, type LockState, lock, unlock } from './lock.ts';
import { leaseFaults } from './lock-body.ts';

const holder = (type: Holder['type'], id: string) => ({ type, id }) as Holder;
const [ann, bob] = [holder('users', 'user-a'), holder('users', 'user-b')];
const heldBy = (one: Holder): LockState => ({ holder: one, reason: 'mine', expiresAt: null });

describe('§3 the lock', () => {
  test('§3 lock/free: is the caller’s, with the reason and the end that were given', () => {
    expect(lock(null, ann, 'why')).toEqual({ holder: ann, reason: 'why', expiresAt: null });
    const end = '2026-01-01T00:00:00Z';
    expect(lock(null, ann, '', end)).toEqual({ holder: ann, reason: '', expiresAt: end });
  });

  test('§3 lock/held: is refused, to whoever holds it as well', () => {
    for (const caller of [ann, bob]) expect(lock(heldBy(ann), caller, 'why')).toBe('workspace-locked-already');
  });

  test('§3 unlock/own: opens where the latest state is final, or there is none', () => {
    for (const latest of [null, 'finalized']) expect(unlock(heldBy(ann), ann, latest)).toBe(null);
  });

  test('§3 unlock/pending: stays where the latest state is not final', () => {
    for (const latest of ['pending', 'discarded', '']) {
      expect(unlock(heldBy(ann), ann, latest)).toBe('state-version-pending');
    }
  });

  test('§3 unlock/other: is not opened by somebody else, also of the same id and another kind', () => {
    const others = [bob, holder('teams', 'user-a'), holder('runs', 'user-a')];
    for (const other of others) expect(unlock(heldBy(ann), other, null)).toBe('workspace-locked-by-other');
    // Whose it is comes before what its state is.
    expect(unlock(heldBy(ann), bob, 'pending')).toBe('workspace-locked-by-other');
  });

  test('§3 unlock/free: that is open is not opened', () => {
    expect(unlock(null, ann, null)).toBe('workspace-not-locked');
    expect(forceUnlock(null)).toBe('workspace-not-locked');
  });

  test('§3 force-unlock/held: opens, whoever holds it', () => {
    for (const one of [ann, bob]) expect(forceUnlock(heldBy(one))).toBe(null);
  });
});

test('§3 an end lies ahead, by a moment at least and by all the days that a lock may last at most', () => {
  const now_ms = Date.parse('2026-01-31T12:00:00Z');
  const most_ms = limits.lockLease_days.value * 86_400_000;
  const faults = (ahead_ms: number) =>
    leaseFaults({ reason: '', expiresAt: new Date(now_ms + ahead_ms).toISOString(), pointer: '/at' }, now_ms);
  for (const ahead_ms of [1, most_ms]) expect(faults(ahead_ms)).toEqual([]);
  for (const ahead_ms of [-1, 0, most_ms + 1])
    expect(faults(ahead_ms).map(({ source }) => source)).toEqual([{ pointer: '/at' }]);
  expect(leaseFaults({ reason: '', expiresAt: null, pointer: '' }, now_ms)).toEqual([]);
});
