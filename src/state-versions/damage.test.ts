/** What is left of state when its store fails. */
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../test/app.ts';
import { organization, type TestOrganization } from '../../test/builders.ts';
import { stateClient, stateOf, transfer } from '../../test/state-builders.ts';
import { workspace } from '../../test/workspace-builders.ts';

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

test('§7 a database that goes away in the middle of an upload → 503, and the same upload is taken afterwards', async () => {
  const id = await workspace(app, acme);
  const client = stateClient(app, id, acme.owner.token);
  await client.lock();
  const state = stateOf({ filler: Array.from({ length: 40_000 }, (_, index) => index * 7919) });
  const { data } = await client.announce(state);
  const address = new URL(data.attributes['hosted-state-upload-url']);
  const { Readable } = await import('node:stream');
  const parts = async function* () {
    yield state.subarray(0, 1000);
    // Every connection of the server, as when PostgreSQL is killed.
    await app.store.read`
      select pg_terminate_backend(pg_stat_activity.pid) from pg_stat_activity
      where pg_stat_activity.datname = current_database() and pg_stat_activity.pid <> pg_backend_pid()`;
    await app.store.read`select pg_terminate_backend(pg_backend_pid())`.catch(() => undefined);
    yield state.subarray(1000);
  };
  const cut = await app.app.inject({
    method: 'PUT',
    url: `${address.pathname}${address.search}`,
    headers: { 'content-type': 'application/octet-stream' },
    payload: Readable.from(parts()),
  });
  expect([200, 503]).toContain(cut.statusCode);
  if (cut.statusCode === 503) {
    expect((await client.current()).status).toBe(404);
    expect((await transfer(app, 'PUT', address.href, state)).status).toBe(200);
  }
  expect((await client.unlock()).status).toBe(200);
  expect((await client.current()).data.id).toBe(data.id);
});
