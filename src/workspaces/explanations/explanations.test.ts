/** §5 Explanations as people read them: the chain, what is missing, who could give it, and who is told. */

import { beforeAll, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import {
  member,
  organization,
  type Person,
  person,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { project, projectAccess, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import { useLimits } from '../../../test/limits.ts';
import { limits } from '../../core/limits.ts';

const app = useApp();
let acme: TestOrganization;
let workspaceId: string;
let readers: string;
let secretAdmins: string;
let openAdmins: string;
let reader: Person;
let admin: Person;
beforeAll(async () => {
  acme = await organization(app);
  const projectId = await project(app, acme);
  workspaceId = await workspace(app, acme, { project_id: projectId });
  readers = await team(app, acme, { name: 'readers' });
  secretAdmins = await team(app, acme, { name: 'hidden-admins' });
  openAdmins = await team(app, acme, { name: 'open-admins', visibility: 'organization' });
  await workspaceAccess(app, readers, workspaceId, 'read');
  await workspaceAccess(app, secretAdmins, workspaceId, 'admin');
  await projectAccess(app, openAdmins, projectId, 'admin');
  reader = await member(app, acme, readers);
  admin = await member(app, acme, openAdmins);
});

const explain = async (path: string, token: string, query = '') => {
  const answer = await app.get(`${path}/explain${query}`, token);
  expect(answer.status, answer.text).toBe(200);
  return answer.data.map(({ attributes }: Document) => attributes);
};

test('§5.4 what is allowed is told with the team, the access record and its level', async () => {
  const [read] = await explain(`workspaces/${workspaceId}`, reader.token, '?action=read');
  expect(read).toMatchObject({ action: 'read', 'is-allowed': true, 'missing-powers': [], ways: [], givers: [] });
  expect(read.grants).toEqual([
    {
      via: 'workspace-access',
      'team-id': readers,
      'team-name': 'readers',
      'record-type': 'team-workspaces',
      'record-id': expect.stringMatching(/^tws-/),
      access: 'read',
      keys: [],
    },
  ]);
});

describe('of many who could give it', () => {
  useLimits({ namedGivers_items: 2 });

  test('§5.4 the first few are named, beside the owners', async () => {
    const other = await organization(app);
    const id = await workspace(app, other);
    const own = await team(app, other);
    await workspaceAccess(app, own, id, 'read');
    for (let at = 0; at < limits.namedGivers_items.value + 1; at += 1) {
      await workspaceAccess(app, await team(app, other, { visibility: 'organization' }), id, 'admin');
    }
    const asker = await member(app, other, own);
    const [lock] = await explain(`workspaces/${id}`, asker.token, '?action=lock');
    expect([lock['is-allowed'], lock.givers]).toEqual([false, expect.any(Array)]);
    expect(lock.givers).toHaveLength(1 + limits.namedGivers_items.value);
  });
});

test('§5.4 what is missing is told with every way to it, and with those who could give it and may be seen', async () => {
  const [force] = await explain(`workspaces/${workspaceId}`, reader.token, '?action=can-force-unlock');
  expect(force).toEqual({
    action: 'can-force-unlock',
    'is-allowed': false,
    grants: [],
    'missing-powers': ['administer'],
    ways: [
      { via: 'workspace-access', levels: ['admin'], keys: [] },
      { via: 'project-access', levels: ['maintain', 'admin'], keys: [] },
      { via: 'organization-access', levels: [], keys: ['manage-workspaces'] },
      { via: 'ownership', levels: [], keys: [] },
    ],
    givers: [
      { 'team-id': null, name: 'owners' },
      { 'team-id': openAdmins, name: 'open-admins' },
    ],
  });
});

test('§5.4 organization access is told by the keys that would be enough', async () => {
  const hall = await organization(app);
  const managers = await team(app, hall, { access: { 'manage-workspaces': true, 'read-workspaces': true } });
  const manager = await member(app, hall, managers);
  const id = await workspace(app, hall);
  const [lock] = await explain(`workspaces/${id}`, manager.token, '?action=lock');
  expect(lock.grants).toMatchObject([
    { via: 'organization-access', 'team-id': managers, keys: ['manage-workspaces'], 'record-id': null },
  ]);
  const [read] = await explain(`workspaces/${id}`, manager.token, '?action=read');
  expect(read.grants).toMatchObject([{ via: 'organization-access', keys: ['manage-workspaces', 'read-workspaces'] }]);
  const [mine] = await explain(`organizations/${hall.name}`, manager.token, '?action=read');
  expect(mine.grants).toMatchObject([{ via: 'membership', 'team-id': null }]);
});

test('§5 owners may ask about members, by id and by name; the answer names whom and what it is about', async () => {
  for (const user of [reader.id, reader.username]) {
    const answer = await app.get(`workspaces/${workspaceId}/explain?user=${user}&action=lock`, acme.owner.token);
    const [one] = answer.data;
    expect([one.attributes['is-allowed'], one.relationships.user.data]).toEqual([
      false,
      { type: 'users', id: reader.id },
    ]);
    expect(one.relationships.subject.data).toEqual({ type: 'workspaces', id: workspaceId });
  }
  for (const user of [(await person(app)).id, 'user-0000000000000000', 'nobody']) {
    const unknown = await app.get(`workspaces/${workspaceId}/explain?user=${user}`, acme.owner.token);
    expect([unknown.status, unknown.pointers]).toEqual([400, ['user']]);
  }
});

test('§5.3 nobody else may ask about others, not even administrators of the workspace', async () => {
  for (const asker of [reader, admin]) {
    for (const user of [acme.owner.id, 'user-0000000000000000']) {
      const answer = await app.get(`workspaces/${workspaceId}/explain?user=${user}`, asker.token);
      expect([answer.status, answer.text]).toEqual([404, '{"errors":[{"status":"404","title":"not found"}]}']);
    }
    expect((await app.get(`workspaces/${workspaceId}/explain?user=${asker.username}`, asker.token)).status).toBe(200);
  }
});

test('§5.2 tokens of teams and organizations are told about themselves', async () => {
  const ofTeam = await serviceTokenOf(app, acme, readers);
  const [read] = await explain(`workspaces/${workspaceId}`, ofTeam, '?action=read');
  expect(read.grants).toMatchObject([{ via: 'workspace-access', 'team-id': readers }]);
  const ofOrganization = await serviceTokenOf(app, acme);
  const [queue] = await explain(`workspaces/${workspaceId}`, ofOrganization, '?action=queue-run');
  expect([queue['is-allowed'], queue.grants]).toEqual([false, []]);
  const [update] = await explain(`workspaces/${workspaceId}`, ofOrganization, '?action=update');
  expect(update.grants).toMatchObject([{ via: 'organization-token', 'team-id': null }]);
});

test('an action that is not known, or is of another kind of record → 400 that names them all', async () => {
  for (const action of ['nothing', 'move-workspaces', '__proto__', 'constructor']) {
    for (const path of ['explain', 'who']) {
      const answer = await app.get(`workspaces/${workspaceId}/${path}?action=${action}`, acme.owner.token);
      expect([action, path, answer.status, answer.pointers]).toEqual([action, path, 400, ['action']]);
      expect(answer.problems[0]).toContain('force-unlock');
    }
  }
  expect((await app.get(`workspaces/${workspaceId}/who`, acme.owner.token)).pointers).toEqual(['action']);
});

test('§5.4 who: people in order of their names, with everything that lets them; pages count all', async () => {
  await app.store.read`update users set username = 'aaa-admin' where users.id = ${admin.id}`;
  const hidden = await member(app, acme, secretAdmins, openAdmins);
  const path = `workspaces/${workspaceId}/who?action=force-unlock`;
  const all = await app.get(path, acme.owner.token);
  expect(all.data.map(({ id }: Document) => id).sort()).toEqual([acme.owner.id, admin.id, hidden.id].sort());
  expect(all.data[0]).toMatchObject({ id: admin.id, attributes: { username: 'aaa-admin' } });
  expect(all.data.find(({ id }: Document) => id === hidden.id).attributes.grants).toMatchObject([
    { via: 'workspace-access', 'team-id': secretAdmins, access: 'admin' },
    { via: 'project-access', 'team-id': openAdmins, access: 'admin' },
  ]);
  const second = await app.get(`${path}&page[size]=1&page[number]=2`, acme.owner.token);
  expect([second.data.length, second.document.meta.pagination['total-count']]).toEqual([1, 3]);
  expect(all.document.meta['is-complete']).toBe(true);
});

test('§5.3 who: secret teams of others are not named, and the answer says that it leaves some out', async () => {
  const alone = await member(app, acme, secretAdmins);
  const answer = await app.get(`workspaces/${workspaceId}/who?action=force-unlock`, admin.token);
  expect(answer.document.meta['is-complete']).toBe(false);
  expect(answer.data.map(({ id }: Document) => id)).not.toContain(alone.id);
  expect(answer.text).not.toContain('hidden-admins');
  expect((await app.get(`workspaces/${workspaceId}/who?action=lock`, reader.token)).status).toBe(404);
});

test('§5.4 reach: of a team its members and owners are told, with what each access gives', async () => {
  const answer = await app.get(`teams/${readers}/reach`, reader.token);
  expect(answer.data).toMatchObject([
    {
      id: workspaceId,
      attributes: {
        permissions: { 'can-read-run': true, 'can-lock': false },
        grants: [{ via: 'workspace-access', access: 'read' }],
      },
      relationships: { workspace: { data: { id: workspaceId } } },
    },
  ]);
  expect((await app.get(`teams/${openAdmins}/reach`, reader.token)).status).toBe(404);
  const owners = await app.get(`teams/${acme.ownersTeamId}/reach`, acme.owner.token);
  expect(owners.data.map(({ id }: Document) => id)).toContain(workspaceId);
  expect(owners.data[0].attributes.grants).toMatchObject([{ via: 'ownership', 'team-id': acme.ownersTeamId }]);
});

test('what an explanation costs does not grow with the teams', async () => {
  const ask = () => app.get(`workspaces/${workspaceId}/explain?user=${reader.id}`, acme.owner.token);
  await ask();
  const before = (await app.statementsOf(ask)).length;
  for (let count = 0; count < 5; count += 1) await workspaceAccess(app, await team(app, acme), workspaceId, 'admin');
  expect((await app.statementsOf(ask)).length).toBe(before);
});
