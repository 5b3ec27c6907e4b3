import { describe, expect, test } from 'vitest';
import { givenTo, pathWithSignature, signedPath } from './signed-path.ts';

const secret = 'a secret for tests only';
const now = Date.parse('2026-11-21T12:30:00Z');
const path = '/_blobs/state-versions/sv-1/state';

function parts(signed: string): { path: string; query: Record<string, string> } {
  const url = new URL(signed, 'http://localhost');
  return { path: url.pathname, query: Object.fromEntries(url.searchParams) };
}

describe('a signed path', () => {
  const signed = parts(signedPath(secret, 'PUT', path, 'user-1', now));

  test('holds for its method for 25 hours at least and 26 at most', () => {
    const hour_ms = 3_600_000;
    const holderAt = (hours: number) => givenTo(secret, 'PUT', signed.path, signed.query, now + hours * hour_ms);
    expect([0, 25, 25.9, 26.1].map(holderAt)).toEqual(['user-1', 'user-1', null, null]);
  });

  test('holds in the path as in the query', () => {
    const [signature, expires, to] = pathWithSignature(secret, 'PUT', path, 'user-1', now).split('/').reverse();
    expect(givenTo(secret, 'PUT', path, { to, expires, signature }, now)).toBe('user-1');
  });

  test('is the same for a while, so that a record read twice is the same document', () => {
    expect(signedPath(secret, 'PUT', path, 'user-1', now + 60_000)).toBe(
      signedPath(secret, 'PUT', path, 'user-1', now),
    );
  });

  test('holds for no other method, path, secret, addressee, expiry or signature', () => {
    const { query } = signed;
    const later = String(Number(query['expires']) + 3600);
    expect(givenTo(secret, 'GET', path, query, now)).toBe(null);
    expect(givenTo(secret, 'PUT', path.replace('sv-1', 'sv-2'), query, now)).toBe(null);
    expect(givenTo('another secret', 'PUT', path, query, now)).toBe(null);
    expect(givenTo(secret, 'PUT', path, { ...query, expires: later }, now)).toBe(null);
    expect(givenTo(secret, 'PUT', path, { ...query, to: 'user-2' }, now)).toBe(null);
    expect(givenTo(secret, 'PUT', path, { ...query, signature: `${query['signature']!.slice(0, -10)}x` }, now)).toBe(
      null,
    );
    for (const broken of [{}, { expires: query['expires'] }, { ...query, expires: ['1', '2'] }]) {
      expect(givenTo(secret, 'PUT', path, broken, now)).toBe(null);
    }
  });
});
