/** §5.4 Who sees a variable set, its variables and its places, and who changes it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  randomName,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import {
  project,
  projectAccess,
  setVariable,
  variableSet,
  workspace,
  workspaceAccess,
} from '../../../test/builders/workspace.ts';
import type { WorkspaceAccess } from '../../access/workspace-levels.ts';

const app = useApp();
let acme: TestOrganization;
let projectId: string;
beforeAll(async () => {
  acme = await organization(app);
  projectId = await project(app, acme);
});

/** A member of a new team. */
async function someone(access: Record<string, boolean> = {}) {
  const teamId = await team(app, acme, { access });
  return { teamId, token: (await member(app, acme, teamId)).token };
}

/** What someone gets of a set: its status, that of its variables, how many it names, and whether it may be changed. */
async function views(token: string, id: string) {
  const shown = await app.get(`varsets/${id}?include=vars`, token);
  const variables = await app.get(`varsets/${id}/relationships/vars`, token);
  const changed = await app.patch(`varsets/${id}`, token, bodyOf('varsets', { description: randomName('text') }));
  const named = shown.data?.relationships.vars.data.length;
  expect(shown.document.included?.length).toBe(named);
  expect(shown.data?.attributes['var-count']).toBe(named);
  return [shown.status, variables.status, named, changed.status];
}

const hidden = [404, 404, undefined, 404];
const byName = [200, 404, 0, 404];
const readable = [200, 200, 1, 404];
const managed = [200, 200, 1, 200];

describe('a set that applies to a workspace', () => {
  const answers: [string, Partial<WorkspaceAccess> | 'read' | 'admin', unknown[]][] = [
    ['custom access that reads runs alone', { runs: 'read' }, byName],
    ['custom access that reads variables', { variables: 'read' }, readable],
    ['read', 'read', readable],
    ['admin', 'admin', readable],
  ];
  test.each(answers)(
    '§5.4 whoever has %s to the workspace sees it, its variables by their power',
    async (_, access, expected) => {
      const { teamId, token } = await someone();
      const workspaceId = await workspace(app, acme, { project_id: projectId });
      await workspaceAccess(app, teamId, workspaceId, access);
      for (const places of [{ workspaces: [workspaceId] }, { projects: [projectId] }]) {
        const id = await variableSet(app, acme, {}, places);
        await setVariable(app, acme, id);
        expect(await views(token, id)).toEqual(expected);
        const list = await app.get(`workspaces/${workspaceId}/varsets`, token);
        expect(list.data.map((one: { id: string }) => one.id)).toContain(id);
      }
    },
  );

  test('§5.4 access to the project counts as access to its workspaces; access elsewhere counts for nothing', async () => {
    const workspaceId = await workspace(app, acme, { project_id: projectId });
    const ids = [
      await variableSet(app, acme, {}, { workspaces: [workspaceId] }),
      await variableSet(app, acme, {}, { projects: [projectId] }),
    ];
    for (const id of ids) await setVariable(app, acme, id);
    const [inside, custom, outside, lone] = [await someone(), await someone(), await someone(), await someone()];
    await projectAccess(app, inside.teamId, projectId, 'admin');
    await projectAccess(app, custom.teamId, projectId, 'custom');
    await projectAccess(app, outside.teamId, acme.projectId, 'admin');
    for (const id of ids) {
      expect(await views(inside.token, id)).toEqual(readable);
      expect(await views(custom.token, id)).toEqual(byName);
      expect(await views(outside.token, id)).toEqual(hidden);
      expect(await views(lone.token, id)).toEqual(hidden);
    }
  });

  test('§5.4 a global one is seen by whoever has access to any workspace or project', async () => {
    const home = acme;
    const id = await variableSet(app, home, { global: true });
    await setVariable(app, home, id, { in_global_set: true });
    const [ofWorkspace, ofProject, lone] = [await someone(), await someone(), await someone()];
    await workspaceAccess(app, ofWorkspace.teamId, await workspace(app, home), 'read');
    await projectAccess(app, ofProject.teamId, projectId, 'read');
    expect(await views(ofWorkspace.token, id)).toEqual(readable);
    expect(await views(ofProject.token, id)).toEqual(readable);
    expect(await views(lone.token, id)).toEqual(hidden);
  });
});

