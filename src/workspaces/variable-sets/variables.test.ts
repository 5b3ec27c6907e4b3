import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { project, setVariable, variableSet, workspace } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let owner: string;
let id: string;
beforeAll(async () => {
  acme = await organization(app);
  owner = acme.owner.token;
});
beforeEach(async () => {
  id = await variableSet(app, acme);
});

const create = (attributes: object) =>
  app.post(
    `varsets/${id}/relationships/vars`,
    owner,
    bodyOf('vars', { key: 'region', category: 'terraform', ...attributes }),
  );
const update = (variableId: string, attributes: object) =>
  app.patch(`varsets/${id}/relationships/vars/${variableId}`, owner, bodyOf('vars', attributes));

describe('variables of a set', () => {
  test('§2.2 a variable is created, shown, listed and named in the document of its set', async () => {
    const created = await create({ value: 'eu-1', description: 'where', hcl: true });
    expect(created.status).toBe(201);
    const { relationships, links, attributes } = created.data;
    expect(attributes).toMatchObject({
      key: 'region',
      value: 'eu-1',
      hcl: true,
      sensitive: false,
      description: 'where',
    });
    expect(relationships).toEqual({
      varset: { data: { id, type: 'varsets' }, links: { related: `/api/v2/varsets/${id}` } },
    });
    expect((await app.get(links.self, owner)).data).toEqual(created.data);
    expect((await app.get(`varsets/${id}/relationships/vars`, owner)).document).toEqual({ data: [created.data] });
    const shown = await app.get(`varsets/${id}?include=vars`, owner);
    expect(shown.document.included).toEqual([created.data]);
  });

  test('§2.2 every update makes a new version; a value that is left out stays', async () => {
    const created = await create({ value: 'eu' });
    const updated = await update(created.data.id, { key: 'zone', hcl: true });
    expect(updated.data.attributes).toMatchObject({ key: 'zone', hcl: true, value: 'eu' });
    expect(updated.data.attributes['version-id']).not.toBe(created.data.attributes['version-id']);
  });

  test('§2.2 a sensitive value never comes out, is sealed in the database, and stays sensitive', async () => {
    const created = await create({ value: 'hush-set' });
    const hidden = await update(created.data.id, { sensitive: true });
    expect(hidden.data.attributes).toMatchObject({ value: null, sensitive: true });
    const renamed = await update(created.data.id, { key: 'zone' });
    const [stored] = await app.store.read`select * from variables where id = ${created.data.id}`;
    expect([stored!['value'], stored!['sealed_value'].toString('latin1').includes('hush')]).toEqual([null, false]);
    const all = await app.get(`varsets/${id}?include=vars`, owner);
    for (const { text } of [hidden, renamed, all]) expect(text).not.toContain('hush');
    const refused = await update(created.data.id, { sensitive: false });
    expect([refused.status, refused.pointers]).toEqual([422, ['/data/attributes/sensitive']]);
  });

  test('§7 a key is unique in its category of a set, and free in another set and in a workspace', async () => {
    const first = await create({});
    expect((await create({ category: 'env' })).status).toBe(201);
    const again = await create({});
    expect([again.status, again.pointers, again.problems]).toEqual([
      422,
      ['/data/attributes/key'],
      ['Key has already been taken in this category'],
    ]);
    const second = await create({ key: 'zone' });
    expect((await update(second.data.id, { key: 'region' })).status).toBe(422);
    const workspaceId = await workspace(app, acme);
    const body = bodyOf('vars', { key: 'region', category: 'terraform' });
    expect((await app.post(`workspaces/${workspaceId}/vars`, owner, body)).status).toBe(201);
    id = await variableSet(app, acme);
    expect((await create({})).status).toBe(201);
    // Under the address of another set, of a workspace, or once deleted it is missing.
    for (const path of [`varsets/${id}/relationships/vars`, `workspaces/${workspaceId}/vars`]) {
      expect((await app.get(`${path}/${first.data.id}`, owner)).status).toBe(404);
    }
    const { self } = first.data.links;
    expect([(await app.delete(self, owner)).status, (await app.delete(self, owner)).status]).toEqual([204, 404]);
  });

  test('§7 of 20 writers of one key at once exactly one makes it', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, number) => create({ value: String(number) })));
    const made = answers.filter(({ status }) => status === 201);
    expect([made.length, answers.filter(({ status }) => status === 422).length]).toEqual([1, 19]);
    expect((await app.get(`varsets/${id}/relationships/vars`, owner)).data).toEqual([made[0]!.data]);
  });

  test('§7 of 20 writers of one key in as many global sets exactly one makes it', async () => {
    const home = await organization(app);
    const sets = await Promise.all(Array.from({ length: 20 }, () => variableSet(app, home, { global: true })));
    const body = bodyOf('vars', { key: 'region', category: 'terraform' });
    const answers = await Promise.all(
      sets.map(set => app.post(`varsets/${set}/relationships/vars`, home.owner.token, body)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 422)]);
  });
});

