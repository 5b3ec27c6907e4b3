import { beforeAll, expect, test } from 'vitest';
import { openApp, useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  person,
  randomName,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const path = (of = acme) => `organizations/${of.name}/authentication-token`;
const create = (of = acme, token = of.owner.token, attributes: object = {}) =>
  app.post(path(of), token, bodyOf('authentication-tokens', attributes));

test('§5.6 is made with 201, replaced by the next, shown without its text and revoked', async () => {
  const of = await organization(app);
  expect((await app.get(path(of), of.owner.token)).status).toBe(404);
  const first = await create(of);
  expect(first.status).toBe(201);
  expect(first.data.relationships['created-by'].data).toEqual({ type: 'users', id: of.owner.id });
  const second = await create(of);
  expect(second.status).toBe(201);
  expect((await app.get(path(of), first.data.attributes.token)).status).toBe(401);
  const shown = await app.get(path(of), of.owner.token);
  expect(shown.data).toEqual({ ...second.data, attributes: { ...second.data.attributes, token: null } });
  expect((await app.get(`authentication-tokens/${second.data.id}`, of.owner.token)).data).toEqual(shown.data);
  expect((await app.delete(path(of), of.owner.token)).status).toBe(204);
  expect((await app.get(path(of), of.owner.token)).status).toBe(404);
  expect((await app.delete(path(of), of.owner.token)).status).toBe(404);
});

test('§2.1 its account is named after the organization', async () => {
  const of = await organization(app);
  await create(of);
  const [account] = await app.store.read`
    select users.username, users.is_service_account from users where users.service_of_id = ${of.key}`;
  expect(account!['username']).toMatch(new RegExp(`^api-org-${of.name}-[A-Za-z0-9]{10}$`));
  expect(account!['is_service_account']).toBe(true);
});

test('§5.5 members, managers, teams and strangers may not: the 404 of an organization that does not exist', async () => {
  const missing = await app.post('organizations/nowhere/authentication-token', acme.owner.token, { data: {} });
  const managers = await team(app, acme, { access: { 'manage-membership': true, 'manage-workspaces': true } });
  const callers = [
    (await member(app, acme)).token,
    (await member(app, acme, managers)).token,
    await serviceTokenOf(app, acme, managers),
    (await organization(app)).owner.token,
    (await person(app, { isAdmin: true })).token,
  ];
  for (const token of callers) {
    expect((await create(acme, token)).text).toBe(missing.text);
    expect((await app.get(path(), token)).text).toBe(missing.text);
    expect((await app.delete(path(), token)).text).toBe(missing.text);
  }
});

test('§5.6 a token that acts as an owner is made by people alone: none of these outlives its own revocation', async () => {
  const of = await organization(app);
  const others = await team(app, of);
  const byOrganization = (await create(of)).data.attributes.token;
  const byOwners = await serviceTokenOf(app, of, of.ownersTeamId);
  const post = (address: string, token: string) =>
    app.post(address, token, bodyOf('authentication-tokens', { description: randomName('token') }));
  for (const token of [byOrganization, byOwners]) {
    const refused = [
      await post(path(of), token),
      await post(`${path(of)}?token=audit-trails`, token),
      await post(`teams/${of.ownersTeamId}/authentication-token`, token),
      await post(`teams/${of.ownersTeamId}/authentication-tokens`, token),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const made = await post(`teams/${others}/authentication-tokens`, token);
    expect(made.status).toBe(201);
    expect((await post(`teams/${others}/authentication-tokens`, made.data.attributes.token)).status).toBe(404);
    expect((await app.get(`organizations/${of.name}`, token)).data.attributes.permissions).toMatchObject({
      'can-update': true,
      'can-update-api-token': false,
    });
    const { permissions } = (await app.get(`teams/${of.ownersTeamId}`, token)).data.attributes;
    expect(permissions['can-update-api-token']).toBe(false);
  }
  expect((await create(of)).status).toBe(201);
});

test('§5.6 another kind of token → 400 at the parameter', async () => {
  const answer = await app.post(`${path()}?token=other`, acme.owner.token, { data: {} });
  expect(answer.status).toBe(400);
  expect(answer.pointers).toEqual(['token']);
  expect((await app.get(`${path()}?token=other`, acme.owner.token)).status).toBe(400);
  expect((await app.post(`${path()}?token=organization`, acme.owner.token, { data: {} })).status).toBe(201);
});

test('§5.6 a date that has passed → 422, and the token before stays', async () => {
  const made = await create();
  const refused = await create(acme, acme.owner.token, { 'expired-at': '2020-01-01T00:00:00Z' });
  expect(refused.status).toBe(422);
  expect((await app.get(path(), made.data.attributes.token)).status).toBe(200);
});

test('§5.6 where the installation sets no life, a token never expires', async () => {
  const endless = await openApp({ TERRANE_TOKEN_TTL_DAYS: '0' });
  try {
    const of = await organization(endless);
    const made = await endless.post(path(of), of.owner.token, { data: {} });
    expect(made.data.attributes['expired-at']).toBeNull();
  } finally {
    await endless.close();
  }
});
