import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { project, projectAccess, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import { limits } from '../../core/limits.ts';

const app = useApp();
let acme: TestOrganization;
let target: string;
let source: string;
beforeAll(async () => {
  acme = await organization(app);
  target = await project(app, acme);
  source = await project(app, acme);
});

const move = (to: string, token: string, ...ids: string[]) =>
  app.post(`projects/${to}/relationships/workspaces`, token, { data: ids.map(id => ({ type: 'workspaces', id })) });
const projectOf = async (id: string) => {
  const [found] = await app.store.read`select workspaces.project_id from workspaces where workspaces.id = ${id}`;
  return found!['project_id'];
};
const refusal = (...ids: string[]) =>
  `Workspace(s) not found, or you are not authorized to move them: ${ids.join(', ')}`;

test('§5 owners move workspaces from several projects: 204', async () => {
  const ids = [await workspace(app, acme, { project_id: source }), await workspace(app, acme)];
  const answer = await move(target, acme.owner.token, ...ids, ids[0]!);
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect(await Promise.all(ids.map(projectOf))).toEqual([target, target]);
  expect((await move(target, acme.owner.token, ...ids)).status).toBe(204);
});

test('§5 those that are not named stay where they are, and each project counts what it has', async () => {
  const of = await organization(app);
  const globex = await organization(app);
  const [from, to] = [await project(app, of), await project(app, of)];
  const ids = await Promise.all([from, from, of.projectId, to].map(project_id => workspace(app, of, { project_id })));
  const foreign = await workspace(app, globex);
  expect((await move(to, of.owner.token, ids[0]!, ids[3]!)).status).toBe(204);
  expect(await Promise.all(ids.map(projectOf))).toEqual([to, from, of.projectId, to]);
  expect(await projectOf(foreign)).toBe(globex.projectId);
  const counted = async (id: string) =>
    (await app.get(`projects/${id}`, of.owner.token)).data.attributes['workspace-count'];
  expect([await counted(from), await counted(to), await counted(of.projectId)]).toEqual([1, 2, 1]);
});

test('§5 of more than are listed that cannot be moved it is said how many more', async () => {
  const missing = Array.from({ length: limits.faults_items.value + 1 }, (_, n) => `ws-missing-${n}`);
  const most = missing.slice(0, -1);
  expect((await move(target, acme.owner.token, ...most)).problems).toEqual([refusal(...most)]);
  expect((await move(target, acme.owner.token, ...missing)).problems).toEqual([`${refusal(...most)}, and 1 more`]);
});

test('§5 admin of both projects moves; admin of one alone does not', async () => {
  const both = await team(app, acme);
  await projectAccess(app, both, target, 'admin');
  await projectAccess(app, both, source, 'admin');
  const onlyTarget = await team(app, acme);
  await projectAccess(app, onlyTarget, target, 'admin');
  const onlySource = await team(app, acme);
  await projectAccess(app, onlySource, source, 'admin');
  await projectAccess(app, onlySource, target, 'maintain');
  const id = await workspace(app, acme, { project_id: source });

  const refused = await move(target, (await member(app, acme, onlyTarget)).token, id);
  expect([refused.status, refused.problems]).toEqual([403, [refusal(id)]]);
  expect((await move(target, (await member(app, acme, onlySource)).token, id)).status).toBe(404);
  expect(await projectOf(id)).toBe(source);
  expect((await move(target, (await member(app, acme, both)).token, id)).status).toBe(204);
  expect(await projectOf(id)).toBe(target);
});

test('§5 admin of a workspace alone does not take it out of its project', async () => {
  const teamId = await team(app, acme);
  const id = await workspace(app, acme, { project_id: source });
  await workspaceAccess(app, teamId, id, 'admin');
  await projectAccess(app, teamId, target, 'admin');
  const answer = await move(target, (await member(app, acme, teamId)).token, id);
  expect([answer.status, answer.problems]).toEqual([403, [refusal(id)]]);
});

test('one workspace that cannot be moved keeps all where they are', async () => {
  const globex = await organization(app);
  const foreign = await workspace(app, globex);
  const own = await workspace(app, acme, { project_id: source });
  const answer = await move(target, acme.owner.token, own, foreign, 'ws-missing');
  expect([answer.status, answer.problems]).toEqual([403, [refusal(foreign, 'ws-missing')]]);
  expect([await projectOf(own), await projectOf(foreign)]).toEqual([source, globex.projectId]);
});

test('an owner of two organizations does not move between them', async () => {
  const globex = await organization(app, { owner: acme.owner });
  const id = await workspace(app, acme, { project_id: source });
  const answer = await move(globex.projectId, acme.owner.token, id);
  expect(answer.status).toBe(403);
  expect(await projectOf(id)).toBe(source);
});

test('another type, or no list, is refused at its pointer', async () => {
  const wrong = await app.post(`projects/${target}/relationships/workspaces`, acme.owner.token, {
    data: [{ type: 'teams', id: 'team-1' }],
  });
  expect([wrong.status, wrong.pointers]).toEqual([422, ['/data/0/type']]);
  const none = await app.post(`projects/${target}/relationships/workspaces`, acme.owner.token, {});
  expect(none.status).toBe(422);
});
