import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { accessRequests } from '../../../test/builders/team-access.ts';
import { project, workspace } from '../../../test/builders/workspace.ts';
import { projectWorkspaceAccessOf, workspacePowersFromProject } from '../../access/project-levels.ts';
import { customWorkspacePowers, workspaceLevels, workspacePowers } from '../../access/workspace-levels.ts';

const app = useApp();
let acme: TestOrganization;
let projectId: string;
let workspaceId: string;
beforeAll(async () => {
  acme = await organization(app);
  projectId = await project(app, acme);
  workspaceId = await workspace(app, acme, { project_id: projectId });
});
const { give, patch } = accessRequests(app, 'project', () => ({ token: acme.owner.token, to: projectId }));

describe('levels', () => {
  const none = { create: false, locking: false, delete: false, move: false, 'run-tasks': false };
  test.each([
    ['read', ['read', 'none'], ['read', 'none', 'read', 'read'], none],
    ['write', ['read', 'none'], ['apply', 'read', 'write', 'write'], { ...none, locking: true }],
    [
      'maintain',
      ['read', 'none'],
      ['apply', 'read', 'write', 'write'],
      { create: true, locking: true, delete: true, move: false, 'run-tasks': true },
    ],
    [
      'admin',
      ['delete', 'manage'],
      ['apply', 'read', 'write', 'write'],
      { create: true, locking: true, delete: true, move: true, 'run-tasks': true },
    ],
    ['custom', ['read', 'none'], ['read', 'none', 'none', 'none'], none],
  ])('§5.4 %s shows what it gives', async (access, [settings, teams], [runs, mocks, states, variables], switches) => {
    const id = await team(app, acme);
    const made = await give(id, { access });
    expect(made.status).toBe(201);
    expect(made.data.id).toMatch(/^tprj-[A-Za-z0-9]{16}$/);
    expect(made.data.attributes.access).toBe(access);
    expect(made.data.attributes['project-access']).toMatchObject({ settings, teams });
    expect(made.data.attributes['workspace-access']).toMatchObject({
      runs,
      'sentinel-mocks': mocks,
      'state-versions': states,
      variables,
      ...switches,
    });
    expect(made.data.relationships.team.data).toEqual({ type: 'teams', id });
    expect(made.data.relationships.project).toEqual({
      data: { type: 'projects', id: projectId },
      links: { related: `/api/v2/projects/${projectId}` },
    });
    expect((await app.get(`team-projects/${made.data.id}`, acme.owner.token)).data).toEqual(made.data);
  });

  test('§5.4 the details of the levels give, on workspaces, the powers of those levels', () => {
    const onWorkspaces = (level: 'read' | 'write') => {
      const { locking, ...access } = projectWorkspaceAccessOf[level];
      return customWorkspacePowers({ ...access, 'workspace-locking': locking });
    };
    expect(onWorkspaces('read')).toBe(workspaceLevels.read);
    expect(onWorkspaces('write')).toBe(workspaceLevels.write);
    for (const level of ['read', 'write', 'admin'] as const) {
      const powers = workspacePowersFromProject(level, projectWorkspaceAccessOf[level]);
      expect(powers).toBe(workspaceLevels[level]);
    }
    const maintain = workspacePowersFromProject('maintain', projectWorkspaceAccessOf.maintain);
    expect(maintain).toBe(workspaceLevels.admin & ~workspacePowers.bit.move);
  });

  test('§5.4 a level holds on the project and all its workspaces from the next request on', async () => {
    const id = await team(app, acme);
    const someone = await member(app, acme, id);
    const permissions = async (path: string) => (await app.get(path, someone.token)).data?.attributes.permissions;
    const [onProject, onWorkspace] = [`projects/${projectId}`, `workspaces/${workspaceId}`];
    expect(await permissions(onProject)).toBeUndefined();
    const { data } = await give(id, { access: 'read' });
    expect(await permissions(onProject)).toMatchObject({ 'can-read': true, 'can-update': false });
    expect(await permissions(onWorkspace)).toMatchObject({ 'can-read-run': true, 'can-lock': false });
    await patch(data.id, { access: 'maintain' });
    expect(await permissions(onProject)).toMatchObject({ 'can-create-workspace': true, 'can-destroy': false });
    expect(await permissions(onWorkspace)).toMatchObject({ 'can-update': true, 'can-lock': true });
    await patch(data.id, { access: 'admin' });
    expect(await permissions(onProject)).toMatchObject({ 'can-destroy': true, 'can-manage-teams': true });
    await patch(data.id, { access: 'custom', 'workspace-access': { locking: false, runs: 'read' } });
    expect(await permissions(onWorkspace)).toMatchObject({
      'can-update': false,
      'can-lock': false,
      'can-destroy': true,
    });
    expect((await app.delete(`team-projects/${data.id}`, acme.owner.token)).status).toBe(204);
    expect(await permissions(onProject)).toBeUndefined();
    expect(await permissions(onWorkspace)).toBeUndefined();
  });

  test('§5.4 access to a workspace adds to access to its project; the wider of both holds', async () => {
    const id = await team(app, acme);
    const someone = await member(app, acme, id);
    await give(id, { access: 'write' });
    const relationships = {
      team: { data: { type: 'teams', id } },
      workspace: { data: { type: 'workspaces', id: workspaceId } },
    };
    await app.post('team-workspaces', acme.owner.token, bodyOf('team-workspaces', { access: 'read' }, relationships));
    const { data } = await app.get(`workspaces/${workspaceId}`, someone.token);
    expect(data.attributes.permissions).toMatchObject({ 'can-lock': true, 'can-queue-apply': true });
  });
});

describe('what is refused', () => {
  test('§5.4 a detail beside a fixed level → 422 at each of them', async () => {
    const answer = await give(await team(app, acme), {
      access: 'write',
      'project-access': { settings: 'delete' },
      'workspace-access': { 'run-tasks': true },
    });
    expect(answer.status).toBe(422);
    expect(answer.pointers).toEqual([
      '/data/attributes/project-access/settings',
      '/data/attributes/workspace-access/run-tasks',
    ]);
    expect(answer.problems[1]).toBe(
      "Run tasks is read-only when access level is 'write'; use the 'custom' access level to set this attribute.",
    );
  });

  test('§5.4 unknown levels and values, and what is missing → 422, all at once', async () => {
    const bad = await give(await team(app, acme), {
      access: '! / nope',
      'project-access': { teams: '! / nope' },
      'workspace-access': { move: 'yes' },
    });
    expect(bad.pointers).toEqual([
      '/data/attributes/access',
      '/data/attributes/project-access/teams',
      '/data/attributes/workspace-access/move',
    ]);
    const empty = await app.post('team-projects', acme.owner.token, bodyOf('team-projects', {}));
    expect(empty.pointers).toEqual([
      '/data/attributes/access',
      '/data/relationships/team',
      '/data/relationships/project',
    ]);
    const nothing = await give(null, { access: 'read' }, { to: null });
    expect(nothing.pointers).toEqual(['/data/relationships/team', '/data/relationships/project']);
  });

  test('§5.4 a second record for the same team and project → 422, also when both come at once', async () => {
    const id = await team(app, acme);
    const answers = await Promise.all(Array.from({ length: 5 }, () => give(id, { access: 'read' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422]);
  });

  test('§5.4 the owners team, and a team of another organization → 422', async () => {
    expect((await give(acme.ownersTeamId, { access: 'read' })).status).toBe(422);
    const other = await organization(app, { owner: acme.owner });
    const foreign = await give(await team(app, other), { access: 'read' });
    expect(foreign.problems).toEqual(['Team and project must be of the same organization']);
  });
});
