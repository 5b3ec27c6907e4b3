import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { agentPool, project, projectAccess, workspace } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let globex: TestOrganization;
let owner: string;
beforeAll(async () => {
  acme = await organization(app);
  globex = await organization(app);
  owner = acme.owner.token;
});

const create = (attributes: object, relationships?: object, token = owner) =>
  app.post(`organizations/${acme.name}/projects`, token, bodyOf('projects', attributes, relationships));
const change = (id: string, attributes: object, relationships?: object, token = owner) =>
  app.patch(`projects/${id}`, token, bodyOf('projects', attributes, relationships));
const bindings = (...pairs: [string, string?][]) => ({
  'tag-bindings': { data: pairs.map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } })) },
});
const bindingsOf = (id: string) => app.store.read`
  select project_tag_bindings.id, project_tag_bindings.key, project_tag_bindings.value from project_tag_bindings
  where project_tag_bindings.project_id = ${id} order by project_tag_bindings.key`;

describe('create', () => {
  test('201, with everything that show and list say', async () => {
    const answer = await create({
      name: 'Network team',
      description: 'Routers',
      'auto-destroy-activity-duration': '14d',
    });
    expect([answer.status, answer.problems]).toEqual([201, []]);
    expect(answer.data).toMatchObject({
      type: 'projects',
      id: expect.stringMatching(/^prj-/),
      attributes: {
        name: 'Network team',
        description: 'Routers',
        'auto-destroy-activity-duration': '14d',
        'default-execution-mode': 'remote',
        'default-agent-pool-id': null,
        'setting-overwrites': {
          'execution-mode': false,
          'agent-pool': false,
          'default-execution-mode': false,
          'default-agent-pool': false,
        },
        'is-unified': false,
        'workspace-count': 0,
        'team-count': 0,
        permissions: { 'can-read': true, 'can-update': true, 'can-destroy': true, 'can-create-workspace': true },
      },
      relationships: {
        organization: { data: { type: 'organizations', id: acme.name } },
        'default-agent-pool': { data: null },
        'tag-bindings': { links: { related: `/api/v2/projects/${answer.data.id}/tag-bindings` } },
      },
    });
    const shown = await app.get(`projects/${answer.data.id}`, owner);
    expect(shown.data).toEqual(answer.data);
    const list = await app.get(`organizations/${acme.name}/projects?filter[names]=network team`, owner);
    expect(list.data).toEqual([answer.data]);
  });

  test.each(['ab', 'a'.repeat(41), ' abc', 'abc ', 'a/bc', 'äbc', 'abc\n', ''])(
    'the name %j is refused',
    async name => {
      const answer = await create({ name });
      expect([answer.status, answer.pointers]).toEqual([422, ['/data/attributes/name']]);
      expect(answer.problems[0]).toContain('Name may only contain');
    },
  );

  test.each(['abc', 'a'.repeat(40), 'A 1_-z', '---'])('the name %j is taken', async name => {
    expect((await create({ name })).status).toBe(201);
  });

  test('a name that is taken is refused, in the same organization only', async () => {
    await project(app, acme, { name: 'Taken' });
    const answer = await create({ name: 'Taken' });
    expect([answer.status, answer.problems, answer.pointers]).toEqual([
      422,
      ['Name has already been taken'],
      ['/data/attributes/name'],
    ]);
    await project(app, globex, { name: 'Elsewhere' });
    expect((await create({ name: 'Elsewhere' })).status).toBe(201);
  });

  test('every fault of a body is told at once, and nothing is made', async () => {
    const answer = await create(
      {
        name: '!',
        description: 'd'.repeat(257),
        'auto-destroy-activity-duration': '20m',
        'default-execution-mode': 'agent',
      },
      bindings(['hc:a'], ['b'], ['b']),
    );
    expect(answer.status).toBe(422);
    expect(answer.pointers).toEqual([
      '/data/attributes/name',
      '/data/attributes/description',
      '/data/attributes/auto-destroy-activity-duration',
      '/data/attributes/default-agent-pool-id',
      '/data/relationships/tag-bindings/data/0/attributes/key',
      '/data/relationships/tag-bindings/data/2/attributes/key',
    ]);
    expect(answer.problems).toContain(
      "Auto destroy activity duration has an incorrect format, we expect up to 4 numeric digits and 1 unit ('d' or 'h')",
    );
  });

  test('the name is needed', async () => {
    const answer = await create({});
    expect([answer.status, answer.problems]).toEqual([422, ["Name can't be blank"]]);
  });

  test('bindings of the body are stored', async () => {
    const answer = await create({ name: 'Tagged' }, bindings(['env', 'prod'], ['only-key']));
    expect(await bindingsOf(answer.data.id)).toMatchObject([
      { key: 'env', value: 'prod' },
      { key: 'only-key', value: '' },
    ]);
  });

  test('§8 tag-bindings/direct: eleven are refused', async () => {
    const eleven = Array.from({ length: 11 }, (_, number): [string] => [`k${number}`]);
    const answer = await create({ name: 'Too many' }, bindings(...eleven));
    expect([answer.status, answer.problems]).toEqual([422, ['cannot exceed 10 bindings per resource']]);
  });
});

