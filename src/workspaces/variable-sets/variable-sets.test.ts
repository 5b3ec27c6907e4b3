import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, useApp } from '../../../test/app.ts';
import { bodyOf, organization, randomName, type TestOrganization } from '../../../test/builders/records.ts';
import { project, workspace } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let owner: string;
beforeAll(async () => {
  acme = await organization(app);
  owner = acme.owner.token;
});

const create = (attributes: object = {}, relationships?: object, of = acme) =>
  app.post(
    `organizations/${of.name}/varsets`,
    of.owner.token,
    bodyOf('varsets', { name: randomName('set'), ...attributes }, relationships),
  );
const change = (id: string, attributes: object, relationships?: object) =>
  app.patch(`varsets/${id}`, owner, bodyOf('varsets', attributes, relationships));
const to = (type: string, ...ids: string[]) => ({ data: ids.map(id => ({ type, id })) });
const ids = ({ data }: Answer, name: string): string[] =>
  data.relationships[name].data.map(({ id }: { id: string }) => id);
const variable = (key: string, more: object = {}) => ({
  type: 'vars',
  attributes: { key, category: 'terraform', value: 'v', ...more },
});

describe('create and show', () => {
  test('§2.2 201 with a parent, empty lists and counts; show and list say the same', async () => {
    const made = await create({ name: 'shared credentials' }, { parent: { data: null } });
    expect([made.status, made.problems]).toEqual([201, []]);
    expect(made.data).toMatchObject({
      id: expect.stringMatching(/^varset-/),
      attributes: {
        name: 'shared credentials',
        description: '',
        global: false,
        priority: false,
        'var-count': 0,
        'workspace-count': 0,
        'project-count': 0,
      },
      relationships: {
        organization: { data: { type: 'organizations', id: acme.name } },
        parent: { data: { type: 'organizations', id: acme.name } },
        vars: { data: [] },
        workspaces: { data: [] },
        projects: { data: [] },
      },
    });
    expect((await app.get(`varsets/${made.data.id}`, owner)).data).toEqual(made.data);
    expect((await app.get(`organizations/${acme.name}/varsets?page[size]=100`, owner)).data).toContainEqual(made.data);
  });

  test('§2.2 what it applies to and its variables come with it, and are included', async () => {
    const [workspaceId, projectId] = [await workspace(app, acme), await project(app, acme)];
    const made = await create(
      { description: 'all of it', priority: true },
      {
        workspaces: to('workspaces', workspaceId),
        projects: to('projects', projectId),
        vars: { data: [variable('region'), variable('token', { sensitive: true, value: 'hush-embedded' })] },
      },
    );
    expect([ids(made, 'workspaces'), ids(made, 'projects')]).toEqual([[workspaceId], [projectId]]);
    expect(made.data.attributes).toMatchObject({ 'var-count': 2, 'workspace-count': 1, 'project-count': 1 });
    const shown = await app.get(`varsets/${made.data.id}?include=vars,workspaces,projects,parent,stacks`, owner);
    const types = shown.document.included.map(({ type }: { type: string }) => type);
    expect(types.sort()).toEqual(['organizations', 'projects', 'vars', 'vars', 'workspaces']);
    for (const { text } of [made, shown]) expect(text).not.toContain('hush');
    const events = await app.store.read`
      select audit_events.changes::text from audit_events where audit_events.resource_id = ${made.data.id}`;
    expect(events.length).toBe(1);
    expect(JSON.stringify(events)).not.toContain('hush');
  });

  test('§2.2 a project owns a set, which applies within it alone and never globally', async () => {
    const projectId = await project(app, acme);
    const parent = { data: { type: 'projects', id: projectId } };
    const [inside, outside] = [await workspace(app, acme, { project_id: projectId }), await workspace(app, acme)];
    const made = await create(
      {},
      { parent, workspaces: to('workspaces', inside), projects: to('projects', projectId) },
    );
    expect(made.data.relationships.parent.data).toEqual(parent.data);
    const refused = [
      await create({ global: true }, { parent }),
      await create({}, { parent, workspaces: to('workspaces', outside) }),
      await change(made.data.id, {}, { projects: to('projects', acme.projectId) }),
      await change(made.data.id, { global: true }),
      await change(made.data.id, {}, { parent: { data: { type: 'organizations', id: acme.name } } }),
    ];
    expect(refused.map(({ status, pointers }) => [status, pointers])).toEqual([
      [422, ['/data/attributes/global']],
      [422, ['/data/relationships/workspaces']],
      [422, ['/data/relationships/projects']],
      [422, ['/data/attributes/global']],
      [422, ['/data/relationships/parent']],
    ]);
    expect((await app.get(`varsets/${made.data.id}`, owner)).data).toEqual(made.data);
  });

  test('§7 a name is unique among the sets of its owner', async () => {
    const projectId = await project(app, acme);
    const parent = { data: { type: 'projects', id: projectId } };
    const { name } = (await create()).data.attributes;
    expect((await create({ name }, { parent })).status).toBe(201);
    for (const relationships of [{}, { parent }]) {
      const taken = await create({ name }, relationships);
      expect([taken.status, taken.pointers, taken.problems]).toEqual([
        422,
        ['/data/attributes/name'],
        ['Name has already been taken'],
      ]);
    }
  });

  test('§7 every fault of a body is told at once', async () => {
    const vars = { data: [{ type: 'vars', attributes: { category: 'shell' } }] };
    const workspaces = { data: 'all' };
    const answer = await create({ name: ' ', description: 'x'.repeat(513), global: 'yes' }, { vars, workspaces });
    expect(answer.status).toBe(422);
    expect(answer.pointers.sort()).toEqual([
      '/data/attributes/description',
      '/data/attributes/global',
      '/data/attributes/name',
      '/data/relationships/vars/data/0/attributes/category',
      '/data/relationships/vars/data/0/attributes/key',
      '/data/relationships/workspaces/data',
    ]);
    const unnamed = await app.post(`organizations/${acme.name}/varsets`, owner, bodyOf('varsets', {}));
    expect([unnamed.status, unnamed.pointers]).toEqual([422, ['/data/attributes/name']]);
  });
});

