/** Pools that are open to some workspaces and projects only (§4.2 `agent-pool-id`). */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  randomName,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { project, workspace } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let owner: string;
beforeAll(async () => {
  acme = await organization(app);
  owner = acme.owner.token;
});

interface Lists {
  workspaces?: string[];
  projects?: string[];
  excluded?: string[];
}

const linkage = ({ workspaces, projects, excluded }: Lists) => {
  const list = (type: string, ids: string[]) => ({ data: ids.map(id => ({ type, id })) });
  return {
    ...(workspaces && { 'allowed-workspaces': list('workspaces', workspaces) }),
    ...(projects && { 'allowed-projects': list('projects', projects) }),
    ...(excluded && { 'excluded-workspaces': list('workspaces', excluded) }),
  };
};
const create = (lists: Lists, attributes: object = { 'organization-scoped': false }) =>
  app.post(
    `organizations/${acme.name}/agent-pools`,
    owner,
    bodyOf('agent-pools', { name: randomName('pool'), ...attributes }, linkage(lists)),
  );
const change = (id: string, attributes: object, lists: Lists, token = owner) =>
  app.patch(`agent-pools/${id}`, token, bodyOf('agent-pools', attributes, linkage(lists)));
const listsOf = ({ data: { relationships } }: Answer): Required<Lists> => {
  const ids = (name: string) => relationships[name].data.map(({ id }: { id: string }) => id);
  return {
    workspaces: ids('allowed-workspaces'),
    projects: ids('allowed-projects'),
    excluded: ids('excluded-workspaces'),
  };
};
const choose = (id: string, pool: string) =>
  app.patch(`workspaces/${id}`, owner, bodyOf('workspaces', { 'execution-mode': 'agent', 'agent-pool-id': pool }));
const refusal = [422, ['/data/attributes/agent-pool-id']];

describe('the lists', () => {
  test('are given on create; an update keeps those it does not name, replaces and clears those it does', async () => {
    const [one, two] = [await workspace(app, acme), await workspace(app, acme)];
    const some = await project(app, acme);
    const made = await create({ workspaces: [one], projects: [some], excluded: [two] });
    expect([made.status, listsOf(made)]).toEqual([201, { workspaces: [one], projects: [some], excluded: [two] }]);
    expect((await app.get(`agent-pools/${made.data.id}`, owner)).data).toEqual(made.data);
    const renamed = await change(made.data.id, { name: randomName('pool') }, {});
    expect(listsOf(renamed)).toEqual(listsOf(made));
    const replaced = await change(made.data.id, {}, { workspaces: [two], excluded: [] });
    expect(replaced.data.attributes.name).toBe(renamed.data.attributes.name);
    expect(listsOf(replaced)).toEqual({ workspaces: [two], projects: [some], excluded: [] });
    const included = await app.get(`agent-pools/${made.data.id}?include=allowed_workspaces,allowed_projects`, owner);
    expect(included.document.included.map(({ id }: { id: string }) => id).sort()).toEqual([some, two].sort());
  });

  test('hold workspaces and projects of the organization only: 422 at the list, and nothing is stored', async () => {
    const rival = await organization(app);
    const foreign = await workspace(app, rival);
    const refused = await create({ workspaces: [foreign], projects: [rival.projectId], excluded: ['ws-none'] });
    expect([refused.status, refused.pointers]).toEqual([
      422,
      ['allowed-workspaces', 'allowed-projects', 'excluded-workspaces'].map(name => `/data/relationships/${name}`),
    ]);
    const made = await create({});
    expect((await change(made.data.id, { name: 'x' }, { workspaces: [foreign] })).status).toBe(422);
    expect((await app.get(`agent-pools/${made.data.id}`, owner)).data).toEqual(made.data);
  });

  test('§5 what a manager of pools does not see is neither shown nor taken away', async () => {
    const hidden = await workspace(app, acme);
    const made = await create({ workspaces: [hidden] });
    const manager = await member(app, acme, await team(app, acme, { access: { 'manage-agent-pools': true } }));
    expect(listsOf(await change(made.data.id, {}, { workspaces: [] }, manager.token)).workspaces).toEqual([]);
    expect((await change(made.data.id, {}, { workspaces: [hidden] }, manager.token)).status).toBe(422);
    expect(listsOf(await app.get(`agent-pools/${made.data.id}`, owner)).workspaces).toEqual([hidden]);
  });

  test('lose what is deleted', async () => {
    const id = await workspace(app, acme);
    const some = await project(app, acme);
    const made = await create({ workspaces: [id], projects: [some] });
    expect((await app.delete(`workspaces/${id}`, owner)).status).toBe(204);
    expect((await app.delete(`projects/${some}`, owner)).status).toBe(204);
    expect(listsOf(await app.get(`agent-pools/${made.data.id}`, owner))).toEqual({
      workspaces: [],
      projects: [],
      excluded: [],
    });
  });
});