describe('a set that applies to nothing', () => {
  const keys: [string, Record<string, boolean>, unknown[], unknown[]][] = [
    ['manage-workspaces', { 'manage-workspaces': true, 'read-workspaces': true }, managed, readable],
    [
      'manage-projects',
      { 'manage-projects': true, 'read-projects': true, 'manage-workspaces': true, 'read-workspaces': true },
      managed,
      managed,
    ],
    ['read-workspaces', { 'read-workspaces': true }, readable, readable],
    ['manage-vcs-settings', { 'manage-vcs-settings': true }, hidden, hidden],
  ];
  test.each(keys)('§5.4 with %s', async (_, access, ofOrganization, ofProject) => {
    const { token } = await someone(access);
    for (const [owner, expected] of [
      [null, ofOrganization],
      [projectId, ofProject],
    ] as const) {
      const id = await variableSet(app, acme, { project_id: owner });
      await setVariable(app, acme, id);
      expect(await views(token, id)).toEqual(expected);
    }
  });

  const levels = [
    ['read', undefined, readable, 404],
    ['write', undefined, managed, 201],
    ['maintain', undefined, managed, 201],
    ['admin', undefined, managed, 201],
    ['custom', 'none', hidden, 404],
    ['custom', 'read', readable, 404],
    ['custom', 'write', managed, 201],
  ] as const;
  test.each(levels)(
    '§5.4 %s access (variable-sets %s) to the project that owns it',
    async (level, sets, expected, made) => {
      const { teamId, token } = await someone();
      const home = await project(app, acme);
      await projectAccess(app, teamId, home, level, sets ? { 'variable-sets': sets } : {});
      const id = await variableSet(app, acme, { project_id: home });
      await setVariable(app, acme, id);
      expect(await views(token, id)).toEqual(expected);
      const create = (relationships?: object) =>
        app.post(
          `organizations/${acme.name}/varsets`,
          token,
          bodyOf('varsets', { name: randomName('set') }, relationships),
        );
      expect((await create({ parent: { data: { type: 'projects', id: home } } })).status).toBe(made);
      expect((await create({ parent: { data: { type: 'projects', id: projectId } } })).status).toBe(404);
      expect((await create()).status).toBe(404);
    },
  );
});

test('§5.5 workspaces and projects that the caller may not read are neither named nor counted, nor sets listed', async () => {
  const home = await organization(app);
  const teamId = await team(app, home);
  const { token } = await member(app, home, teamId);
  const [seen, unseen, other] = [await workspace(app, home), await workspace(app, home), await project(app, home)];
  await workspaceAccess(app, teamId, seen, 'read');
  const id = await variableSet(app, home, {}, { workspaces: [seen, unseen], projects: [home.projectId, other] });
  await variableSet(app, home, {}, { workspaces: [unseen] });
  await variableSet(app, home, {}, { projects: [other] });
  const list = await app.get(`organizations/${home.name}/varsets?include=workspaces,projects`, token);
  expect(list.document.meta.pagination['total-count']).toBe(1);
  const [only] = list.data;
  expect(only).toMatchObject({
    id,
    attributes: { 'workspace-count': 1, 'project-count': 1 },
    relationships: {
      workspaces: { data: [{ type: 'workspaces', id: seen }] },
      projects: { data: [{ type: 'projects', id: home.projectId }] },
    },
  });
  for (const one of [unseen, other]) expect(list.text).not.toContain(one);
  expect((await app.get(`organizations/${home.name}/varsets`, home.owner.token)).data).toHaveLength(3);
});
