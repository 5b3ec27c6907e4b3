import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApp, type TestApp } from '../../../test/app.ts';
import {
  bodyOf,
  organization,
  type Person,
  person,
  randomName,
  type TestOrganization,
} from '../../../test/builders/records.ts';
import { newId } from '../store/ids.ts';

let app: TestApp;
let administrator: Person;
let acme: TestOrganization;

beforeAll(async () => {
  app = await openApp();
  administrator = await person(app, { isAdmin: true });
  acme = await organization(app, { owner: administrator });
});

afterAll(() => app.close());

const create = (path: string, type: string, id: string, token = administrator.token, more = {}) => {
  const { data } = bodyOf(type, { name: randomName('record'), ...more });
  return app.post(`organizations/${acme.name}/${path}`, token, { data: { ...data, id } });
};

test('§2.2 an id that a site administrator gives is the record’s, for every kind that scripts name', async () => {
  const kinds = [
    ['workspaces', 'workspaces', 'ws', {}],
    ['projects', 'projects', 'prj', {}],
    ['teams', 'teams', 'team', {}],
    ['varsets', 'varsets', 'varset', {}],
    ['agent-pools', 'agent-pools', 'apool', {}],
    ['ssh-keys', 'ssh-keys', 'sshkey', { value: 'a key' }],
  ] as const;
  for (const [path, type, prefix, more] of kinds) {
    const id = newId(prefix);
    const made = await create(path, type, id, administrator.token, more);
    expect([type, made.status < 300, made.data?.id]).toEqual([type, true, id]);
    const again = await create(path, type, id, administrator.token, more);
    expect([type, again.status, again.pointers]).toEqual([type, 422, ['/data/id']]);
  }
});

test('§2.2 an id of another kind or form → 422 that points at it, and nothing is made', async () => {
  const before = await app.get(`organizations/${acme.name}/workspaces`, administrator.token);
  for (const id of ['team-6jrRyVDv1J8zQMB5', 'ws-', 'ws-6jrRyVDv1J8zQMB', 'ws-6jrRyVDv1J8zQMB%', 'nonsense']) {
    const refused = await create('workspaces', 'workspaces', id);
    expect([refused.status, refused.pointers]).toEqual([422, ['/data/id']]);
  }
  const after = await app.get(`organizations/${acme.name}/workspaces`, administrator.token);
  expect(after.document.meta).toEqual(before.document.meta);
});

test('§2.2 an id that anybody else gives is passed over, owners’ too', async () => {
  const owner = await person(app);
  const own = await organization(app, { owner });
  const id = newId('ws');
  const { data } = bodyOf('workspaces', { name: 'network' });
  const made = await app.post(`organizations/${own.name}/workspaces`, owner.token, { data: { ...data, id } });
  expect(made.status).toBe(201);
  expect(made.data.id).not.toBe(id);
});
