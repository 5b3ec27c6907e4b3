import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { expiryFaults, settleExpiry } from './issue.ts';
import { newToken, tokenHash } from './secret.ts';

const now = new Date('2026-11-21T12:00:00.000Z');

test.each([
  [undefined, undefined, '2028-11-21T12:00:00.000Z'],
  [undefined, 730, '2028-11-20T12:00:00.000Z'],
  [undefined, 1, '2026-11-22T12:00:00.000Z'],
  [undefined, 0, null],
  [null, 730, null],
  ['2027-01-01T00:00:00+01:00', 730, '2026-12-31T23:00:00.000Z'],
])('§5.6 expired-at %j with a life of %s days → %j', (given, days, expected) => {
  expect(settleExpiry(given, days, null, now)).toBe(expected);
});

test.each([
  [undefined, 0],
  [null, 0],
  ['2026-11-21T12:00:00.001Z', 0],
  ['2026-11-21T12:00:00.000Z', 1],
  ['2026-11-21T12:00:60Z', 1],
])('§5.6 expired-at %j has %d faults', (given, count) => {
  expect(expiryFaults(given, null, now)).toHaveLength(count);
});

test('§5.6 the text of a token ends in the checksum of what precedes, and its hash needs the key', () => {
  const token = newToken();
  const body = token.slice(0, -9);
  expect(crc32(body).toString(16).padStart(8, '0')).toBe(token.slice(-8));
  expect(tokenHash('a key', token).equals(tokenHash('a key', token))).toBe(true);
  expect(tokenHash('a key', token).equals(tokenHash('another key', token))).toBe(false);
});
