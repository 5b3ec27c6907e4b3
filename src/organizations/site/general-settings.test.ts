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
    attributes: { 'limit-user-organization-creation': true, 'default-remote-state-access': false },
    links: { self: '/api/v2/admin/general-settings' },
  });
  const someone = await person(app);
  expect((await create(someone.token)).status).toBe(404);
  const opened = await app.patch(path, administrator.token, limit(false));
  expect(opened.status).toBe(200);
  expect(opened.data.attributes).toMatchObject({ 'limit-user-organization-creation': false });
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

test('§4.2 what new workspaces share is what they say, else their organization, else the installation', async () => {
  const shares = (isShared: unknown) => bodyOf('general-settings', { 'default-remote-state-access': isShared });
  const silent = await organization(app);
  const closed = await organization(app);
  const setting = { 'default-global-remote-state': false };
  await app.patch(`organizations/${closed.name}`, closed.owner.token, bodyOf('organizations', setting));
  const shared = async (of: TestOrganization, attributes: object = {}) => {
    const body = bodyOf('workspaces', { name: randomName('ws'), ...attributes });
    const made = await app.post(`organizations/${of.name}/workspaces`, of.owner.token, body);
    return made.data.attributes['global-remote-state'];
  };
  const ofOrganization = async () =>
    (await app.get(`organizations/${silent.name}`, silent.owner.token)).data.attributes['default-global-remote-state'];
  expect([await shared(silent), await shared(closed), await ofOrganization()]).toEqual([false, false, false]);
  expect((await app.patch(path, administrator.token, shares(true))).data.attributes).toMatchObject({
    'default-remote-state-access': true,
  });
  expect([await shared(silent), await shared(closed), await ofOrganization()]).toEqual([true, false, true]);
  expect(await shared(silent, { 'global-remote-state': false })).toBe(false);
  expect((await app.patch(path, administrator.token, shares(null))).status).toBe(422);
  await app.patch(path, administrator.token, shares(false));
  expect(await shared(silent)).toBe(false);
});
