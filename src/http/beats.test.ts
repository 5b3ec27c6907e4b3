/** S8: what is hidden and what is missing are refused at the same moments. */
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApp, type TestApp } from '../../test/app.ts';
import { organization, person, type TestOrganization } from '../../test/builders/records.ts';
import { workspace } from '../../test/builders/workspace.ts';
import { beats } from './beats.ts';

const every_ms = 20;
const beatNow = () => Math.floor(performance.now() / every_ms);

describe('beats', () => {
  test('S8 an answer leaves at the second beat behind its request, never within one whole beat', async () => {
    const beat = beats(every_ms);
    const begun = [0, 3, 7, 11, 19].map(ago_ms => performance.now() - ago_ms);
    const left = await Promise.all(begun.map(async begun_ms => [begun_ms, await beat(begun_ms), beatNow()] as const));
    for (const [begun_ms, , beatThen] of left)
      expect(beatThen).toBeGreaterThanOrEqual(Math.floor(begun_ms / every_ms) + 2);
  });

  test('S8 one that took longer leaves at the next beat, and not at once', async () => {
    const before = beatNow();
    await beats(every_ms)(performance.now() - 10 * every_ms);
    expect(beatNow()).toBeGreaterThan(before);
  });

  test('S8 those of one beat leave in the order in which they came, whichever was ready first', async () => {
    const beat = beats(every_ms);
    const now_ms = (beatNow() + 0.5) * every_ms;
    const left: number[] = [];
    // More than go on in one turn.
    const order = Array.from({ length: 120 }, (_, at) => (at * 77) % 120);
    await Promise.all(
      order.map(async at => {
        await beat(now_ms + at / 1000);
        left.push(at);
      }),
    );
    expect(left).toEqual(order.toSorted((one, other) => one - other));
  });

  test('S8 goes on behind a time in which nobody waited', async () => {
    const beat = beats(every_ms);
    await beat(performance.now());
    await beat(performance.now());
    const before = beatNow();
    await beat(performance.now());
    expect(beatNow()).toBeGreaterThan(before);
  });
});

describe('refusals', () => {
  let app: TestApp;
  let org: TestOrganization;
  let hidden: string;
  let stranger: string;

  beforeAll(async () => {
    app = await openApp({ TERRANE_REFUSAL_MS: '1000' });
    org = await organization(app);
    hidden = await workspace(app, org);
    stranger = (await person(app)).token;
  });
  afterAll(() => app.close());

  test('S8 what is hidden and what is missing are refused in the order in which they were asked for, and keep nobody waiting', async () => {
    const show = (id: string) => app.get(`workspaces/${id}`, stranger);
    const absent = 'ws-zzzzzzzzzzzzzzzz';
    const consumers = `workspaces/${hidden}/relationships/remote-state-consumers`;
    const refused = {
      hidden: () => show(hidden),
      missing: () => show(absent),
      named: () => app.post(consumers, org.owner.token, { data: [{ type: 'workspaces', id: absent }] }),
      // As many as there are connections, several times over.
      ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`hidden ${at}`, () => show(hidden)])),
      last: () => show(absent),
    };
    const answered: string[] = [];
    const ask = async ([name, request]: [string, () => Promise<{ status: number }>]) => {
      const { status } = await request();
      answered.push(`${name} ${status}`);
    };
    const all = Promise.all(Object.entries(refused).map(ask));
    await Promise.all([
      ask(['own', () => app.get(`workspaces/${hidden}`, org.owner.token)]),
      // What the server has no endpoint for is hidden from nobody.
      ask(['nowhere', () => app.get('no-such-thing', stranger)]),
    ]);
    expect(answered.toSorted()).toEqual(['nowhere 404', 'own 200']);
    await all;
    const inOrder = Object.keys(refused).map(name => `${name} ${name === 'named' ? 422 : 404}`);
    expect(answered.slice(2)).toEqual(inOrder);
  });
});
