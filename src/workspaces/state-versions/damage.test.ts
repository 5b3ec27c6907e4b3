/** What is left of state when its store fails. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAppOn, type TestApp, useApp } from '../../../test/app.ts';
import { organization, type TestOrganization } from '../../../test/builders/records.ts';
import { stateClient, stateOf, transfer } from '../../../test/builders/state.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { createDatabase } from '../../../test/running/database.ts';
import { type Proxied, proxied } from '../../../test/running/proxied.ts';

const app = useApp({ TERRANE_LOG_LEVEL: 'silent' });
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

test('§7 content that is damaged → 500 that says so on that version alone; roll back to it is refused', async () => {
  const id = await workspace(app, acme);
  const client = stateClient(app, id, acme.owner.token);
  await client.lock();
  const first = (await client.push(stateOf())).data;
  const second = (await client.push(stateOf({ serial: 2 }), { serial: 2 })).data;
  await app.store.read`
    update blob_chunks set sealed = set_byte(blob_chunks.sealed, 50, get_byte(blob_chunks.sealed, 50) # 255)
    from state_versions where state_versions.id = ${first.id} and blob_chunks.blob_id = state_versions.blob_id`;
  const damaged = await transfer(app, 'GET', first.attributes['hosted-state-download-url']);
  expect([damaged.status, damaged.problems]).toEqual([
    500,
    ['The content is missing from the store, or damaged. No other version is affected.'],
  ]);
  expect((await transfer(app, 'GET', second.attributes['hosted-state-download-url'])).status).toBe(200);
  const back = await app.patch(`workspaces/${id}/state-versions`, acme.owner.token, {
    data: {
      type: 'state-versions',
      relationships: { 'rollback-state-version': { data: { type: 'state-versions', id: first.id } } },
    },
  });
  expect(back.status).toBe(500);
  expect((await client.current()).data).toEqual(second);
  expect((await app.get(`state-versions/${first.id}`, acme.owner.token)).data).toEqual(first);
});

describe('a database that goes away', () => {
  let far: TestApp;
  let door: Proxied;
  beforeAll(async () => {
    door = await proxied(await createDatabase());
    far = await openAppOn(door.database, { TERRANE_LOG_LEVEL: 'silent' });
  });
  afterAll(async () => {
    await far.close();
    await door.database.drop();
  });

  /** A workspace that its owner has locked. */
  async function locked() {
    const acme = await organization(far);
    const client = stateClient(far, await workspace(far, acme), acme.owner.token);
    await client.lock();
    return client;
  }
  const filler = Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 1_000_003);

  test('§7 in the middle of an upload → 503, and the same upload is taken when it is back', async () => {
    const client = await locked();
    const state = stateOf({ filler });
    const { data } = await client.announce(state);
    const address = new URL(data.attributes['hosted-state-upload-url']);
    const parts = async function* () {
      yield state.subarray(0, state.length / 2);
      await door.shut();
      yield state.subarray(state.length / 2);
    };
    const cut = await far.app.inject({
      method: 'PUT',
      url: `${address.pathname}${address.search}`,
      headers: { 'content-type': 'application/octet-stream' },
      payload: Readable.from(parts()),
    });
    expect([cut.statusCode, JSON.parse(cut.payload).errors[0].title]).toEqual([503, 'service unavailable']);
    await door.open();
    expect((await client.current()).status).toBe(404);
    expect((await client.unlock()).status).toBe(503);
    expect((await transfer(far, 'PUT', address.href, state)).status).toBe(200);
    expect((await client.unlock()).status).toBe(200);
    expect((await client.current()).data.id).toBe(data.id);
  });

  test('§7 while a state comes in the body, and while the lock is asked for → 503; what was acknowledged is there', async () => {
    const client = await locked();
    const acknowledged = (await client.push(stateOf())).data;
    await door.shut();
    const next = stateOf({ serial: 2, filler });
    const answers = await Promise.all([client.push(next, { serial: 2 }), client.unlock(), client.current()]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    await door.open();
    expect((await client.current()).data).toEqual(acknowledged);
    expect((await client.push(next, { serial: 2 })).status).toBe(201);
  });
});