describe('execution mode', () => {
  test('§4.2 a project follows its organization until it has a mode of its own', async () => {
    const home = await organization(app);
    const pool = await agentPool(app, home);
    await app.store.read`
      update organizations
      set default_execution_mode = 'agent', default_agent_pool_id = ${pool}, revision = default
      where organizations.id = ${home.key}`;
    const path = `organizations/${home.name}/projects`;
    const overwrites = { 'default-execution-mode': false, 'default-agent-pool': false };
    const body = bodyOf('projects', { name: 'Follower', 'setting-overwrites': overwrites });
    const made = await app.post(path, home.owner.token, body);
    expect(made.data.attributes['default-execution-mode']).toBe('agent');
    expect(made.data.relationships['default-agent-pool'].data).toEqual({ type: 'agent-pools', id: pool });
    const local = await change(made.data.id, { 'default-execution-mode': 'local' }, undefined, home.owner.token);
    expect(local.data.attributes).toMatchObject({
      'default-execution-mode': 'local',
      'setting-overwrites': { 'execution-mode': true, 'default-agent-pool': true },
    });
    expect(local.data.relationships['default-agent-pool'].data).toBeNull();
    const back = await change(made.data.id, { 'setting-overwrites': overwrites }, undefined, home.owner.token);
    expect(back.data).toEqual(made.data);
  });

  test('§4.2 the pool is named by attribute or by relationship, and another mode clears it', async () => {
    const pool = await agentPool(app, acme);
    const made = await create({ name: 'Agents', 'default-execution-mode': 'agent', 'default-agent-pool-id': pool });
    expect(made.data.relationships['default-agent-pool'].data.id).toBe(pool);
    const other = await agentPool(app, acme);
    const changed = await change(
      made.data.id,
      {},
      { 'default-agent-pool': { data: { type: 'agent-pools', id: other } } },
    );
    expect(changed.data.attributes['default-agent-pool-id']).toBe(other);
    const remote = await change(made.data.id, { 'default-execution-mode': 'remote' });
    expect([remote.data.attributes['default-agent-pool-id'], remote.data.attributes['default-execution-mode']]).toEqual(
      [null, 'remote'],
    );
  });

  test('a whole document sent back changes nothing', async () => {
    const pool = await agentPool(app, acme);
    const made = await create({ name: 'Round trip', 'default-execution-mode': 'agent', 'default-agent-pool-id': pool });
    const back = await app.patch(`projects/${made.data.id}`, owner, { data: made.data });
    expect([back.status, back.data]).toEqual([200, made.data]);
    const follower = await create({ name: 'Follower' });
    const same = await app.patch(`projects/${follower.data.id}`, owner, { data: follower.data });
    expect([same.status, same.data]).toEqual([200, follower.data]);
  });

  test('an agent pool of another organization does not exist here', async () => {
    const foreign = await agentPool(app, globex);
    const given = { 'default-execution-mode': 'agent', 'default-agent-pool-id': foreign };
    const answer = await create({ name: 'Foreign pool', ...given });
    expect([answer.status, answer.pointers]).toEqual([422, ['/data/attributes/default-agent-pool-id']]);
    const missing = await create({ name: 'Foreign pool', ...given, 'default-agent-pool-id': 'apool-missing' });
    expect(missing.problems).toEqual(answer.problems);
  });
});

