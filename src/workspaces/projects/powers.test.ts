import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  type Person,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { project, projectAccess, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let globex: TestOrganization;
let owner: string;
beforeAll(async () => {
  acme = await organization(app);
  globex = await organization(app);
  owner = acme.owner.token;
});

const create = (name: string, token: string) =>
  app.post(`organizations/${acme.name}/projects`, token, bodyOf('projects', { name }));

const attempts = async (id: string, token: string) => {
  const statuses = [
    await app.get(`projects/${id}`, token),
    await app.patch(`projects/${id}`, token, bodyOf('projects', { description: 'changed' })),
    await app.delete(`projects/${id}`, token),
  ];
  return statuses.map(({ status }) => status);
};

test('§5 project access gives what its level says, and nothing gives nothing', async () => {
  const open = await project(app, acme);
  await workspace(app, acme, { project_id: open });
  const at = async (level: 'read' | 'write' | 'maintain' | 'admin'): Promise<Person> => {
    const teamId = await team(app, acme);
    await projectAccess(app, teamId, open, level);
    return member(app, acme, teamId);
  };
  expect(await attempts(open, (await member(app, acme)).token)).toEqual([404, 404, 404]);
  expect(await attempts(open, globex.owner.token)).toEqual([404, 404, 404]);
  expect(await attempts(open, (await at('read')).token)).toEqual([200, 404, 404]);
  expect(await attempts(open, (await at('write')).token)).toEqual([200, 404, 404]);
  expect(await attempts(open, (await at('maintain')).token)).toEqual([200, 404, 404]);
  expect(await attempts(open, (await at('admin')).token)).toEqual([200, 200, 422]);
});

test('§5 organization access: manage-projects everything, manage-workspaces and read-projects reading', async () => {
  const open = await project(app, acme);
  await workspace(app, acme, { project_id: open });
  const managers = await team(app, acme, {
    access: { 'manage-projects': true, 'manage-workspaces': true, 'read-projects': true, 'read-workspaces': true },
  });
  const makers = await team(app, acme, { access: { 'manage-workspaces': true, 'read-workspaces': true } });
  const readers = await team(app, acme, { access: { 'read-projects': true, 'read-workspaces': true } });
  expect(await attempts(open, (await member(app, acme, managers)).token)).toEqual([200, 200, 422]);
  expect(await attempts(open, (await member(app, acme, makers)).token)).toEqual([200, 404, 404]);
  expect(await attempts(open, (await member(app, acme, readers)).token)).toEqual([200, 404, 404]);
  const manager = await member(app, acme, managers);
  expect((await create('By a manager', manager.token)).status).toBe(201);
  const maker = await member(app, acme, makers);
  expect((await create('By a maker', maker.token)).status).toBe(404);
});

test('§5 whoever may read a workspace may read its project, and counts only what they see', async () => {
  const open = await project(app, acme);
  const [seen] = [await workspace(app, acme, { project_id: open }), await workspace(app, acme, { project_id: open })];
  const secret = await team(app, acme);
  await projectAccess(app, secret, open, 'read');
  const readers = await team(app, acme);
  await workspaceAccess(app, readers, seen, 'read');
  const reader = await member(app, acme, readers);
  const shown = await app.get(`projects/${open}`, reader.token);
  expect(shown.data.attributes).toMatchObject({
    'workspace-count': 1,
    'team-count': 0,
    permissions: { 'can-read': true, 'can-update': false, 'can-create-workspace': false },
  });
  expect(await attempts(open, reader.token)).toEqual([200, 404, 404]);
  const owned = await app.get(`projects/${open}`, owner);
  expect(owned.data.attributes).toMatchObject({ 'workspace-count': 2, 'team-count': 1 });
});

test('a refusal is the same as for a project that does not exist', async () => {
  const hidden = await project(app, acme);
  const stranger = await member(app, acme);
  const refused = await app.get(`projects/${hidden}`, stranger.token);
  const missing = await app.get('projects/prj-missing', stranger.token);
  expect([refused.status, refused.text]).toEqual([404, missing.text]);
});