describe('who may choose a pool', () => {
  test('§4.2 a scoped pool is open to its workspaces and to those of its projects, but the excluded ones', async () => {
    const some = await project(app, acme);
    const [named, inProject, excluded, other] = [
      await workspace(app, acme),
      await workspace(app, acme, { project_id: some }),
      await workspace(app, acme, { project_id: some }),
      await workspace(app, acme),
    ];
    const { data } = await create({ workspaces: [named], projects: [some], excluded: [excluded] });
    expect((await choose(named, data.id)).status).toBe(200);
    expect((await choose(inProject, data.id)).status).toBe(200);
    for (const id of [excluded, other]) {
      const refused = await choose(id, data.id);
      expect([refused.status, refused.pointers]).toEqual(refusal);
    }
    const closed = await change(data.id, {}, { workspaces: [] });
    expect(closed.status).toBe(200);
    expect((await choose(named, data.id)).status).toBe(200);
  });

  test('§4.2 a workspace that is being made may choose a pool of its project', async () => {
    const some = await project(app, acme);
    const { data } = await create({ projects: [some] });
    const made = (projectId: string) =>
      app.post(
        `organizations/${acme.name}/workspaces`,
        owner,
        bodyOf(
          'workspaces',
          { name: randomName('ws'), 'execution-mode': 'agent', 'agent-pool-id': data.id },
          { project: { data: { type: 'projects', id: projectId } } },
        ),
      );
    expect((await made(some)).status).toBe(201);
    const refused = await made(acme.projectId);
    expect([refused.status, refused.pointers]).toEqual(refusal);
  });

  test('a project takes a pool that is open to it as its default, the organization one that is open to all', async () => {
    const some = await project(app, acme);
    const { data } = await create({ projects: [some] });
    const asDefault = { 'default-execution-mode': 'agent', 'default-agent-pool-id': data.id };
    const set = (path: string, type: string) => app.patch(path, owner, bodyOf(type, asDefault));
    expect((await set(`projects/${some}`, 'projects')).status).toBe(200);
    const refused = [
      await set(`projects/${await project(app, acme)}`, 'projects'),
      await set(`organizations/${acme.name}`, 'organizations'),
    ];
    for (const { status, pointers } of refused) {
      expect([status, pointers]).toEqual([422, ['/data/attributes/default-agent-pool-id']]);
    }
  });
});

test('the list is filtered by the workspace or project that a pool is open to', async () => {
  const home = await organization(app);
  const some = await project(app, home, { name: 'some-project' });
  await workspace(app, home, { name: 'inside', project_id: some });
  const named = await workspace(app, home, { name: 'named' });
  const pools: [string, Lists, boolean][] = [
    ['whole', {}, true],
    ['by-project', { projects: [some] }, false],
    ['by-workspace', { workspaces: [named] }, false],
    ['closed', {}, false],
  ];
  for (const [name, lists, isWhole] of pools) {
    const body = bodyOf('agent-pools', { name, 'organization-scoped': isWhole }, linkage(lists));
    expect((await app.post(`organizations/${home.name}/agent-pools`, home.owner.token, body)).status).toBe(201);
  }
  const names = async (filter: string, token = home.owner.token) =>
    (await app.get(`organizations/${home.name}/agent-pools?${filter}`, token)).data.map(
      (one: { attributes: { name: string } }) => one.attributes.name,
    );
  for (const form of ['allowed_', 'allowed-']) {
    expect(await names(`filter[${form}workspaces][name]=named`)).toEqual(['by-workspace', 'whole']);
    expect(await names(`filter[${form}workspaces][name]=inside`)).toEqual(['by-project', 'whole']);
    expect(await names(`filter[${form}projects][name]=some-project`)).toEqual(['by-project', 'whole']);
  }
  const stranger = await member(app, home);
  expect(await names('filter[allowed_workspaces][name]=named', stranger.token)).toEqual(['whole']);
});
