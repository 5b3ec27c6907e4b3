import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { nullProvider, stateClient, stateOf, transfer } from '../../../test/builders/state.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

/** A workspace, locked by the owner, with a state for each of the given ones. */
async function holding(...states: Buffer[]) {
  const id = await workspace(app, acme);
  const client = stateClient(app, id, acme.owner.token);
  await client.lock();
  const versions = [];
  for (const [index, state] of states.entries()) versions.push((await client.push(state, { serial: index + 1 })).data);
  return { id, ...client, versions };
}

/** Someone whose team has this access to the workspace. */
async function someoneWith(workspaceId: string, access: Parameters<typeof workspaceAccess>[3]): Promise<string> {
  const teamId = await team(app, acme);
  await workspaceAccess(app, teamId, workspaceId, access);
  return (await member(app, acme, teamId)).token;
}

const nameOf = async (id: string) => (await app.get(`workspaces/${id}`, acme.owner.token)).data.attributes.name;

describe('state versions', () => {
  test('§2.2 the list has those of one workspace, newest first, page by page', async () => {
    const { id, versions, announce } = await holding(stateOf(), stateOf({ serial: 2 }), stateOf({ serial: 3 }));
    const pending = (await announce(stateOf({ serial: 4 }), { serial: 4 })).data;
    const base = `state-versions?filter[organization][name]=${acme.name}&filter[workspace][name]=${await nameOf(id)}`;
    const all = await app.get(base, acme.owner.token);
    const ids = [...versions.map(version => version.id), pending.id].reverse();
    expect(all.data.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(all.data[1]).toEqual((await app.get(`state-versions/${ids[1]}`, acme.owner.token)).data);
    const page = await app.get(`${base}&page[size]=2&page[number]=2`, acme.owner.token);
    expect(page.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect(page.document.meta.pagination).toMatchObject({ 'total-count': 4, 'total-pages': 2 });
    const final = await app.get(`${base}&filter[status]=finalized`, acme.owner.token);
    expect(final.document.meta.pagination['total-count']).toBe(3);
    const beyond = await app.get(`${base}&page[number]=9`, acme.owner.token);
    expect([beyond.data, beyond.document.meta.pagination['total-count']]).toEqual([[], 4]);
  });

  test('§2.2 the list needs both names, and a status that there is → 400 at the parameter', async () => {
    const { id } = await holding();
    const organizationName = `filter[organization][name]=${acme.name}`;
    const asks: [string, string[]][] = [
      ['state-versions', ['filter[organization][name]', 'filter[workspace][name]']],
      [`state-versions?${organizationName}`, ['filter[workspace][name]']],
      [
        `state-versions?${organizationName}&filter[workspace][name]=${await nameOf(id)}&filter[status]=lost`,
        ['filter[status]'],
      ],
    ];
    for (const [path, parameters] of asks) {
      const answer = await app.get(path, acme.owner.token);
      expect([answer.status, answer.pointers]).toEqual([400, parameters]);
    }
  });

  test('§5.5 whoever may not read state gets 404 for one, the current one, the list and the resources', async () => {
    const { id, versions } = await holding(stateOf());
    const token = await someoneWith(id, { 'state-versions': 'read-outputs' });
    const list = `state-versions?filter[organization][name]=${acme.name}&filter[workspace][name]=${await nameOf(id)}`;
    for (const path of [
      `state-versions/${versions[0].id}`,
      `workspaces/${id}/current-state-version`,
      `workspaces/${id}/resources`,
      list,
    ]) {
      expect((await app.get(path, token)).status).toBe(404);
    }
    const included = await app.get(`workspaces/${id}?include=current_state_version,outputs`, token);
    expect(included.document.included).toEqual([]);
  });

  test('§4.3 include brings outputs, the creator, the workspace, and the version of a workspace', async () => {
    const { id, versions } = await holding(stateOf({ outputs: { a: { value: 1, type: 'number' } } }));
    const one = await app.get(
      `state-versions/${versions[0].id}?include=outputs,created_by,workspace,run`,
      acme.owner.token,
    );
    const types = one.document.included.map(({ type }: { type: string }) => type).sort();
    expect(types).toEqual(['state-version-outputs', 'users', 'workspaces']);
    const shown = await app.get(`workspaces/${id}?include=current-state-version`, acme.owner.token);
    expect(shown.document.included).toEqual([versions[0]]);
    expect((await app.get(`state-versions/${versions[0].id}?include=nothing`, acme.owner.token)).status).toBe(400);
  });
});

describe('outputs', () => {
  const outputs = {
    address: { value: '10.0.0.1', type: 'string' },
    key: { value: 'secret', type: 'string', sensitive: true },
    zones: { value: ['a', 'b'], type: ['list', 'string'] },
  };
  // biome-ignore lint/suspicious/noExplicitAny: documents of every shape.
  const values = (data: any[]) => Object.fromEntries(data.map(({ attributes }) => [attributes.name, attributes.value]));

  test('§2.2 those of the current version hide sensitive values from everyone', async () => {
    const { id } = await holding(stateOf({ outputs }));
    const answer = await app.get(`workspaces/${id}/current-state-version-outputs`, acme.owner.token);
    expect(values(answer.data)).toEqual({ address: '10.0.0.1', key: null, zones: ['a', 'b'] });
    expect(answer.data[2].attributes).toEqual({
      name: 'zones',
      sensitive: false,
      type: 'array',
      'detailed-type': ['list', 'string'],
      value: ['a', 'b'],
    });
    const empty = await holding();
    expect((await app.get(`workspaces/${empty.id}/current-state-version-outputs`, acme.owner.token)).data).toEqual([]);
  });

  test('§5.4 one by one, and of a version, a sensitive value shows to who reads state and to nobody else', async () => {
    const { id, versions } = await holding(stateOf({ outputs }));
    const list = await app.get(`state-versions/${versions[0].id}/outputs`, acme.owner.token);
    expect(values(list.data)).toEqual({ address: '10.0.0.1', key: 'secret', zones: ['a', 'b'] });
    const key = list.data.find(({ attributes }: { attributes: { name: string } }) => attributes.name === 'key').id;
    const reader = await someoneWith(id, { 'state-versions': 'read-outputs' });
    const shown = async (token: string) => (await app.get(`state-version-outputs/${key}`, token)).data.attributes.value;
    expect([await shown(acme.owner.token), await shown(reader)]).toEqual(['secret', null]);
    expect(values((await app.get(`state-versions/${versions[0].id}/outputs`, reader)).data)['key']).toBeNull();
    const stranger = await someoneWith(id, { 'state-versions': 'none' });
    for (const path of [`state-version-outputs/${key}`, `workspaces/${id}/current-state-version-outputs`]) {
      expect((await app.get(path, stranger)).status).toBe(404);
    }
  });

  test('§4.3 include=outputs of a workspace brings them, sensitive ones without their value', async () => {
    const { id } = await holding(stateOf({ outputs }));
    const answer = await app.get(`workspaces/${id}?include=outputs`, acme.owner.token);
    expect(answer.data.relationships.outputs.data).toHaveLength(3);
    expect(values(answer.document.included)).toEqual({ address: '10.0.0.1', key: null, zones: ['a', 'b'] });
    expect(answer.document.included[0]).toMatchObject({
      type: 'workspace-outputs',
      attributes: { 'output-type': expect.any(String) },
    });
  });
});

describe('resources', () => {
  const block = (name: string, id: string) => ({
    mode: 'managed',
    type: 'null_resource',
    name,
    provider: nullProvider,
    instances: [{ attributes: { id } }],
  });

  test('§2.2 those of the current version; one keeps its id, and who modified it is said', async () => {
    const { id, versions, push } = await holding(
      stateOf({ resources: [block('kept', '1'), block('changed', '1'), block('gone', '1')] }),
    );
    const list = async () => (await app.get(`workspaces/${id}/resources`, acme.owner.token)).data;
    const before = await list();
    // biome-ignore lint/suspicious/noExplicitAny: documents of every shape.
    const namesOf = (data: any[]) => data.map(({ attributes }) => attributes.name);
    expect(namesOf(before)).toEqual(['changed', 'gone', 'kept']);
    expect(before[0]).toEqual({
      id: expect.stringMatching(/^wsr-/),
      type: 'resources',
      attributes: {
        address: 'null_resource.changed',
        name: 'changed',
        'name-index': null,
        module: 'root',
        provider: 'hashicorp/null',
        'provider-type': 'null_resource',
        'modified-by-state-version-id': versions[0].id,
        'created-at': expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        'updated-at': expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      },
    });
    const next = await push(
      stateOf({ serial: 2, resources: [block('kept', '1'), block('changed', '2'), block('new', '1')] }),
      {
        serial: 2,
      },
    );
    const after = await list();
    expect(namesOf(after)).toEqual(['changed', 'kept', 'new']);
    expect([after[0].id, after[1].id]).toEqual([before[0].id, before[2].id]);
    // biome-ignore lint/suspicious/noExplicitAny: documents of every shape.
    const modifiers = after.map(({ attributes }: any) => attributes['modified-by-state-version-id']);
    expect(modifiers).toEqual([next.data.id, versions[0].id, next.data.id]);
  });
});

describe('rollback', () => {
  const back = (id: string, to: string) =>
    app.patch(`workspaces/${id}/state-versions`, acme.owner.token, {
      data: {
        ...bodyOf('state-versions', {}).data,
        relationships: { 'rollback-state-version': { data: { type: 'state-versions', id: to } } },
      },
    });

  test('§3 a former version is written again, is current at once, and the next one follows on it', async () => {
    const first = stateOf({ resources: 2 });
    const {
      id,
      versions,
      push,
      current,
      workspace: shown,
    } = await holding(first, stateOf({ serial: 2 }), stateOf({ serial: 3 }));
    const answer = await back(id, versions[0].id);
    expect(answer.status).toBe(201);
    expect(answer.data.id).not.toBe(versions[0].id);
    expect((await current()).data).toEqual(answer.data);
    expect(answer.data.attributes).toMatchObject({
      serial: 1,
      status: 'finalized',
      intermediate: false,
      'hosted-json-state-upload-url': null,
    });
    expect((await shown()).data.attributes['resource-count']).toBe(2);
    const download = await transfer(app, 'GET', answer.data.attributes['hosted-state-download-url']);
    expect(download.bytes.equals(first)).toBe(true);
    expect((await push(stateOf({ serial: 2 }), { serial: 2 })).status).toBe(201);
  });

  test('§3 of an open workspace → 409; to a version of another workspace, a pending or a missing one → 422', async () => {
    const { id, versions, announce, unlock } = await holding(stateOf());
    const other = await holding(stateOf());
    const pending = (await announce(stateOf({ serial: 2 }), { serial: 2 })).data;
    for (const to of [other.versions[0].id, pending.id, 'sv-0000000000000000']) {
      const answer = await back(id, to);
      expect([answer.status, answer.pointers]).toEqual([422, ['/data/relationships/rollback-state-version']]);
    }
    const without = await app.patch(`workspaces/${id}/state-versions`, acme.owner.token, bodyOf('state-versions', {}));
    expect([without.status, without.pointers]).toEqual([422, ['/data/relationships/rollback-state-version']]);
    await app.post(`workspaces/${id}/actions/force-unlock`, acme.owner.token);
    expect((await back(id, versions[0].id)).status).toBe(409);
    expect((await unlock()).status).toBe(409);
  });

  test('§3 of a copy that was made for a body that is refused nothing stays', async () => {
    const { id, versions } = await holding(stateOf());
    const contents = async () => (await app.store.read`select from blobs where blobs.workspace_id = ${id}`).length;
    const before = await contents();
    const answer = await app.patch(`workspaces/${id}/state-versions`, acme.owner.token, {
      data: {
        type: 'workspaces',
        relationships: { 'rollback-state-version': { data: { type: 'state-versions', id: versions[0].id } } },
      },
    });
    expect([answer.status, answer.pointers, await contents()]).toEqual([422, ['/data/type'], before]);
  });
});

describe('backing data', () => {
  const act = (name: string, id: string, token = acme.owner.token) =>
    app.post(`state-versions/${id}/actions/${name}_backing_data`, token);
  const download = async (address: string) => (await transfer(app, 'GET', address)).status;

  test('§9 is hidden, comes back, and goes for good; then nothing is allowed any more', async () => {
    const { versions } = await holding(
      stateOf({ outputs: { a: { value: 1, type: 'number' } } }),
      stateOf({ serial: 2 }),
    );
    const { id, attributes } = versions[0];
    const address = attributes['hosted-state-download-url'];
    expect((await act('restore', id)).status).toBe(400);
    expect((await act('permanently_delete', id)).status).toBe(400);
    expect([(await act('soft_delete', id)).status, await download(address)]).toEqual([204, 404]);
    expect((await app.get(`state-versions/${id}`, acme.owner.token)).data.attributes).toMatchObject({
      status: 'backing_data_soft_deleted',
      'hosted-state-download-url': null,
    });
    expect([(await act('restore', id)).status, await download(address)]).toEqual([204, 200]);
    await act('soft_delete', id);
    expect([(await act('permanently_delete', id)).status, await download(address)]).toEqual([204, 404]);
    for (const name of ['restore', 'soft_delete', 'permanently_delete']) {
      const answer = await act(name, id);
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('transition not allowed')]);
    }
    expect((await app.get(`state-versions/${id}/outputs`, acme.owner.token)).data).toEqual([]);
    expect(
      await app.store
        .read`select from blobs where blobs.id not in (select blob_id from state_versions where blob_id is not null)`,
    ).toEqual([]);
  });

  test('§9 what goes for good is there no more: neither the state nor its documented form', async () => {
    const { id, push } = await holding();
    const json = Buffer.from('{"format_version":"1.0"}').toString('base64');
    const { data } = await push(stateOf(), { 'json-state': json });
    await push(stateOf({ serial: 2 }), { serial: 2 });
    const contents = async () => (await app.store.read`select from blobs where blobs.workspace_id = ${id}`).length;
    expect(await contents()).toBe(3);
    await act('soft_delete', data.id);
    expect(await contents()).toBe(3);
    await act('permanently_delete', data.id);
    expect(await contents()).toBe(1);
  });

  test('§9 of the current version stays; §5.4 it takes an admin of the workspace', async () => {
    const { id, versions } = await holding(stateOf(), stateOf({ serial: 2 }));
    const refused = await act('soft_delete', versions[1].id);
    expect([refused.status, refused.problems]).toEqual([
      400,
      ['transition not allowed: it is the current state of the workspace'],
    ]);
    const wrong = await act('restore', versions[0].id);
    expect(wrong.problems).toEqual([
      'transition not allowed: the state version is finalized, not backing_data_soft_deleted',
    ]);
    expect((await act('soft_delete', versions[0].id, await someoneWith(id, 'write'))).status).toBe(404);
  });
});
