/** A caller who asks for many at once leaves room for the others. */
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../test/app.ts';
import { organization, person, type TestOrganization } from '../../test/builders/records.ts';
import { useLimits } from '../../test/limits.ts';
import { limits } from '../core/limits.ts';
import { pace } from './pace.ts';

const many = 16;
/** A thread that has no time to spare. */
const busy = () => 1;
const page_bytes = 350_000;

/** What each of so many requests at the same moment waits for. */
const burst = ({ begin }: ReturnType<typeof pace>, caller: string, count: number, now_ms: number) =>
  Array.from({ length: count }, () => begin(caller, many, now_ms));

describe('the pace of a caller', () => {
  test('is its own while nobody else asks, however much it asks for', () => {
    const own = pace(busy);
    expect(burst(own, 'one', 1000, 5000).every(wait_ms => wait_ms === 0)).toBe(true);
  });

  test('is its own where it waits for answers before it asks again', () => {
    const own = pace(busy);
    own.begin('other', 1, 5000);
    const waits = Array.from({ length: 1000 }, () => own.begin('one', 4, 5000));
    expect(waits.every(wait_ms => wait_ms === 0)).toBe(true);
  });

  test('is even where it asks for many at once beside others, who do not wait for it', () => {
    const own = pace(busy);
    own.begin('other', 1, 5000);
    const waits = burst(own, 'one', 200, 5000);
    expect([waits[0], waits.at(-1)! > 0, own.begin('other', many, 5000)]).toEqual([0, true, 0]);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  });

  test('counts what it is sent: so many bytes a second, and no more', () => {
    const own = pace(busy);
    let [now_ms, sent_bytes] = [5000, 0];
    while (now_ms < 15_000) {
      own.begin('other', 1, now_ms);
      now_ms += own.begin('one', many, now_ms);
      own.end('one', page_bytes);
      sent_bytes += page_bytes;
    }
    const [most, all] = [limits.callerAnswers_bytes.value, sent_bytes / 10];
    expect([all < most * 1.05, all > most * 0.7]).toEqual([true, true]);
  });

  test('is quicker as long as the thread has time to spare, and slower again when it has not', () => {
    let load = 0.1;
    const own = pace(() => load);
    const begun = (from_ms: number) => {
      let [now_ms, count] = [from_ms, 0];
      for (; now_ms < from_ms + 5000; count += 1) {
        own.begin('other', 1, now_ms);
        now_ms += Math.max(0.1, own.begin('one', many, now_ms));
      }
      return count;
    };
    const slowest = (5 * limits.callerAnswers_bytes.value) / (128 * 1024);
    expect(begun(5000)).toBeGreaterThan(10 * slowest);
    load = 0.9;
    begun(10_000);
    expect(begun(15_000)).toBeLessThan(1.1 * slowest);
  });

  test('makes nobody wait for more than a second, whatever it had while it was alone', () => {
    const own = pace(busy);
    burst(own, 'one', 5000, 5000);
    own.begin('other', 1, 5001);
    expect(Math.max(...burst(own, 'one', 64, 5002))).toBe(1000);
    expect(own.begin('one', many, 7000)).toBeLessThan(100);
  });
});

describe('over HTTP', () => {
  // A request a second, for whoever sends many at once.
  useLimits({ callerAnswers_bytes: 128 * 1024 });
  const app = useApp();
  let acme: TestOrganization;
  beforeAll(async () => {
    acme = await organization(app);
  });

  test('who comes after a flood is answered before most of it, and all of it is answered', async () => {
    const other = await person(app);
    await app.get('account/details', other.token);
    const order: string[] = [];
    const ask = async (who: string, path: string, token: string) => {
      const { status } = await app.get(path, token);
      order.push(who);
      return status;
    };
    const flood = Array.from({ length: 60 }, () => ask('flood', `organizations/${acme.name}/teams`, acme.owner.token));
    const late = ask('late', 'account/details', other.token);
    expect(new Set(await Promise.all([...flood, late]))).toEqual(new Set([200]));
    expect(order.indexOf('late')).toBeLessThan(20);
  });
});
