/** §3 What a state may hold, over HTTP: hostile states are refused at their fault, and honest ones keep every digit. */
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { md5Of, nullProvider, stateClient, stateOf, transfer } from '../../../test/builders/state.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import { limits } from '../../core/limits.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

async function locked() {
  const id = await workspace(app, acme);
  const client = stateClient(app, id, acme.owner.token);
  await client.lock();
  return { id, ...client };
}

const block = (members: object) => ({
  mode: 'managed',
  type: 'null_resource',
  name: 'one',
  provider: nullProvider,
  ...members,
});
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const rowsOf = async (table: string) =>
  (await app.store.read`select count(*) as rows from ${app.store.read(table)}`)[0]!['rows'];

describe('a state that is refused', () => {
  const text = JSON.stringify;
  const cases: [string, string, string][] = [
    [
      'many types',
      text({ version: 4, resources: Array.from({ length: 10_000 }, (_, at) => block({ type: `t${at}` })) }),
      'resources[2000]',
    ],
    [
      'a module of brackets',
      text({ version: 4, resources: [block({ module: '['.repeat(100_000) })] }),
      'resources[0].module',
    ],
    ['an output of great depth', `{"version":4,"outputs":{"a":{"value":${nested(20_000)}}}}`, 'outputs.a.value'],
    [
      'an output type of great depth',
      `{"version":4,"outputs":{"a":{"type":${nested(20_000)},"value":1}}}`,
      'outputs.a.type',
    ],
    [
      'an instance of great depth',
      `{"version":4,"resources":[{"instances":[{"attributes":${nested(20_000)}}]}]}`,
      'resources[0].instances[0]',
    ],
    [
      'a type that is no text',
      text({ version: 4, resources: [block({ type: { toString: 1 } })] }),
      'resources[0].type',
    ],
    [
      'many outputs',
      text({
        version: 4,
        outputs: Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`o${at}`, { value: 1 }])),
      }),
      'outputs',
    ],
    ['a long lineage', text({ version: 4, lineage: 'x'.repeat(3_000_000) }), 'lineage'],
  ];
  test.each(cases)(
    '§4.4 %s → 422 that names the place, in the body and at the address, and nothing is left',
    async (_what, state, place) => {
      const client = await locked();
      const bytes = Buffer.from(state);
      const before = [await rowsOf('blobs'), await rowsOf('state_instances'), await rowsOf('state_version_outputs')];
      const inline = await client.push(bytes);
      expect([inline.status, inline.pointers]).toEqual([422, ['/data/attributes/state']]);
      expect(inline.problems[0]).toMatch(`State cannot be taken: ${place}`);
      const { data } = await client.announce(bytes);
      const sent = await transfer(app, 'PUT', data.attributes['hosted-state-upload-url'], bytes);
      expect([sent.status, sent.problems]).toEqual([422, inline.problems]);
      expect([await rowsOf('blobs'), await rowsOf('state_instances'), await rowsOf('state_version_outputs')]).toEqual(
        before,
      );
      expect((await client.current()).status).toBe(404);
    },
  );

  test('§4.4 what was written of a state before its fault came to light is gone', async () => {
    const client = await locked();
    const outputs = Object.fromEntries(
      Array.from({ length: 1200 }, (_, at) => [`o${at}`, { value: 'x'.repeat(2000), type: 'string' }]),
    );
    const many = Array.from({ length: 3000 }, (_, at) => ({ index_key: at }));
    const state = stateOf({ outputs, resources: [block({ instances: many }), block({ name: 5 })] });
    const before = [await rowsOf('blobs'), await rowsOf('state_instances'), await rowsOf('state_version_outputs')];
    const statements = await app.statementsOf(async () => expect((await client.push(state)).status).toBe(422));
    expect(statements.some(text => text.includes('insert into state_instances'))).toBe(true);
    expect([await rowsOf('blobs'), await rowsOf('state_instances'), await rowsOf('state_version_outputs')]).toEqual(
      before,
    );
  });
});

