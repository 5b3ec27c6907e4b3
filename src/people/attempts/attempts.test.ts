/** §1: what counts as an attempt, of which account and from which network, and when it counts no more. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TestApp } from '../../../test/app.ts';
import { person } from '../../../test/builders/records.ts';
import { useLimits } from '../../../test/limits.ts';
import { createDatabase, type TestDatabase } from '../../../test/running/database.ts';
import { loadConfig } from '../../core/config.ts';
import { limits } from '../../core/limits.ts';
import { openStore } from '../../core/store/store.ts';
import { countAddress, countAttempt, rememberAddress, sweepAttempts } from './attempts.ts';

useLimits({ accountAttempts_items: 3, addressAttempts_items: 5 });

const { config } = loadConfig({ TERRANE_TOKEN_PEPPER: 'a pepper for tests only' });
let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await createDatabase();
  app = { store: openStore(database.connection, { connections: 3 }), config } as TestApp;
});
afterAll(async () => {
  await app?.store.close();
  await database?.drop();
});
beforeEach(() => app.store.read`delete from sign_in_attempts`);

const tries = (account: string, address = '192.0.2.1') => countAttempt(app.store.read, config, account, address);
const tried = (account: string, address?: string) =>
  tries(account, address).then(
    () => 'counted',
    error => error.faults[0].name as string,
  );
/** How many more are counted until one is refused. */
const left = async (account: string, address?: string) => {
  for (let count = 0; count < 10; count += 1) if ((await tried(account, address)) !== 'counted') return count;
  return Number.POSITIVE_INFINITY;
};
const counts = async () => {
  const rows = await app.store.read<{ count: number }[]>`select sign_in_attempts.count from sign_in_attempts`;
  return rows.map(({ count }) => count).sort();
};
const endWindows = () => app.store.read`update sign_in_attempts set window_ends_at = now() - interval '1 second'`;

test('§1 an account has as many as the bound says, from wherever they come, and no other account is touched', async () => {
  expect([await tried('ann', '192.0.2.1'), await tried('ann', '192.0.2.2')]).toEqual(['counted', 'counted']);
  expect(await left('ann', '192.0.2.3')).toBe(1);
  expect(await tried('bob', '192.0.2.3')).toBe('counted');
});

test('§1 an address has as many as the bound says, whatever accounts are tried from it', async () => {
  for (const account of ['a', 'b', 'c', 'd', 'e']) expect(await tried(account)).toBe('counted');
  expect([await tried('f'), await tried('f', '192.0.2.2')]).toEqual(['sign-in-limited', 'counted']);
});

test('§1 who is refused is told when to try again: not before a second has passed, and not behind the window', async () => {
  await left('ann');
  const wait = () => tries('ann').then(null, ({ retryAfter_s }) => retryAfter_s);
  const window_s = limits.attemptsWindow_ms.value / 1000;
  expect(await wait()).toBe(window_s);
  await app.store.read`update sign_in_attempts set window_ends_at = now() + interval '1.5 seconds'`;
  expect([1, 2]).toContain(await wait());
});

test('§1 where its window has ended an attempt is the first of the next one', async () => {
  expect(await left('ann')).toBe(3);
  expect(await tried('ann')).toBe('sign-in-limited');
  await endWindows();
  expect(await left('ann')).toBe(3);
});

test('§1 the right person has all attempts of the account again; what was none is given back', async () => {
  await tries('ann');
  const last = await tries('ann');
  expect(await counts()).toEqual([2, 2]);
  await last.forget();
  expect(await counts()).toEqual([1]);
  await (await tries('ann')).giveBack();
  expect(await counts()).toEqual([0, 1]);
});

test('§1 of an address alone: the bound is the same, and it can be given back', async () => {
  const one = await countAddress(app.store.read, config, '192.0.2.1');
  expect(await counts()).toEqual([1]);
  await one.giveBack();
  expect(await counts()).toEqual([0]);
  for (let count = 0; count < 5; count += 1) await countAddress(app.store.read, config, '192.0.2.1');
  await expect(countAddress(app.store.read, config, '192.0.2.1')).rejects.toThrow();
  await countAddress(app.store.read, config, '192.0.2.2');
});

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['2001:db8::1', '2001:db8:0:0:9::1', true],
  ['2001:db8::1', '2001:db8:0:1::1', false],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:3:3:4:5:6', false],
  ['2001::2:3:4:5:6:7', '2001::3:3:4:5:6:7', false],
  ['::1', '::2', true],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
  ['192.0.2.1', '192.0.2.2', false],
])('§1 %s and %s are one network: %s', async (one, other, isOne) => {
  for (const account of ['a', 'b', 'c', 'd', 'e']) await tries(account, one);
  expect(await tried('f', other)).toBe(isOne ? 'sign-in-limited' : 'counted');
});

test('§1 from where its person signed in the account has attempts of its own, and nobody else has them', async () => {
  const [ann, bob] = [(await person(app)).id, (await person(app)).id];
  await rememberAddress(app.store.read, config, ann, '192.0.2.1');
  expect(await left(ann, '198.51.100.1')).toBe(3);
  expect(await left(bob, '198.51.100.2')).toBe(3);
  expect([await tried(ann, '192.0.2.9'), await tried(bob, '192.0.2.1')]).toEqual([
    'sign-in-limited',
    'sign-in-limited',
  ]);
  expect(await left(ann, '192.0.2.1')).toBe(3);
});

test('§1 what counts no more is swept; an address that is used again stays remembered', async () => {
  await tries('ann');
  await sweepAttempts(app.store.read);
  expect(await counts()).toEqual([1, 1]);
  await endWindows();
  await sweepAttempts(app.store.read);
  expect(await counts()).toEqual([]);
  const { id } = await person(app);
  await rememberAddress(app.store.read, config, id, '192.0.2.1');
  await app.store.read`
    update familiar_addresses set last_used_at = now() - interval '10 years' where familiar_addresses.user_id = ${id}`;
  await rememberAddress(app.store.read, config, id, '192.0.2.1');
  await sweepAttempts(app.store.read);
  expect(await app.store.read`select from familiar_addresses where familiar_addresses.user_id = ${id}`).toHaveLength(1);
});
