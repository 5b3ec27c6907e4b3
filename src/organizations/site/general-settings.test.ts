import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import {
  bodyOf,
  organization,
  type Person,
  person,
  randomName,
  type TestOrganization,
} from '../../../test/builders/records.ts';

const app = useApp();
let acme: TestOrganization;
let administrator: Person;
beforeAll(async () => {
  acme = await organization(app);
  administrator = await person(app, { isAdmin: true });
});

const path = 'admin/general-settings';
const limit = (isLimited: unknown) => bodyOf('general-settings', { 'limit-user-organization-creation': isLimited });
const create = (token: string) =>
  app.post('organizations', token, bodyOf('organizations', { name: randomName('new'), email: 'a@example.com' }));

test('§1 at first only site administrators create organizations; a setting lets every person', async () => {
  const shown = await app.get(path, administrator.token);
  expect(shown.data).toEqual({
    id: 'general-settings',
    type: 'general-settings',
    attributes: { 'limit-user-organization-creation': true },
    links: { self: '/api/v2/admin/general-settings' },
  });
  const someone = await person(app);
  expect((await create(someone.token)).status).toBe(404);
  const opened = await app.patch(path, administrator.token, limit(false));
  expect(opened.status).toBe(200);
  expect(opened.data.attributes).toEqual({ 'limit-user-organization-creation': false });
  expect((await app.patch(path, administrator.token, bodyOf('general-settings', {}))).data).toEqual(opened.data);
  expect((await create(someone.token)).status).toBe(201);
  const account = await app.get('account/details', someone.token);
  expect(account.data.attributes.permissions['can-create-organizations']).toBe(true);
  await app.patch(path, administrator.token, limit(true));
  expect((await create(someone.token)).status).toBe(404);
});

test('§7 anything but true or false → 422', async () => {
  const answer = await app.patch(path, administrator.token, limit('yes'));
  expect([answer.status, answer.pointers]).toEqual([422, ['/data/attributes/limit-user-organization-creation']]);
});

test('§5 the settings are missing for everybody else', async () => {
  const text = (await app.get('organizations/nowhere', acme.owner.token)).text;
  expect((await app.get(path, acme.owner.token)).text).toBe(text);
  expect((await app.patch(path, acme.owner.token, limit(false))).text).toBe(text);
});
