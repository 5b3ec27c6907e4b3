import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { project, projectAccess, variableSet, workspace } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let owner: string;
beforeAll(async () => {
  acme = await organization(app);
  owner = acme.owner.token;
});

const named = (type: string, ...ids: string[]) => ({ data: ids.map(id => ({ type, id })) });
const kinds = [
  ['workspaces', () => workspace(app, acme)],
  ['projects', () => project(app, acme)],
] as const;
const placesOf = async (id: string, type: string) =>
  (await app.get(`varsets/${id}`, owner)).data.relationships[type].data.map((one: { id: string }) => one.id);

describe.each(kinds)('%s', (type, make) => {
  test('§2.2 are added and removed in lists, whether or not they are there', async () => {
    const id = await variableSet(app, acme);
    const path = `varsets/${id}/relationships/${type}`;
    const both = [await make(), await make()].sort();
    for (const body of [named(type, both[0]!), named(type, ...both, ...both), named(type)]) {
      expect((await app.post(path, owner, body)).status).toBe(204);
    }
    expect(await placesOf(id, type)).toEqual(both);
    for (const body of [named(type, both[0]!, 'nothing'), named(type, both[0]!)]) {
      expect((await app.delete(path, owner, body)).status).toBe(204);
    }
    expect(await placesOf(id, type)).toEqual([both[1]]);
  });

  test('§7 one that does not exist → 422 at its place, the others untouched', async () => {
    const id = await variableSet(app, acme);
    const answer = await app.post(`varsets/${id}/relationships/${type}`, owner, named(type, await make(), 'nothing'));
    expect([answer.status, answer.pointers]).toEqual([422, ['/data/1/id']]);
    expect(await placesOf(id, type)).toEqual([]);
    const malformed = await app.post(`varsets/${id}/relationships/${type}`, owner, named('teams', 'team-1'));
    expect([malformed.status, malformed.pointers]).toEqual([422, ['/data/0/type']]);
  });

  test('§7 of a global set → 422', async () => {
    const home = await organization(app);
    const id = await variableSet(app, home, { global: true });
    for (const method of ['POST', 'DELETE']) {
      const path = `varsets/${id}/relationships/${type}`;
      const answer = await app.call(method, path, { token: home.owner.token, body: named(type, await make()) });
      expect([answer.status, answer.problems]).toEqual([422, [expect.stringContaining('is global')]]);
    }
  });

  test('§7 20 at once that apply one set to the same place all succeed, and it is named once', async () => {
    const id = await variableSet(app, acme);
    const place = await make();
    const ask = () => app.post(`varsets/${id}/relationships/${type}`, owner, named(type, place));
    const statuses = (await Promise.all(Array.from({ length: 20 }, ask))).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([204]));
    expect(await placesOf(id, type)).toEqual([place]);
  });
});

test('§7 a set and its workspaces that go at the moment when they are joined leave nothing behind', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [id, workspaceId] = [await variableSet(app, acme), await workspace(app, acme)];
    const answers = await Promise.all([
      app.post(`varsets/${id}/relationships/workspaces`, owner, named('workspaces', workspaceId)),
      app.delete(`workspaces/${workspaceId}`, owner),
      app.post(`varsets/${id}/relationships/workspaces`, owner, named('workspaces', workspaceId)),
      ...(round % 2 ? [app.delete(`varsets/${id}`, owner)] : []),
    ]);
    for (const { status } of answers) expect([204, 404, 422]).toContain(status);
    const left = await app.store.read`
      select from variable_set_workspaces where variable_set_workspaces.workspace_id = ${workspaceId}`;
    expect(left.length).toBe(0);
  }
});

test('§5.5 whoever changes a set leaves what they do not see of its places as it is', async () => {
  const projectId = await project(app, acme);
  const [seen, unseen] = [await workspace(app, acme, { project_id: projectId }), await workspace(app, acme)];
  const id = await variableSet(app, acme, { project_id: projectId }, { workspaces: [seen] });
  const some = await team(app, acme);
  await projectAccess(app, some, projectId, 'admin');
  const someone = await member(app, acme, some);
  const answer = await app.post(`varsets/${id}/relationships/workspaces`, someone.token, named('workspaces', unseen));
  const missing = await app.post(
    `varsets/${id}/relationships/workspaces`,
    someone.token,
    named('workspaces', 'ws-0000000000000000'),
  );
  expect(answer.text.replaceAll(unseen, 'ws-0000000000000000')).toBe(missing.text);
  // One that left the project is named still, and not theirs to take away.
  await app.store
    .read`update workspaces set project_id = ${acme.projectId}, revision = default where workspaces.id = ${seen}`;
  await app.patch(`varsets/${id}`, someone.token, bodyOf('varsets', {}, { workspaces: { data: [] } }));
  await app.delete(`varsets/${id}/relationships/workspaces`, someone.token, named('workspaces', seen));
  await app.store
    .read`update workspaces set project_id = ${projectId}, revision = default where workspaces.id = ${seen}`;
  expect(await placesOf(id, 'workspaces')).toEqual([seen]);
});
