/** §2.2 The resources of a large state become those of its workspace behind the answer, whoever ends in the middle. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { pepper, type TestApp } from '../../../test/app.ts';
import { organization, type TestOrganization } from '../../../test/builders/records.ts';
import { md5Of, nullProvider, stateClient, stateOf, transfer, versionBody } from '../../../test/builders/state.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { createDatabase, createDirectory, reachableUrl } from '../../../test/running/database.ts';
import { openPair, type Pair } from '../../../test/running/pair.ts';
import { startServer } from '../../../test/running/server.ts';
import { openStore } from '../../core/store/store.ts';
import { finishResources } from '../workspaces/current-resources.ts';

let pair: Pair;
let app: TestApp;
let acme: TestOrganization;
beforeAll(async () => {
  pair = await openPair();
  app = pair.one;
  acme = await organization(app);
});
afterAll(() => pair.close());

async function locked() {
  const id = await workspace(app, acme);
  const client = stateClient(app, id, acme.owner.token);
  await client.lock();
  return { id, ...client };
}

/** As little as an instance can be. Those below `changed` are described otherwise. */
function large(serial: number, indexes: Iterable<number>, changed = 0): Buffer {
  const instances = [...indexes].map(index => ({ index_key: index, ...(index < changed && { round: serial }) }));
  return stateOf({
    serial,
    resources: [{ mode: 'managed', type: 'null_resource', name: 'many', provider: nullProvider, instances }],
  });
}
const upTo = (end: number, from = 0) => Array.from({ length: end - from }, (_, index) => from + index);

const rowsOf = async (table: string) =>
  (await app.store.read<{ rows: number }[]>`select count(*) as rows from ${app.store.read(table)}`)[0]!.rows;

/** How many resources the version left in the workspace as it made or changed them, and how many there are. */
async function resourcesOf(workspaceId: string, versionId: string): Promise<{ own: number; all: number }> {
  const [found] = await app.store.read<{ own: number; all: number }[]>`
    select count(*) as all, count(*) filter (where workspace_resources.modified_by_state_version_id = ${versionId}) as own
    from workspace_resources where workspace_resources.workspace_id = ${workspaceId}`;
  return found!;
}
const shown = async (versionId: string) =>
  (await app.get(`state-versions/${versionId}`, acme.owner.token)).data.attributes;

const nothingWaits = async () =>
  expect([await rowsOf('state_instances'), await rowsOf('unfinished_resources')]).toEqual([0, 0]);

test('§2.2 of 60,000 instances all become resources, part by part, and the next state writes only what differs', async () => {
  const client = await locked();
  const first = await client.push(large(1, upTo(60_000)));
  expect([first.status, first.data.attributes['resources-processed']]).toEqual([201, false]);
  expect((await client.workspace()).data.attributes['resource-count']).toBe(60_000);
  const statements = await app.statementsOf(() => finishResources(app.store));
  expect(statements.filter(text => text.includes('insert into workspace_resources'))).toHaveLength(12);
  expect((await shown(first.data.id))['resources-processed']).toBe(true);
  const list = await app.get(`workspaces/${client.id}/resources?page[size]=1`, acme.owner.token);
  expect(list.document.meta.pagination['total-count']).toBe(60_000);

  const kept = async () =>
    (
      await app.store.read<{ digest: string }[]>`
        select md5(string_agg(workspace_resources.id || workspace_resources.xmin, ',' order by workspace_resources.id))
          as digest from workspace_resources
        where workspace_resources.workspace_id = ${client.id} and workspace_resources.name_index::integer
          between 3 and 59989`
    )[0]!.digest;
  const before = await kept();
  const second = await client.push(
    large(
      2,
      upTo(60_010).filter(index => index < 59_990 || index >= 60_000),
      3,
    ),
    {
      serial: 2,
    },
  );
  await finishResources(app.store);
  expect(await resourcesOf(client.id, second.data.id)).toEqual({ own: 13, all: 60_000 });
  expect(await kept()).toBe(before);
  await nothingWaits();
}, 120_000);

