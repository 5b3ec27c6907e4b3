import { beforeAll, expect, test } from 'vitest';
import { pepper, useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, person, type TestOrganization, team } from '../../../test/builders/records.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import { open } from '../../core/store/secrets.ts';
import { sealContext } from './ssh-key.ts';

const app = useApp();
let acme: TestOrganization;
let owner: string;
beforeAll(async () => {
  acme = await organization(app);
  owner = acme.owner.token;
});

const create = (attributes: object, token = owner) =>
  app.post(`organizations/${acme.name}/ssh-keys`, token, bodyOf('ssh-keys', attributes));
const change = (id: string, attributes: object, token = owner) =>
  app.patch(`ssh-keys/${id}`, token, bodyOf('ssh-keys', attributes));
const storedValue = async (id: string): Promise<Buffer> => {
  const [row] = await app.store.read`select ssh_keys.sealed_value from ssh_keys where ssh_keys.id = ${id}`;
  return row!['sealed_value'];
};

test('201 with the name alone; show and list say the same', async () => {
  const answer = await create({ name: 'deploy key', value: 'not even a key' });
  expect([answer.status, answer.problems]).toEqual([201, []]);
  expect(answer.data).toEqual({
    type: 'ssh-keys',
    id: expect.stringMatching(/^sshkey-/),
    attributes: { name: 'deploy key' },
    links: { self: `/api/v2/ssh-keys/${answer.data.id}` },
  });
  expect((await app.get(`ssh-keys/${answer.data.id}`, owner)).data).toEqual(answer.data);
  const list = await app.get(`organizations/${acme.name}/ssh-keys`, owner);
  expect(list.data).toContainEqual(answer.data);
});

test('the value is stored sealed, and stands neither in answers nor in the audit', async () => {
  const value = '-----BEGIN SECRET-----abc';
  const answer = await create({ name: 'sealed', value });
  const sealed = await storedValue(answer.data.id);
  expect(sealed.includes('SECRET')).toBe(false);
  expect(open({ tokenPepper: pepper }, sealed, sealContext(answer.data.id))).toBe(value);
  expect(answer.text).not.toContain('SECRET');
  const [event] = await app.store.read`
    select audit_events.changes::text from audit_events where audit_events.resource_id = ${answer.data.id}`;
  expect(event!['changes']).not.toMatch(/SECRET|sealed_value/);
});

test('name and value are needed, and all faults are told at once', async () => {
  const answer = await create({});
  expect([answer.status, answer.pointers]).toEqual([422, ['/data/attributes/name', '/data/attributes/value']]);
  expect((await create({ name: ' a', value: '' })).pointers).toEqual([
    '/data/attributes/name',
    '/data/attributes/value',
  ]);
  await create({ name: 'taken', value: 'v' });
  expect((await create({ name: 'taken', value: 'v' })).problems).toEqual(['Name has already been taken']);
});

test('an update changes the name only; a value in it is ignored', async () => {
  const made = await create({ name: 'first', value: 'the value' });
  const before = await storedValue(made.data.id);
  const renamed = await change(made.data.id, { name: 'second', value: 'another value' });
  expect([renamed.status, renamed.data.attributes]).toEqual([200, { name: 'second' }]);
  expect((await storedValue(made.data.id)).equals(before)).toBe(true);
  expect((await change(made.data.id, {})).data).toEqual(renamed.data);
});

test('a delete leaves workspaces without a key', async () => {
  const made = await create({ name: 'short lived', value: 'v' });
  const id = await workspace(app, acme, { ssh_key_id: made.data.id });
  expect((await app.delete(`ssh-keys/${made.data.id}`, owner)).status).toBe(204);
  expect((await app.get(`ssh-keys/${made.data.id}`, owner)).status).toBe(404);
  expect((await app.get(`workspaces/${id}`, owner)).data.relationships['ssh-key'].data).toBeNull();
});

test('the list is whole without page parameters, and paginated with them', async () => {
  const home = await organization(app);
  for (let number = 10; number < 33; number += 1) {
    const body = bodyOf('ssh-keys', { name: `key ${number}`, value: 'v' });
    await app.post(`organizations/${home.name}/ssh-keys`, home.owner.token, body);
  }
  const whole = await app.get(`organizations/${home.name}/ssh-keys`, home.owner.token);
  expect([whole.data.length, whole.document.meta]).toEqual([23, undefined]);
  const page = await app.get(`organizations/${home.name}/ssh-keys?page[size]=20&page[number]=2`, home.owner.token);
  expect(page.data.map((one: { attributes: { name: string } }) => one.attributes.name)).toEqual([
    'key 30',
    'key 31',
    'key 32',
  ]);
  expect(page.document.meta.pagination['total-count']).toBe(23);
});

test('§5 who manages VCS settings manages keys, who manages workspaces chooses from them, others see nothing', async () => {
  const made = await create({ name: 'guarded', value: 'v' });
  const outsider = await organization(app);
  const attempts = async (token: string) => {
    const answers = [
      await app.get(`organizations/${acme.name}/ssh-keys`, token),
      await app.get(`ssh-keys/${made.data.id}`, token),
      await create({ name: `by ${token.slice(-8)}`, value: 'v' }, token),
      await change(made.data.id, { name: 'guarded' }, token),
    ];
    return answers.map(({ status }) => status);
  };
  const keepers = await team(app, acme, { access: { 'manage-vcs-settings': true } });
  const makers = await team(app, acme, { access: { 'manage-workspaces': true, 'read-workspaces': true } });
  const keeper = await member(app, acme, keepers);
  const maker = await member(app, acme, makers);
  expect(await attempts(keeper.token)).toEqual([200, 200, 201, 200]);
  expect(await attempts(maker.token)).toEqual([200, 200, 404, 404]);
  expect(await attempts((await member(app, acme)).token)).toEqual([404, 404, 404, 404]);
  expect(await attempts(outsider.owner.token)).toEqual([404, 404, 404, 404]);
  expect((await app.delete(`ssh-keys/${made.data.id}`, maker.token)).status).toBe(404);
  expect((await app.delete(`ssh-keys/${made.data.id}`, outsider.owner.token)).status).toBe(404);
  expect((await app.delete(`ssh-keys/${made.data.id}`, keeper.token)).status).toBe(204);
});

test('§5 include shows the key of a workspace to those alone who may read keys', async () => {
  const made = await create({ name: 'included', value: 'v' });
  const id = await workspace(app, acme, { ssh_key_id: made.data.id });
  const readers = await team(app, acme);
  await workspaceAccess(app, readers, id, 'read');
  const reader = await member(app, acme, readers);
  const included = async (token: string) =>
    (await app.get(`workspaces/${id}?include=ssh_key`, token)).document.included;
  expect(await included(owner)).toEqual([made.data]);
  expect(await included(reader.token)).toEqual([]);
});

test('§5.5 a key of another organization looks like a missing one', async () => {
  const { data } = await create({ name: 'not yours', value: 'v' });
  const stranger = await person(app);
  const hidden = await app.get(`ssh-keys/${data.id}`, stranger.token);
  const missing = await app.get('ssh-keys/sshkey-none', stranger.token);
  expect([hidden.status, hidden.text]).toEqual([404, missing.text]);
});
