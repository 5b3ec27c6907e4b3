import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf } from '../../../test/builders/records.ts';
import { bootstrapAdministrator } from './bootstrap.ts';

const app = useApp();
const token = 'the-first-administrator';
const start = () => bootstrapAdministrator(app.store, { ...app.config, adminToken: token });
const events = async () => (await app.get('admin/audit-events', token)).data;

let made: (string | undefined)[];
beforeAll(async () => {
  made = await Promise.all([start(), start(), start()]);
});

test('§5 of several first starts at once, one makes the administrator, and the audit tells so', async () => {
  expect(made.filter(Boolean)).toEqual([token]);
  expect((await app.get('account/details', token)).data.attributes.username).toBe('admin');
  expect(await events()).toMatchObject([
    { attributes: { action: 'users.create-first-administrator', 'actor-type': 'system', 'resource-name': 'admin' } },
  ]);
});

test('§5 an administrator who was deleted stays deleted, whatever the next start is given', async () => {
  const successor = await app.post(
    'admin/users',
    token,
    bodyOf('users', { username: 'root', email: 'root@example.com', 'is-admin': true }),
  );
  const issued = await app.post(`users/${successor.data.id}/authentication-tokens`, token, { data: {} });
  const root = issued.data.attributes.token;
  const { id } = (await app.get('account/details', token)).data;
  expect((await app.delete(`admin/users/${id}`, root)).status).toBe(204);
  expect(await start()).toBeUndefined();
  expect((await app.get('account/details', token)).status).toBe(401);
  expect((await app.get('account/details', root)).status).toBe(200);
});