describe('§2.2 what takes the place of a large state before its resources are those of the workspace', () => {
  test.each([
    ['a small state', upTo(10, 5), true],
    ['a large one', upTo(11_000, 1_000), false],
  ])('is %s, whose resources they are in the end', async (_what, indexes, isProcessed) => {
    const client = await locked();
    const first = await client.push(large(1, upTo(12_000)));
    let parts = 0;
    await finishResources(app.store, () => parts++ === 1);
    expect(await resourcesOf(client.id, first.data.id)).toEqual({ own: 5000, all: 5000 });
    const second = await client.push(large(2, indexes), { serial: 2 });
    expect(second.data.attributes['resources-processed']).toBe(isProcessed);
    expect((await shown(first.data.id))['resources-processed']).toBe(true);
    await finishResources(app.store);
    expect((await resourcesOf(client.id, second.data.id)).all).toBe(indexes.length);
    expect((await shown(second.data.id))['resources-processed']).toBe(true);
    await nothingWaits();
  });
});

test('§2.2 two servers that take over the same resources at the same time hinder each other in nothing', async () => {
  const client = await locked();
  const { data } = await client.push(large(1, upTo(12_000)));
  await Promise.all([finishResources(pair.one.store), finishResources(pair.two.store)]);
  expect(await resourcesOf(client.id, data.id)).toEqual({ own: 12_000, all: 12_000 });
  await nothingWaits();
});

test('§2.2 a workspace that goes meanwhile takes with it what is left to do', async () => {
  const client = await locked();
  await client.push(large(1, upTo(6000)));
  expect(await rowsOf('unfinished_resources')).toBe(1);
  expect((await app.delete(`workspaces/${client.id}`, acme.owner.token)).status).toBe(204);
  await finishResources(app.store);
  await nothingWaits();
});

test('§2.2 of the states that wait for the end of the lock only the latest keeps its instances', async () => {
  const client = await locked();
  const upload = async (serial: number) => {
    const state = large(serial, upTo(serial));
    const { data } = await client.announce(state, { serial, md5: md5Of(state) });
    return () => transfer(app, 'PUT', data.attributes['hosted-state-upload-url'], state);
  };
  const [one, two, three] = [await upload(1), await upload(2), await upload(3)];
  expect((await two()).status).toBe(200);
  expect((await one()).status).toBe(200);
  expect(await rowsOf('state_instances')).toBe(2);
  expect((await three()).status).toBe(200);
  expect(await rowsOf('state_instances')).toBe(3);
  await client.unlock();
  expect((await app.get(`workspaces/${client.id}/resources`, acme.owner.token)).data).toHaveLength(3);
  await nothingWaits();
});

test('§2.2 a server that is killed in the middle leaves the rest to the next one', async () => {
  const database = await createDatabase();
  const { url, close } = await reachableUrl(database.connection);
  const store = openStore(database.connection, { connections: 1 });
  const start = () =>
    startServer({
      DATABASE_URL: url,
      TERRANE_DATA_DIR: createDirectory(),
      TERRANE_TOKEN_PEPPER: pepper,
      TERRANE_ENCRYPTION_KEY: pepper,
      TERRANE_LOG_LEVEL: 'warn',
    });
  const left = async () =>
    (await store.read<{ next_digest: string }[]>`select unfinished_resources.next_digest from unfinished_resources`)[0]
      ?.next_digest;
  const first = await start();
  try {
    const organizations = { data: { type: 'organizations', attributes: { name: 'acme', email: 'a@example.com' } } };
    expect((await first.call('POST', 'organizations', organizations)).status).toBe(201);
    const made = await first.call('POST', 'organizations/acme/workspaces', {
      data: { type: 'workspaces', attributes: { name: 'large' } },
    });
    const path = `workspaces/${made.document.data.id}`;
    await first.call('POST', `${path}/actions/lock`, {});
    const pushed = await first.call('POST', `${path}/state-versions`, versionBody(large(1, upTo(20_000))));
    expect(pushed.status).toBe(201);
    await vi.waitFor(async () => expect(await left()).toMatch(/./), { timeout: 20_000, interval: 10 });
    await first.end('SIGKILL');
    expect(await left()).toMatch(/./);
    const second = await start();
    await vi.waitFor(async () => expect(await left()).toBe(undefined), { timeout: 60_000, interval: 100 });
    const version = await second.call('GET', `state-versions/${pushed.document.data.id}`);
    expect(version.document.data.attributes['resources-processed']).toBe(true);
    const list = await second.call('GET', `${path}/resources?page[size]=1`);
    expect(list.document.meta.pagination['total-count']).toBe(20_000);
    expect(await second.end()).toBe(0);
  } finally {
    await first.end('SIGKILL');
    await store.close();
    await close();
    await database.drop();
  }
}, 150_000);