describe('update and delete', () => {
  test('§2.2 what is left out keeps its value; lists are replaced, variables added', async () => {
    const [one, two] = [await workspace(app, acme), await workspace(app, acme)];
    const made = await create(
      { description: 'first' },
      { workspaces: to('workspaces', one), vars: { data: [variable('a')] } },
    );
    const changed = await change(
      made.data.id,
      { priority: true },
      { workspaces: to('workspaces', two), vars: { data: [variable('b')] } },
    );
    expect(changed.data.attributes).toMatchObject({ description: 'first', priority: true, 'var-count': 2 });
    expect(ids(changed, 'workspaces')).toEqual([two]);
    expect(ids(await change(made.data.id, {}, { workspaces: to('workspaces') }), 'workspaces')).toEqual([]);
  });

  test('§2.2 a whole document that is sent back changes nothing but its time', async () => {
    const made = await create(
      {},
      { workspaces: to('workspaces', await workspace(app, acme)), vars: { data: [variable('a')] } },
    );
    const again = await app.patch(`varsets/${made.data.id}`, owner, { data: made.data });
    expect(again.status).toBe(200);
    expect(again.data).toEqual({
      ...made.data,
      attributes: { ...made.data.attributes, 'updated-at': again.data.attributes['updated-at'] },
    });
  });

  test('§2.2 a key comes once in a set, and once among the global sets of an organization', async () => {
    const home = await organization(app);
    const made = await create({ global: true }, { vars: { data: [variable('region')] } }, home);
    const other = await create({}, { vars: { data: [variable('region'), variable('zone')] } }, home);
    const as = (id: string, attributes: object, relationships?: object) =>
      app.patch(`varsets/${id}`, home.owner.token, bodyOf('varsets', attributes, relationships));
    const add = (id: string, key: string) =>
      app.post(`varsets/${id}/relationships/vars`, home.owner.token, { data: variable(key) });
    const refused = [
      await create({ global: true }, { vars: { data: [variable('region')] } }, home),
      await create({}, { vars: { data: [variable('twice'), variable('twice')] } }, home),
      await as(made.data.id, {}, { vars: { data: [variable('region')] } }),
      await as(other.data.id, { global: true }),
      await add(other.data.id, 'zone'),
    ];
    expect(refused.map(({ status, pointers }) => [status, pointers])).toEqual([
      [422, ['/data/relationships/vars/data/0/attributes/key']],
      [422, ['/data/relationships/vars/data/1/attributes/key']],
      [422, ['/data/relationships/vars/data/0/attributes/key']],
      [422, ['/data/attributes/global']],
      [422, ['/data/attributes/key']],
    ]);
    const third = await create({ global: true }, { vars: { data: [variable('region', { category: 'env' })] } }, home);
    expect(third.status).toBe(201);
    expect((await add(third.data.id, 'region')).problems).toEqual([
      'Key has already been taken in this category by another global variable set',
    ]);
    // Once it is global no more, its keys are free.
    expect((await as(made.data.id, { global: false })).status).toBe(200);
    expect((await add(third.data.id, 'region')).status).toBe(201);
    expect((await as(made.data.id, { global: true })).status).toBe(422);
  });

  test('§7 of 10 sets with one key that become global at once exactly one does', async () => {
    const home = await organization(app);
    const sets = await Promise.all(
      Array.from({ length: 10 }, () => create({}, { vars: { data: [variable('region')] } }, home)),
    );
    const answers = await Promise.all(
      sets.map(({ data }) => app.patch(`varsets/${data.id}`, home.owner.token, bodyOf('varsets', { global: true }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 422)]);
  });

  test('§2.2 a deleted set is missing, with its variables', async () => {
    const made = await create({}, { vars: { data: [variable('a')] } });
    expect((await app.delete(`varsets/${made.data.id}`, owner)).status).toBe(204);
    for (const path of ['', '/relationships/vars', `/relationships/vars/${ids(made, 'vars')[0]}`]) {
      expect((await app.get(`varsets/${made.data.id}${path}`, owner)).status).toBe(404);
    }
    const left = await app.store.read`select from variables where variables.id = ${ids(made, 'vars')[0]!}`;
    expect(left.length).toBe(0);
  });

  test('§2.2 a set survives its workspaces and projects, and goes with the project that owns it', async () => {
    const projectId = await project(app, acme);
    const workspaceId = await workspace(app, acme, { project_id: projectId });
    const places = { workspaces: to('workspaces', workspaceId), projects: to('projects', projectId) };
    const kept = await create({}, places);
    const gone = await create({}, { ...places, parent: { data: { type: 'projects', id: projectId } } });
    expect((await app.delete(`workspaces/${workspaceId}`, owner)).status).toBe(204);
    expect((await app.delete(`projects/${projectId}`, owner)).status).toBe(204);
    const left = await app.get(`varsets/${kept.data.id}`, owner);
    expect([ids(left, 'workspaces'), ids(left, 'projects')]).toEqual([[], []]);
    expect((await app.get(`varsets/${gone.data.id}`, owner)).status).toBe(404);
  });
});

describe('lists', () => {
  test('§1 by name, in pages, searched by a part of the name whatever its case', async () => {
    const home = await organization(app);
    for (const name of ['Alpha one', 'beta', 'alphabet', 'a%']) await create({ name }, undefined, home);
    const list = async (query: string) => {
      const answer = await app.get(`organizations/${home.name}/varsets?${query}`, home.owner.token);
      const names = answer.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name);
      return [names, answer.document.meta.pagination['total-count']];
    };
    expect((await list('q=ALPHA'))[0]).toHaveLength(2);
    expect(await list('q=%25')).toEqual([['a%'], 1]);
    expect(await list('page[size]=3&page[number]=9')).toEqual([[], 4]);
  });

  test('§2.2 of a workspace: global ones, those of its project and its own; of a project: global, applied and owned', async () => {
    const home = await organization(app);
    const projectId = await project(app, home);
    const workspaceId = await workspace(app, home, { project_id: projectId });
    const parent = { data: { type: 'projects', id: projectId } };
    await create({ name: 'global', global: true }, undefined, home);
    await create({ name: 'of the project' }, { projects: to('projects', projectId) }, home);
    await create({ name: 'of the workspace' }, { workspaces: to('workspaces', workspaceId) }, home);
    await create({ name: 'owned' }, { parent }, home);
    await create({ name: 'elsewhere' }, { projects: to('projects', home.projectId) }, home);
    const namesOf = async (path: string) =>
      (await app.get(`${path}/varsets`, home.owner.token)).data
        .map(({ attributes }: { attributes: { name: string } }) => attributes.name)
        .sort();
    expect(await namesOf(`workspaces/${workspaceId}`)).toEqual(['global', 'of the project', 'of the workspace']);
    expect(await namesOf(`projects/${projectId}`)).toEqual(['global', 'of the project', 'owned']);
  });
});