describe('a state that is taken', () => {
  test('§2.2 outputs keep every digit, and whatever else the client wrote', async () => {
    const client = await locked();
    const value = '{"big":12345678901234567891,"small":0.1234567890123456789,"odd":1e400,"text":"\\u0000\\ud800 é"}';
    const state = Buffer.from(
      `{"version":4,"serial":1,"outputs":{"n":{"value": ${value},"type":["object",{"big":"number"}]}}}`,
    );
    const { data } = await client.push(state);
    const listed = await app.get(`state-versions/${data.id}/outputs`, acme.owner.token);
    expect(listed.text).toContain(`"value":${value}`);
    const shown = await app.get(`state-version-outputs/${listed.data[0].id}`, acme.owner.token);
    expect(shown.text).toContain(`"value":${value}`);
    const included = await app.get(`workspaces/${client.id}?include=outputs`, acme.owner.token);
    expect(included.text).toContain(`"value":${value}`);
    expect(shown.data.attributes).toMatchObject({
      name: 'n',
      type: 'object',
      'detailed-type': ['object', { big: 'number' }],
    });
  });

  test('§5.4 which outputs there are is shown to who may read outputs alone', async () => {
    const client = await locked();
    await client.push(stateOf({ outputs: { a: { value: 1, type: 'number' } } }));
    const named = async (access: Parameters<typeof workspaceAccess>[3]) => {
      const teamId = await team(app, acme);
      await workspaceAccess(app, teamId, client.id, access);
      const { token } = await member(app, acme, teamId);
      const shown = await app.get(`workspaces/${client.id}?include=outputs`, token);
      return [shown.data.relationships.outputs.data.length, shown.document.included.length];
    };
    // In this order, since a server keeps what it has shown.
    expect(await named({ 'state-versions': 'read-outputs' })).toEqual([1, 1]);
    expect(await named({ 'state-versions': 'none' })).toEqual([0, 0]);
    expect(await named('read')).toEqual([1, 1]);
  });

  test('§2.2 documents name the first outputs of many, and their lists have all', async () => {
    const client = await locked();
    const outputs = Object.fromEntries(
      Array.from({ length: 600 }, (_, at) => [`o${at}`, { value: at, type: 'number' }]),
    );
    const { data } = await client.push(stateOf({ outputs }));
    const most = limits.relationshipOutputs_items.value;
    expect(data.relationships.outputs.data.length).toBe(most);
    expect((await client.workspace()).data.relationships.outputs.data.length).toBe(most);
    const list = await app.get(`state-versions/${data.id}/outputs`, acme.owner.token);
    expect(list.document.meta.pagination['total-count']).toBe(600);
  });

  test('§2.2 an instance that the state names twice is one resource, as it was named last', async () => {
    const client = await locked();
    const twice = (index: number) => ({ index_key: index % 1500, attributes: { round: index < 1500 ? 1 : 2 } });
    const resources = [block({ instances: Array.from({ length: 3000 }, (_, index) => twice(index)) })];
    expect((await client.push(stateOf({ resources }))).status).toBe(201);
    expect((await client.workspace()).data.attributes['resource-count']).toBe(1500);
    const same = [block({ instances: Array.from({ length: 1500 }, (_, index) => twice(index + 1500)) })];
    const next = await client.push(stateOf({ serial: 2, resources: same }), { serial: 2 });
    const { data } = await app.get(`workspaces/${client.id}/resources`, acme.owner.token);
    expect(data[0].attributes['modified-by-state-version-id']).not.toBe(next.data.id);
  });

  test('§3 the statements grow with the records by the batch, not one by one', async () => {
    const client = await locked();
    const count = async (serial: number, resources: number) => {
      const state = stateOf({ serial, resources });
      return (await app.statementsOf(() => client.push(state, { serial }))).length;
    };
    const few = await count(1, 10);
    expect(await count(2, 5000)).toBeLessThan(few + 15);
  });

  test('§3 what waits to become current goes once it is, and when it never does', async () => {
    const client = await locked();
    const upload = async (serial: number) => {
      const state = stateOf({ serial, resources: 3 });
      const { data } = await client.announce(state, { serial, md5: md5Of(state) });
      expect((await transfer(app, 'PUT', data.attributes['hosted-state-upload-url'], state)).status).toBe(200);
    };
    const before = await rowsOf('state_instances');
    await upload(1);
    await upload(2);
    expect(await rowsOf('state_instances')).toBe(before + 3);
    await client.unlock();
    expect(await rowsOf('state_instances')).toBe(before);
    expect((await client.workspace()).data.attributes['resource-count']).toBe(3);
  });
});
