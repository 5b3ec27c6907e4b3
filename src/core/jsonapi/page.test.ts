/** §1: pages, their links and their counts. */

import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { limits } from '../limits.ts';
import { pageFrom, pageMembers, pageParameters } from './page.ts';
import { type RawQuery, readQuery } from './query.ts';
import { type AnyResource, resource } from './resource.ts';

const answer = {
  status: 200,
  collection: resource({ type: 'toys', attributes: {}, relationships: {} }) as AnyResource,
  pages: 'always',
} as const;

const pageOf = (query: RawQuery, given: Parameters<typeof pageFrom>[1] = answer) =>
  pageFrom(readQuery(query, pageParameters(given)), given);

const members = (query: Record<string, string>, total: number, meta = {}) =>
  JSON.parse(`{${pageMembers(pageOf(query), total, 'https://a.example/list', query, meta)}}`);

describe('the page asked for', () => {
  test('§8 page-size/default: 20 records of the first page when nothing, or an empty text, is said', () => {
    expect(pageOf({})).toEqual({ number: 1, size: 20, offset: 0, isGiven: false });
    expect(pageOf({ 'page[number]': '', 'page[size]': '' })).toEqual({
      number: 1,
      size: 20,
      offset: 0,
      isGiven: false,
    });
  });

  test('§1 a number and a size make an offset; a size over 100 is 100', () => {
    expect(pageOf({ 'page[number]': '3' })).toEqual({ number: 3, size: 20, offset: 40, isGiven: true });
    expect(pageOf({ 'page[size]': '7', 'page[number]': '2' })).toMatchObject({ size: 7, offset: 7 });
    expect(pageOf({ 'page[size]': '101', 'page[number]': '2' })).toMatchObject({ size: 100, offset: 100 });
    expect(pageOf({ 'page[size]': '2147483647', 'page[number]': '2147483647' }).offset).toBe(214_748_364_600);
    expect(pageOf({ 'page[number]': '007' }).number).toBe(7);
  });

  test('a list that answers whole unless pages are asked for has an end, too', () => {
    const whole = { ...answer, pages: 'when-asked' } as const;
    expect(pageOf({}, whole)).toEqual({ number: 1, size: limits.wholeList_items.value, offset: 0, isGiven: false });
    expect(pageOf({ 'page[number]': '2' }, whole)).toEqual({ number: 2, size: 20, offset: 20, isGiven: true });
  });

  test('a list may have a size of its own', () => {
    const large = { ...answer, pageSize: { usual: 500, most: 700 } };
    expect([pageOf({}, large).size, pageOf({ 'page[size]': '800' }, large).size]).toEqual([500, 700]);
  });
});

describe('links and counts', () => {
  const link = (number: number, size = 20) =>
    `https://a.example/list?page%5Bnumber%5D=${number}&page%5Bsize%5D=${size}`;

  test('§1 a page in the middle has both neighbours', () => {
    const { links, meta } = members({ 'page[number]': '2' }, 60);
    expect(links).toEqual({ self: link(2), first: link(1), prev: link(1), next: link(3), last: link(3) });
    expect(meta.pagination).toEqual({
      'current-page': 2,
      'page-size': 20,
      'prev-page': 1,
      'next-page': 3,
      'total-pages': 3,
      'total-count': 60,
    });
  });

  test('§1 neighbours that are absent are null, in links and in counts', () => {
    const only = members({}, 20);
    expect(only.links).toEqual({ self: link(1), first: link(1), prev: null, next: null, last: link(1) });
    expect(only.meta.pagination).toMatchObject({ 'prev-page': null, 'next-page': null, 'total-pages': 1 });
    expect(members({}, 0).meta.pagination).toMatchObject({ 'current-page': 1, 'total-pages': 1, 'total-count': 0 });
    expect(members({}, 21).links.next).toBe(link(2));
  });

  test('§1 past the end the number asked for is repeated, and the page before is the last one', () => {
    const { links, meta } = members({ 'page[number]': '999' }, 45);
    expect(meta.pagination).toMatchObject({
      'current-page': 999,
      'prev-page': 3,
      'next-page': null,
      'total-count': 45,
    });
    expect(links).toMatchObject({ self: link(999), prev: link(3), next: null, last: link(3) });
  });

  test('§1 links carry what else was asked, once and encoded, with the size that is in force', () => {
    const query = { 'filter[names]': 'a,b c', 'page[size]': '500', 'page[number]': '1', q: 'ä&=#' };
    const { links } = members(query, 101);
    const others = 'filter%5Bnames%5D=a%2Cb+c&q=%C3%A4%26%3D%23';
    expect(links.next).toBe(`https://a.example/list?${others}&page%5Bnumber%5D=2&page%5Bsize%5D=100`);
  });

  test('further members of meta stand beside the pagination', () => {
    expect(members({}, 1, { 'status-counts': { total: 1 } }).meta).toMatchObject({
      'status-counts': { total: 1 },
      pagination: {},
    });
  });
});

describe('over HTTP', () => {
  const app = useApp({ TERRANE_PUBLIC_URL: 'https://terrane.example/under' });
  let acme: TestOrganization;
  beforeAll(async () => {
    acme = await organization(app);
    for (let count = 0; count < 24; count += 1)
      await team(app, acme, { name: `team-${String(count).padStart(2, '0')}` });
  });
  const list = (query: string) => app.get(`organizations/${acme.name}/teams${query}`, acme.owner.token);

  test('§1 following next from the first page meets every record once', async () => {
    const names: string[] = [];
    let query: string | null = '?page[size]=7';
    while (query !== null) {
      const { data, document } = await list(query);
      names.push(...data.map((one: { attributes: { name: string } }) => one.attributes.name));
      query = document.links.next && new URL(document.links.next).search;
    }
    expect(names).toHaveLength(25);
    expect(new Set(names).size).toBe(25);
    expect(names).toEqual([...names].sort());
  });

  test('§1 20 when nothing is said; brackets plain and encoded are the same; links are public addresses', async () => {
    const first = await list('');
    expect(first.data).toHaveLength(20);
    expect(first.document.links.next).toBe(
      `https://terrane.example/under/api/v2/organizations/${acme.name}/teams?page%5Bnumber%5D=2&page%5Bsize%5D=20`,
    );
    const [plain, encoded] = [
      await list('?page[number]=2&page[size]=3&filter[names]=team-01,team-02,team-03,team-04'),
      await list('?page%5Bnumber%5D=2&page%5Bsize%5D=3&filter%5Bnames%5D=team-01%2Cteam-02%2Cteam-03%2Cteam-04'),
    ];
    expect(plain.document).toEqual(encoded.document);
    expect(plain.data).toHaveLength(1);
  });

  test('§1 past the end → 200, no records, the true count', async () => {
    for (const number of ['3', '999', '2147483647']) {
      const { status, data, document } = await list(`?page[number]=${number}`);
      expect([status, data]).toEqual([200, []]);
      expect(document.meta.pagination).toMatchObject({
        'current-page': Number(number),
        'total-count': 25,
        'total-pages': 2,
      });
    }
    expect((await list('?page[size]=1000')).document.meta.pagination).toMatchObject({
      'page-size': 100,
      'total-pages': 1,
    });
  });
});
