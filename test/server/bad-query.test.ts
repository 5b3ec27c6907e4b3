/** §1: whatever a query or a path says, the answer is a clear 4xx that names the parameter, and nothing is written. */
import { describe, expect, test } from 'vitest';
import { type Answer, type Document, useApp } from '../app.ts';
import { bodyOf, randomName } from '../builders/records.ts';
import { expectRefusal, useUnchanged } from '../nets/refusals.ts';

const app = useApp();
const owned = useUnchanged(app);

const named = (name: unknown) => bodyOf('teams', { name });

describe('queries', () => {
  const list = (query: string): Promise<Answer> =>
    app.get(`organizations/${owned.acme.name}/teams?${query}`, owned.token);
  const numbers = ['0', '-1', '1e3', 'abc', '1.5', '+1', ' 1', '0x10', '9'.repeat(20), '2147483648', '1,2', '%00'];

  test.each(['page[number]', 'page[size]'])(
    '§1 %s that is not a whole number from 1 → 400 at the parameter',
    async name => {
      for (const number of numbers) {
        for (const spelling of [name, encodeURIComponent(name)]) {
          expectRefusal(await list(`${spelling}=${encodeURIComponent(decodeURIComponent(number))}`), 400, name);
        }
      }
    },
  );

  test('an unknown include → 400 that names the parameter, on every method, and before anything is done', async () => {
    const answers = [
      await list('include=users,nobody'),
      await app.get(`teams/${owned.teamId}?include=__proto__`, owned.token),
      await app.patch(`teams/${owned.teamId}?include=nobody`, owned.token, bodyOf('teams', { name: 'renamed' })),
      await app.post(`organizations/${owned.acme.name}/teams?include=nobody`, owned.token, named(randomName('team'))),
    ];
    for (const answer of answers) {
      expectRefusal(answer, 400, 'include');
      expect(answer.problems[0]).toMatch(/include parameter/);
    }
    expect((await app.get(`teams/${owned.teamId}`, owned.token)).data.attributes.name).toBe('platform');
  });

  test('5,000 parameters are refused, 200 are not', async () => {
    const parameters = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&');
    expectRefusal(await list(parameters(5000)), 400, 'p200');
    expectRefusal(await list(`${'q=a&'.repeat(4999)}q=a`), 400, 'q');
    expect((await list(parameters(200))).status).toBe(200);
  });

  test('broken percent-encoding, NUL and surrogates are refused at the parameter', async () => {
    const queries: [string, string][] = [
      ['q=%', 'q'],
      ['q=%zz', 'q'],
      ['q=%ff', 'q'],
      ['q=%ed%a0%80', 'q'],
      ['q=%c3', 'q'],
      ['a=%41&q=100%', 'q'],
      ['q=%00', 'q'],
      ['unknown=%00', 'unknown'],
      ['filter%5Bnames%5D=a,%00', 'filter[names]'],
      ['a%00b=1', 'a\0b'],
    ];
    for (const [query, parameter] of queries) expectRefusal(await list(query), 400, parameter);
  });

  test('unknown parameters are ignored, whatever they are called; of a repeated one the last counts', async () => {
    const queries = [
      'TagBindings=%7B+team+x%7D',
      '__proto__=1',
      '__proto__[page[size]]=0',
      'constructor=1',
      'toString',
      '&&=&=1',
      'page=7',
      'page[size',
      'page[size][a]=x',
      'page[size]=',
      'include=',
    ];
    for (const query of queries) expect([query, (await list(query)).status]).toEqual([query, 200]);
    const repeated = await list('page[size]=5&page%5Bsize%5D=7&q=nobody&q=plat');
    expect(repeated.document.meta.pagination).toMatchObject({ 'page-size': 7, 'total-count': 1 });
    expectRefusal(await list('page[size]=7&page[size]=x'), 400, 'page[size]');
  });

  test('§4.1 wildcards in a search mean themselves', async () => {
    const search = async (q: string) =>
      (await list(`q=${encodeURIComponent(q)}`)).data.map((one: Document) => one.attributes.name);
    for (const q of ['%', '_', 'plat%', 'p_atform', '\\', "'", '"', '%%%', 'platform\\'])
      expect([q, await search(q)]).toEqual([q, []]);
    expect(await search('PLAT')).toEqual(['platform']);
  });
});

describe('paths', () => {
  test('a path that cannot be decoded or stored → 400, whatever the method', async () => {
    const broken: [string, string][] = [
      ['teams/%', 'path'],
      ['teams/%zz', 'path'],
      ['teams/%ff', 'path'],
      ['teams/%ed%a0%80', 'path'],
      ['teams/%00', 'team_id'],
      ['teams/team-%00', 'team_id'],
    ];
    for (const [path, parameter] of broken) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        expectRefusal(
          await app.call(method, path, { token: owned.token, ...(method === 'PATCH' && { body: named('a') }) }),
          400,
          parameter,
        );
      }
    }
    expectRefusal(await app.get('organizations/%00/teams', owned.token), 400, 'organization_name');
  });

  test('very long and strange ids → 404', async () => {
    const ids = [
      'x'.repeat(10_000),
      '%F0%9F%98%80',
      "'; drop table teams; --",
      '..',
      '%2e%2e%2f',
      '%2F',
      '*',
      ':team_id',
      '__proto__',
      'null',
      '0',
      `${owned.teamId}%20`,
      owned.teamId.toUpperCase(),
    ];
    for (const id of ids) {
      const answer = await app.get(`teams/${id.replaceAll(' ', '%20')}`, owned.token);
      expect([id, answer.status]).toEqual([id, 404]);
    }
  });
});