describe('update', () => {
  test('what is left out keeps its value; null clears', async () => {
    const made = await create({ name: 'Partly', description: 'Before', 'auto-destroy-activity-duration': '2h' });
    const renamed = await change(made.data.id, { name: 'Partly new' });
    expect(renamed.data).toEqual({ ...made.data, attributes: { ...made.data.attributes, name: 'Partly new' } });
    const cleared = await change(made.data.id, { description: null, 'auto-destroy-activity-duration': null });
    expect(cleared.data.attributes).toMatchObject({ description: null, 'auto-destroy-activity-duration': null });
  });

  test('bindings of the body replace those there are; [] clears; none leaves them', async () => {
    const made = await create({ name: 'Bound' }, bindings(['a', '1'], ['b', '2']));
    const before = await bindingsOf(made.data.id);
    await change(made.data.id, {}, bindings(['b', '3'], ['c', '4']));
    const after = await bindingsOf(made.data.id);
    expect(after).toMatchObject([
      { id: before[1]!['id'], key: 'b', value: '3' },
      { key: 'c', value: '4' },
    ]);
    await change(made.data.id, { description: 'no bindings' });
    expect(await bindingsOf(made.data.id)).toEqual(after);
    await change(made.data.id, {}, { 'tag-bindings': { data: [] } });
    expect(await bindingsOf(made.data.id)).toEqual([]);
  });

  test('a refused update changes nothing', async () => {
    const made = await create({ name: 'Steady' }, bindings(['a']));
    const answer = await change(made.data.id, { name: 'x', description: 'changed' }, bindings(['b']));
    expect(answer.status).toBe(422);
    expect((await app.get(`projects/${made.data.id}`, owner)).data).toEqual(made.data);
    expect(await bindingsOf(made.data.id)).toMatchObject([{ key: 'a' }]);
  });
});

describe('delete', () => {
  test('204, and its bindings and access go with it', async () => {
    const made = await create({ name: 'Short lived' }, bindings(['a']));
    const readers = await team(app, acme);
    await projectAccess(app, readers, made.data.id, 'read');
    expect((await app.delete(`projects/${made.data.id}`, owner)).status).toBe(204);
    expect((await app.get(`projects/${made.data.id}`, owner)).status).toBe(404);
    expect(await bindingsOf(made.data.id)).toEqual([]);
  });

  test('the default project stays', async () => {
    const answer = await app.delete(`projects/${acme.projectId}`, owner);
    expect([answer.status, answer.problems]).toEqual([
      422,
      ['The default project of an organization cannot be deleted.'],
    ]);
    const shown = await app.get(`projects/${acme.projectId}`, owner);
    expect(shown.data.attributes.permissions['can-destroy']).toBe(false);
  });

  test('a project with workspaces stays', async () => {
    const full = await project(app, acme);
    await workspace(app, acme, { project_id: full });
    const answer = await app.delete(`projects/${full}`, owner);
    expect([answer.status, answer.problems[0]]).toEqual([422, expect.stringContaining('still has workspaces')]);
    expect((await app.get(`projects/${full}`, owner)).data.attributes['workspace-count']).toBe(1);
  });
});