describe('all variables of a workspace', () => {
  test('§2.2 of each key the one that prevails: priority, workspace, project, global', async () => {
    const home = await organization(app);
    const projectId = await project(app, home);
    const workspaceId = await workspace(app, home, { project_id: projectId });
    const everywhere = await variableSet(app, home, { global: true });
    const inProject = await variableSet(app, home, {}, { projects: [projectId] });
    const first = await variableSet(app, home, { name: 'A' }, { workspaces: [workspaceId] });
    const second = await variableSet(app, home, { name: 'B' }, { workspaces: [workspaceId] });
    const strong = await variableSet(app, home, { priority: true }, { projects: [projectId] });
    const elsewhere = await variableSet(app, home, { priority: true }, { projects: [home.projectId] });
    const keys: [string, ...string[]][] = [
      [everywhere, 'global', 'project', 'named', 'own', 'forced'],
      [inProject, 'project', 'named', 'own', 'forced'],
      [second, 'named', 'own', 'forced'],
      [first, 'named', 'own', 'forced'],
      [strong, 'forced'],
      [elsewhere, 'global', 'project', 'named', 'own', 'forced'],
    ];
    const made = new Map<string, string>();
    for (const [set, ...named] of keys) {
      for (const key of named) made.set(`${set} ${key}`, await setVariable(app, home, set, { key }));
    }
    const own: Record<string, string> = {};
    for (const key of ['own', 'forced']) {
      const body = bodyOf('vars', { key, category: 'terraform' });
      own[key] = (await app.post(`workspaces/${workspaceId}/vars`, home.owner.token, body)).data.id;
    }
    const answer = await app.get(`workspaces/${workspaceId}/all-vars`, home.owner.token);
    const found = answer.data.map((one: { id: string; attributes: { key: string } }) => [one.attributes.key, one.id]);
    expect(Object.fromEntries(found)).toEqual({
      global: made.get(`${everywhere} global`),
      project: made.get(`${inProject} project`),
      named: made.get(`${first} named`),
      own: own['own'],
      forced: made.get(`${strong} forced`),
    });
    expect(found).toHaveLength(5);
    const listed = await app.get(`workspaces/${workspaceId}/vars`, home.owner.token);
    expect(listed.data.map((one: { id: string }) => one.id)).toEqual([own['own'], own['forced']]);
  });

  test("§2.2 a project's set has no effect on a workspace that left the project, and has it again on its return", async () => {
    const home = await organization(app);
    const projectId = await project(app, home);
    const workspaceId = await workspace(app, home, { project_id: projectId });
    const set = await variableSet(app, home, { project_id: projectId }, { workspaces: [workspaceId] });
    await setVariable(app, home, set, { key: 'region' });
    const move = (to: string) =>
      app.post(`projects/${to}/relationships/workspaces`, home.owner.token, {
        data: [{ type: 'workspaces', id: workspaceId }],
      });
    const seen = async () => [
      (await app.get(`workspaces/${workspaceId}/all-vars`, home.owner.token)).data.length,
      (await app.get(`workspaces/${workspaceId}/varsets`, home.owner.token)).data.length,
      (await app.get(`varsets/${set}`, home.owner.token)).data.attributes['workspace-count'],
    ];
    expect(await seen()).toEqual([1, 1, 1]);
    await move(home.projectId);
    expect(await seen()).toEqual([0, 0, 0]);
    await move(projectId);
    expect(await seen()).toEqual([1, 1, 1]);
  });
});
