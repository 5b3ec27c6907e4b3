/** §1: feature sets, and what an organization can do once it has been given one. */
import { beforeAll, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { bodyOf, organization, type Person, person, type TestOrganization } from '../../../test/builders/records.ts';

const app = useApp();
let acme: TestOrganization;
let administrator: Person;
beforeAll(async () => {
  acme = await organization(app);
  administrator = await person(app, { isAdmin: true });
});

const toSet = (id: string) => ({ 'feature-set': { data: { type: 'feature-sets', id } } });
const subscribe = (id: string, attributes: object = {}, type = 'subscription', token = administrator.token) =>
  app.post(`admin/organizations/${acme.name}/subscription`, token, bodyOf(type, attributes, toSet(id)));
const entitlements = async () =>
  (await app.get(`organizations/${acme.name}/entitlement-set`, acme.owner.token)).data.attributes;
const named = async (query: string): Promise<string[]> =>
  (await app.get(`admin/feature-sets${query}`, administrator.token)).data.map((one: Document) => one.attributes.name);

test('§1 feature sets are listed and searched by name', async () => {
  expect(await named('')).toEqual(['Free', 'Standard (entitlement)', 'Business']);
  expect(await named('?q=busi')).toEqual(['Business']);
  expect(await named('?q=Standard+(entitlement)')).toEqual(['Standard (entitlement)']);
  expect(await named('?q=none')).toEqual([]);
  const page = await app.get('admin/feature-sets?page[size]=1&page[number]=2', administrator.token);
  expect([page.data.length, page.document.meta.pagination['total-count']]).toEqual([1, 3]);
});

test('§1 the entitlement set follows the subscription, until it ends', async () => {
  const before = await entitlements();
  expect(before).toMatchObject({ teams: true, 'state-storage': true, operations: false, agents: true });
  const given = await subscribe('fs-business', { 'runs-ceiling': 10, 'end-at': '2999-01-01T00:00:00.000Z' });
  expect([given.status, given.problems]).toEqual([200, []]);
  expect(given.data).toMatchObject({
    id: acme.key,
    type: 'subscriptions',
    attributes: { 'runs-ceiling': 10, 'agents-ceiling': null, 'end-at': '2999-01-01T00:00:00.000Z' },
    relationships: { organization: { data: { id: acme.name } }, 'feature-set': { data: { id: 'fs-business' } } },
  });
  expect(await entitlements()).toMatchObject({
    teams: true,
    operations: false,
    agents: true,
    'vcs-integrations': true,
  });
  expect((await subscribe('fs-business', { 'end-at': '2001-01-01T00:00:00Z' }, 'subscriptions')).status).toBe(200);
  expect(await entitlements()).toEqual(before);
  await subscribe('fs-business', {}, '');
  expect((await entitlements()).agents).toBe(true);
  await subscribe('fs-free');
  expect(await entitlements()).toEqual({ ...before, 'global-run-tasks': false });
});

test('§7 a feature set is needed, and must be one → 422', async () => {
  const path = `admin/organizations/${acme.name}/subscription`;
  const refused = [
    await subscribe('fs-none'),
    await app.post(path, administrator.token, bodyOf('subscription', {})),
    await app.post(path, administrator.token, bodyOf('subscription', {}, { 'feature-set': { data: null } })),
  ];
  for (const { status, pointers } of refused) {
    expect([status, pointers]).toEqual([422, ['/data/relationships/feature-set']]);
  }
});

test('§5 both are for site administrators; everybody else gets the 404 of what is missing', async () => {
  const missing = (await app.get('organizations/nowhere', acme.owner.token)).text;
  expect((await app.get('admin/feature-sets', acme.owner.token)).text).toBe(missing);
  expect((await subscribe('fs-free', {}, 'subscription', acme.owner.token)).text).toBe(missing);
  const unknown = await app.post(
    'admin/organizations/nowhere/subscription',
    administrator.token,
    bodyOf('subscription', {}, toSet('fs-free')),
  );
  expect([unknown.status, unknown.text]).toEqual([404, missing]);
});
