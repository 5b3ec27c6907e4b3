/** §8: requests a second and account. Off unless configured. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, pepper, useApp } from '../../test/app.ts';
import { organization, person, type TestOrganization, tokenOf } from '../../test/builders/records.ts';
import { useLimits } from '../../test/limits.ts';
import { signedPath } from '../core/blobs/signed-path.ts';
import { newToken } from '../people/tokens/secret.ts';
import { rateLimiter } from './rate-limit.ts';

describe('the headers', () => {
  const app = useApp({ TERRANE_RATE_LIMIT: '3' });
  let acme: TestOrganization;
  beforeAll(async () => {
    acme = await organization(app);
  });

  const burst = async (count: number, tokens: readonly (string | null)[]): Promise<Answer[]> => {
    const asked = Array.from({ length: count }, (_, index) => app.get('teams/none', tokens[index % tokens.length]!));
    return Promise.all(asked);
  };

  test('§8 addresses of content count for the account that they were given to', async () => {
    const path = signedPath(pepper, 'GET', '/_blobs/state-versions/sv-1111111111111111/state', acme.owner.id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.get(path, null)));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(8);
    expect(answers.every(({ status }) => status === 429 || status === 404)).toBe(true);
  });

  test('§8 past the limit → 429 that says when to come again, counted over all tokens of an account', async () => {
    const tokens = [acme.owner.token, await tokenOf(app, { kind: 'user', user_id: acme.owner.id })];
    const answers = await burst(20, tokens);
    const refused = answers.filter(({ status }) => status === 429);
    // The twenty may fall into two or three windows of a second on a slow machine.
    expect(refused.length).toBeGreaterThanOrEqual(8);
    for (const { headers } of answers) {
      expect(headers['x-ratelimit-limit']).toBe('3');
      expect(['0', '1', '2']).toContain(headers['x-ratelimit-remaining']);
      expect(headers['x-ratelimit-reset']).toMatch(/^[01]\.\d{3}$/);
      expect(Number(headers['x-ratelimit-reset'])).toBeLessThanOrEqual(1);
    }
    for (const { headers, document } of refused) {
      expect(headers['retry-after']).toBe(headers['x-ratelimit-reset']);
      expect(document.errors).toEqual([
        { status: '429', title: 'Too many requests', detail: "You have exceeded the API's rate limit." },
      ]);
    }
    for (const { status, headers } of answers) {
      if (status !== 429) expect(headers['retry-after']).toBeUndefined();
    }
  });

  test('§8 another account has a limit of its own, and callers without a token have one by address', async () => {
    const other = await person(app);
    expect((await app.get('teams/none', other.token)).status).toBe(404);
    const strangers = await burst(20, [null, 'no-such-token']);
    expect(new Set(strangers.map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect((await app.get('ping', null)).status).toBe(204);
  });

  test('§8 who guesses tokens past the limit of an address costs the database nothing', async () => {
    const guesses = Array.from({ length: 60 }, () => newToken());
    let refused = 0;
    const statements = await app.statementsOf(async () => {
      for (const guess of guesses) refused += (await app.get('teams/none', guess)).status === 429 ? 1 : 0;
    });
    expect(refused).toBeGreaterThan(0);
    expect(statements.length).toBe(guesses.length - refused);
  });
});

describe('without a limit', () => {
  const app = useApp();

  test('there are no such headers', async () => {
    const { headers } = await app.get('teams/none', null);
    expect(Object.keys(headers).filter(name => /ratelimit|retry/.test(name))).toEqual([]);
  });
});

describe('so many callers', () => {
  useLimits({ countedCallers_items: 2 });

  test('are counted, and of more whoever was longest away is forgotten', () => {
    const limiter = rateLimiter(1);
    for (const key of ['a', 'a', 'b', 'b']) limiter.count(key, 0);
    expect([limiter.look('a', 1).isAllowed, limiter.look('b', 1).isAllowed]).toEqual([false, false]);
    limiter.count('c', 2);
    expect([limiter.look('a', 3).isAllowed, limiter.look('b', 3).isAllowed]).toEqual([true, false]);
  });
});

describe('the window', () => {
  test('counts from its first request and begins anew a second later, for each key alone', () => {
    const { count, look } = rateLimiter(2);
    expect(count('a', 1000)).toEqual({ isAllowed: true, remaining: 1, resetSeconds: 1 });
    expect(count('a', 1400)).toEqual({ isAllowed: true, remaining: 0, resetSeconds: 0.6 });
    expect(count('a', 1999)).toEqual({ isAllowed: false, remaining: 0, resetSeconds: 0.001 });
    expect(count('b', 1999)).toEqual({ isAllowed: true, remaining: 1, resetSeconds: 1 });
    expect(look('b', 1999)).toEqual({ isAllowed: true, remaining: 0, resetSeconds: 1 });
    expect(look('a', 1999).isAllowed).toBe(false);
    expect(count('a', 2000)).toEqual({ isAllowed: true, remaining: 1, resetSeconds: 1 });
  });
});
