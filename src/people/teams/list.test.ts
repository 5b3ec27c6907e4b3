import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Document, openApp, useApp } from '../../../test/app.ts';
import {
  bodyOf,
  invite,
  member,
  organization,
  person,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { accessKeys, listedAccessKeys } from '../../access/organization-access.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const list = (of: TestOrganization, query = '', token = of.owner.token): Promise<Answer> =>
  app.get(`organizations/${of.name}/teams${query}`, token);
const names = (answer: Answer): string[] => answer.data.map((one: Document) => one.attributes.name);
const total = (answer: Answer): number => answer.document.meta.pagination['total-count'];

describe('what is listed', () => {
  test('§4.1 all teams by name, the owners team among them, paginated', async () => {
    const of = await organization(app);
    for (const name of ['zeta', 'alpha']) await team(app, of, { name });
    const answer = await list(of);
    expect(answer.status).toBe(200);
    expect(names(answer)).toEqual(['alpha', 'owners', 'zeta']);
    expect(answer.document.meta.pagination).toEqual({
      'current-page': 1,
      'page-size': 20,
      'prev-page': null,
      'next-page': null,
      'total-pages': 1,
      'total-count': 3,
    });
    expect(Object.keys(answer.document.links).sort()).toEqual(['first', 'last', 'next', 'prev', 'self']);
  });

  test('§2.1 the list carries nine access keys under the documented profile', async () => {
    const shown = (await list(acme)).data.map((one: Document) => Object.keys(one.attributes['organization-access']));
    expect(shown.length).toBeGreaterThan(0);
    expect(shown).toEqual(shown.map(() => [...listedAccessKeys]));
  });

  test('§2.1 under the vendor profile a listed team equals the created one, with every key', async () => {
    const vendor = await openApp({ TERRANE_PROFILE: 'vendor' });
    try {
      const of = await organization(vendor);
      const attributes = {
        name: 'a team',
        'organization-access': { 'manage-providers': true, 'manage-modules': true },
      };
      const created = await vendor.post(`organizations/${of.name}/teams`, of.owner.token, bodyOf('teams', attributes));
      const listed = await vendor.get(`organizations/${of.name}/teams?filter[names]=a%20team`, of.owner.token);
      expect(listed.data).toEqual([created.data]);
      expect(Object.keys(listed.data[0].attributes['organization-access']).sort()).toEqual([...accessKeys].sort());
    } finally {
      await vendor.close();
    }
  });

  test('§2.1 but for the access keys, a listed team equals the shown one', async () => {
    const of = await organization(app);
    const id = await team(app, of, { name: 'same' });
    await member(app, of, id);
    const shown = (await app.get(`teams/${id}`, of.owner.token)).data;
    const [listed] = (await list(of, '?q=same')).data;
    shown.attributes['organization-access'] = listed.attributes['organization-access'];
    expect(listed).toEqual(shown);
  });

  test('§2.1 users and users-count leave out who was invited and has not come', async () => {
    const of = await organization(app);
    const id = await team(app, of, { name: 'mixed' });
    const someone = await member(app, of, id);
    const guest = await invite(app, of, id);
    const [listed] = (await list(of, '?q=mixed')).data;
    expect(listed.attributes['users-count']).toBe(1);
    expect(listed.relationships.users.data).toEqual([{ type: 'users', id: someone.id }]);
    expect(listed.relationships['organization-memberships'].data).toContainEqual({
      type: 'organization-memberships',
      id: guest.membershipId,
    });
  });
});

describe('search, filter and pages', () => {
  let of: TestOrganization;
  beforeAll(async () => {
    of = await organization(app);
    for (const name of ['Platform', 'platform_2', 'x%y', 'x_y', 'xzy', 'back\\slash']) await team(app, of, { name });
  });

  test.each([
    ['PLAT', ['Platform', 'platform_2']],
    ['%', ['x%y']],
    ['_', ['platform_2', 'x_y']],
    ['x_y', ['x_y']],
    ['\\', ['back\\slash']],
    ["'; drop table teams; --", []],
    ['', ['Platform', 'back\\slash', 'owners', 'platform_2', 'x%y', 'x_y', 'xzy']],
  ])('§4.1 q=%s is part of the name, with wildcards as they are', async (q, expected) => {
    const answer = await list(of, `?q=${encodeURIComponent(q)}`);
    expect(names(answer).sort()).toEqual([...expected].sort());
    expect(total(answer)).toBe(expected.length);
  });

  test('§4.1 filter[names] takes whole names, plain and percent-encoded brackets, and joins q by AND', async () => {
    expect(names(await list(of, '?filter[names]=Platform,owners,plat,nobody'))).toEqual(
      expect.arrayContaining(['Platform', 'owners']),
    );
    expect(total(await list(of, '?filter%5Bnames%5D=Platform%2Cowners'))).toBe(2);
    expect(names(await list(of, '?filter[names]=Platform,owners&q=form'))).toEqual(['Platform']);
    expect(total(await list(of, '?filter[names]=platform'))).toBe(0);
  });

  test('§1 pages hold every team once, and one past the end is empty with the true total', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map(number => list(of, `?page[size]=2&page[number]=${number}`)));
    expect(pages.flatMap(names)).toEqual(names(await list(of)));
    expect(pages.map(total)).toEqual([7, 7, 7, 7]);
    const past = await list(of, '?page[number]=999');
    expect(past.data).toEqual([]);
    expect(past.document.meta.pagination).toMatchObject({ 'current-page': 999, 'total-count': 7 });
  });

  test('§1 a page number that is none → 400 at the parameter', async () => {
    const answer = await list(of, '?page[number]=0');
    expect(answer.status).toBe(400);
    expect(answer.pointers).toEqual(['page[number]']);
  });

  test('§1 unknown parameters are ignored', async () => {
    expect(total(await list(of, '?sort=nothing&filter[x]=y'))).toBe(7);
  });

  test('§4.1 an unknown include → 400', async () => {
    const answer = await list(of, '?include=users,tokens');
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('include parameter');
  });
});

