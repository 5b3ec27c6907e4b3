import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  person,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { accessRequests } from '../../../test/builders/team-access.ts';
import { project, workspace } from '../../../test/builders/workspace.ts';
import { projectAccessOf, projectWorkspaceAccessOf } from '../../access/project-levels.ts';
import { settleProjectAccess } from './rules.ts';

const app = useApp();
let acme: TestOrganization;
let projectId: string;
beforeAll(async () => {
  acme = await organization(app);
  projectId = await project(app, acme);
});
const { give, patch } = accessRequests(app, 'project', () => ({ token: acme.owner.token, to: projectId }));

describe('changing the level', () => {
  test('§5.4 to custom keeps what the level gave, and details are merged one by one', async () => {
    const made = await give(await team(app, acme), { access: 'maintain' });
    const before = made.data.attributes;
    const custom = await patch(made.data.id, { access: 'custom', 'project-access': { teams: 'read' } });
    expect(custom.data.attributes).toEqual({
      access: 'custom',
      'project-access': { ...before['project-access'], teams: 'read' },
      'workspace-access': before['workspace-access'],
    });
    const next = await patch(made.data.id, { 'workspace-access': { move: true, unknown: 1 } });
    expect(next.data.attributes['workspace-access']).toEqual({ ...before['workspace-access'], move: true });
    expect(next.data.attributes['project-access'].teams).toBe('read');
    const [stored] = await app.store.read`
      select team_projects.workspace_access from team_projects where team_projects.id = ${made.data.id}`;
    expect(stored!['workspace_access']).not.toHaveProperty('unknown');
  });

  test('§5.4 a body without a type is read, and one without anything changes nothing', async () => {
    const made = await give(await team(app, acme), { access: 'read' });
    const untyped = await app.patch(`team-projects/${made.data.id}`, acme.owner.token, { data: { attributes: {} } });
    expect(untyped.data).toEqual(made.data);
  });

  test('§5.4 a body of the type team-project-access is read; any other → 422', async () => {
    const made = await give(await team(app, acme), { access: 'read' });
    const update = (type: string) =>
      app.patch(`team-projects/${made.data.id}`, acme.owner.token, bodyOf(type, { access: 'write' }));
    expect((await update('team-workspaces')).pointers).toEqual(['/data/type']);
    expect((await update('team-project-access')).data).toMatchObject({
      type: 'team-projects',
      attributes: { access: 'write' },
    });
  });
});

describe('who may', () => {
  test('§5.4 who manages the teams of the project; others read 404', async () => {
    const of = await organization(app);
    const to = await project(app, of);
    const admins = await team(app, of);
    const managers = await team(app, of);
    const maintainers = await team(app, of);
    const everywhere = await team(app, of, {
      access: { 'manage-workspaces': true, 'manage-projects': true, 'read-workspaces': true, 'read-projects': true },
    });
    const { token: owner } = of.owner;
    await give(admins, { access: 'admin' }, { token: owner, to });
    await give(managers, { access: 'custom', 'project-access': { teams: 'manage' } }, { token: owner, to });
    const record = await give(maintainers, { access: 'maintain' }, { token: owner, to });
    const may = [
      owner,
      await serviceTokenOf(app, of),
      (await member(app, of, admins)).token,
      (await member(app, of, managers)).token,
      (await member(app, of, everywhere)).token,
    ];
    for (const token of may) {
      const given = await give(await team(app, of, { visibility: 'organization' }), { access: 'read' }, { token, to });
      expect(given.status).toBe(201);
      expect((await patch(given.data.id, { access: 'write' }, token)).status).toBe(200);
      expect((await app.delete(`team-projects/${given.data.id}`, token)).status).toBe(204);
    }
    const missing = await app.get('team-projects/tprj-0000000000000000', owner);
    const mayNot = [
      (await member(app, of, maintainers)).token,
      (await member(app, of)).token,
      acme.owner.token,
      (await person(app, { isAdmin: true })).token,
    ];
    const visible = await team(app, of, { visibility: 'organization' });
    for (const token of mayNot) {
      expect((await give(visible, { access: 'read' }, { token, to })).text).toBe(missing.text);
      expect((await patch(record.data.id, { access: 'admin' }, token)).text).toBe(missing.text);
      expect((await app.delete(`team-projects/${record.data.id}`, token)).text).toBe(missing.text);
    }
  });
});

test('§5.4 who manages the teams of a project may take any access to it, and none to another one', async () => {
  const managers = await team(app, acme);
  const { token } = await member(app, acme, managers);
  const own = await give(managers, { access: 'custom', 'project-access': { teams: 'manage' } });
  const [inside, outside] = [await workspace(app, acme, { project_id: projectId }), await workspace(app, acme)];
  const describe = (id: string) => app.patch(`workspaces/${id}`, token, bodyOf('workspaces', { description: 'mine' }));
  expect((await describe(inside)).status).toBe(404);
  expect((await patch(own.data.id, { access: 'admin' }, token)).status).toBe(200);
  expect([(await describe(inside)).status, (await describe(outside)).status]).toEqual([200, 404]);
  const elsewhere = { token, to: await project(app, acme) };
  expect((await give(managers, { access: 'read' }, elsewhere)).status).toBe(404);
});

test('§5.4 custom starts from the least on create, from what there was on update', () => {
  const created = settleProjectAccess({ access: 'custom', 'workspace-access': { create: true } }, null);
  expect(created.project).toEqual(projectAccessOf.custom);
  expect(created.workspace).toEqual({ ...projectWorkspaceAccessOf.custom, create: true });
  const before = {
    access: 'admin' as const,
    project_access: projectAccessOf.admin,
    workspace_access: projectWorkspaceAccessOf.admin,
  };
  expect(settleProjectAccess({ access: 'custom' }, before)).toMatchObject({
    project: projectAccessOf.admin,
    workspace: projectWorkspaceAccessOf.admin,
  });
});
