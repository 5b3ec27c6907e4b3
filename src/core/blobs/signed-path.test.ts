import { describe, expect, test } from 'vitest';
import { isSigned, signedPath } from './signed-path.ts';

const secret = 'a secret for tests only';
const now = Date.parse('2026-11-21T12:30:00Z');
const path = '/_blobs/state-versions/sv-1/state';

function parts(signed: string): { path: string; query: Record<string, string> } {
  const url = new URL(signed, 'http://localhost');
  return { path: url.pathname, query: Object.fromEntries(url.searchParams) };
}

describe('a signed path', () => {
  const signed = parts(signedPath(secret, 'PUT', path, now));

  test('holds for its method for 25 hours at least and 26 at most', () => {
    const hour_ms = 3_600_000;
    const holdsAt = (hours: number) => isSigned(secret, 'PUT', signed.path, signed.query, now + hours * hour_ms);
    expect([0, 25, 25.9, 26.1].map(holdsAt)).toEqual([true, true, false, false]);
  });

  test('is the same for a while, so that a record read twice is the same document', () => {
    expect(signedPath(secret, 'PUT', path, now + 60_000)).toBe(signedPath(secret, 'PUT', path, now));
  });

  test('holds for no other method, path, secret, expiry or signature', () => {
    const { query } = signed;
    const later = String(Number(query['expires']) + 3600);
    expect(isSigned(secret, 'GET', path, query, now)).toBe(false);
    expect(isSigned(secret, 'PUT', path.replace('sv-1', 'sv-2'), query, now)).toBe(false);
    expect(isSigned('another secret', 'PUT', path, query, now)).toBe(false);
    expect(isSigned(secret, 'PUT', path, { ...query, expires: later }, now)).toBe(false);
    expect(isSigned(secret, 'PUT', path, { ...query, signature: `${query['signature']!.slice(0, -10)}x` }, now)).toBe(
      false,
    );
    for (const broken of [{}, { expires: query['expires'] }, { ...query, expires: ['1', '2'] }]) {
      expect(isSigned(secret, 'PUT', path, broken, now)).toBe(false);
    }
  });
});