describe('who sees which', () => {
  test('§5.3 members see organization teams and their own; only those are counted', async () => {
    const of = await organization(app);
    const open = await team(app, of, { name: 'open', visibility: 'organization' });
    const own = await team(app, of, { name: 'own' });
    await team(app, of, { name: 'hidden' });
    const someone = await member(app, of, own);
    const answer = await list(of, '', someone.token);
    expect(names(answer)).toEqual(['open', 'own']);
    expect(total(answer)).toBe(2);
    const byToken = await list(of, '', await serviceTokenOf(app, of, own));
    expect(names(byToken)).toEqual(['open', 'own']);
    expect((await app.get(`teams/${open}`, someone.token)).status).toBe(200);
    expect(names(await list(of, '', (await member(app, of)).token))).toEqual(['open']);
    expect(total(await list(of, '?q=hidden', someone.token))).toBe(0);
  });

  test('§5.3 owners, the organization token and the owners team token see all', async () => {
    const of = await organization(app);
    await team(app, of, { name: 'hidden' });
    const tokens = [of.owner.token, await serviceTokenOf(app, of), await serviceTokenOf(app, of, of.ownersTeamId)];
    for (const token of tokens) expect(names(await list(of, '', token))).toEqual(['hidden', 'owners']);
  });

  test('§5.3 no organization access opens secret teams to those who are not owners', async () => {
    const of = await organization(app);
    const keys = ['manage-membership', 'manage-teams', 'manage-organization-access', 'access-secret-teams'];
    const manager = await team(app, of, { name: 'managers', access: Object.fromEntries(keys.map(key => [key, true])) });
    await team(app, of, { name: 'hidden' });
    expect(names(await list(of, '', (await member(app, of, manager)).token))).toEqual(['managers']);
  });

  test('§5.5 strangers, owners of another organization and site administrators read the 404 of none', async () => {
    const missing = await app.get('organizations/nowhere/teams', acme.owner.token);
    expect(missing.status).toBe(404);
    const callers = [await person(app), (await organization(app)).owner, await person(app, { isAdmin: true })];
    for (const { token } of callers) expect((await list(acme, '', token)).text).toBe(missing.text);
  });

  test('§8 a list takes two statements, authentication included', async () => {
    const statements = await app.statementsOf(() => list(acme));
    expect(statements).toHaveLength(2);
  });
});
