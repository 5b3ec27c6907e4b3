import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Document, useApp } from '../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  person,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../test/builders.ts';
import { project, workspace } from '../../test/workspace-builders.ts';
import { projectAccessOf, projectWorkspaceAccessOf, workspacePowersFromProject } from '../access/project-levels.ts';
import { customWorkspacePowers, workspaceLevels, workspacePowers } from '../access/workspace-levels.ts';
import { settleProjectAccess } from './rules.ts';

const app = useApp();
let acme: TestOrganization;
let projectId: string;
let workspaceId: string;
beforeAll(async () => {
  acme = await organization(app);
  projectId = await project(app, acme);
  workspaceId = await workspace(app, acme, { project_id: projectId });
});

const linkage = (teamId: string | null, toProject: string | null) => ({
  team: { data: teamId && { type: 'teams', id: teamId } },
  project: { data: toProject && { type: 'projects', id: toProject } },
});

function give(
  teamId: string | null,
  attributes: object,
  { token = acme.owner.token, to = projectId as string | null } = {},
): Promise<Answer> {
  return app.post('team-projects', token, bodyOf('team-projects', attributes, linkage(teamId, to)));
}

const patch = (id: string, attributes: object, token = acme.owner.token) =>
  app.patch(`team-projects/${id}`, token, bodyOf('team-projects', attributes));
const list = (query: string, token = acme.owner.token) => app.get(`team-projects${query}`, token);

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
});

describe('the list', () => {
  let of: TestOrganization;
  let to: string;
  let teamIds: string[];
  beforeAll(async () => {
    of = await organization(app);
    to = await project(app, of);
    teamIds = [await team(app, of), await team(app, of), await team(app, of)];
    for (const id of teamIds) await give(id, { access: 'read' }, { token: of.owner.token, to });
    await give(teamIds[0]!, { access: 'read' }, { token: of.owner.token, to: of.projectId });
  });
  const teamsIn = (answer: Answer) => answer.data.map((one: Document) => one.relationships.team.data.id);

  test('§5.4 is paginated with the true total, also past the end', async () => {
    const page = await list(`?filter[project][id]=${to}&page[size]=2`, of.owner.token);
    expect(page.status).toBe(200);
    expect(teamsIn(page)).toEqual(teamIds.slice(0, 2));
    expect(page.document.meta.pagination).toMatchObject({ 'total-count': 3, 'total-pages': 2 });
    const past = await list(`?filter[project][id]=${to}&page[number]=999`, of.owner.token);
    expect(past.data).toEqual([]);
    expect(past.document.meta.pagination).toMatchObject({ 'current-page': 999, 'total-count': 3 });
    expect(teamsIn(await list(`?filter[project][id]=${to}&filter[team][id]=${teamIds[2]}`, of.owner.token))).toEqual([
      teamIds[2],
    ]);
  });

  test('§1 without filter[project][id] → 400 at the parameter; an unknown project → 404', async () => {
    const answer = await list('');
    expect(answer.status).toBe(400);
    expect(answer.pointers).toEqual(['filter[project][id]']);
    expect((await list('?filter[project][id]=prj-0000000000000000')).status).toBe(404);
  });

  test("§5.4 members see their own teams' records, who may read teams all, strangers none", async () => {
    const mine = await member(app, of, teamIds[1]!);
    expect(teamsIn(await list(`?filter[project][id]=${to}`, mine.token))).toEqual([teamIds[1]]);
    const readers = await team(app, of);
    const given = { access: 'custom', 'project-access': { teams: 'read' } };
    const record = await give(readers, given, { token: of.owner.token, to });
    const reader = await member(app, of, readers);
    expect(teamsIn(await list(`?filter[project][id]=${to}`, reader.token))).toHaveLength(4);
    expect((await app.get(`team-projects/${record.data.id}`, mine.token)).status).toBe(404);
    expect((await patch(record.data.id, { access: 'admin' }, reader.token)).status).toBe(404);
    const missing = await list('?filter[project][id]=prj-0000000000000000');
    for (const { token } of [await member(app, of), acme.owner, await person(app)]) {
      expect((await list(`?filter[project][id]=${to}`, token)).text).toBe(missing.text);
    }
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
