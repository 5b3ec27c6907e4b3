/** §3 Uploads at the same moment as the lock goes, on two servers: an acknowledged state is never lost. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { organization, type TestOrganization } from '../../../test/builders/records.ts';
import { stateClient, stateOf, transfer } from '../../../test/builders/state.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { asked, openPair, type Pair } from '../../../test/running/pair.ts';

const rounds = asked('TERRANE_TEST_UPLOAD_ROUNDS', 15);

let pair: Pair;
let acme: TestOrganization;
beforeAll(async () => {
  pair = await openPair();
  acme = await organization(pair.one);
});
afterAll(() => pair.close());

/** A workspace that the owner has locked, with a version announced for the state. */
async function announced(state: Buffer) {
  const id = await workspace(pair.one, acme);
  const client = stateClient(pair.one, id, acme.owner.token);
  await client.lock();
  const { data } = await client.announce(state);
  return { id, ...client, versionId: data.id, address: data.attributes['hosted-state-upload-url'] as string };
}

test('§3 an upload against unlocks is taken, and is the current state once the lock is gone', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const state = stateOf({ resources: round });
    const { unlock, current, versionId, address, id } = await announced(state);
    const path = `workspaces/${id}/actions/unlock`;
    const [upload, ...unlocks] = await Promise.all([
      transfer(pair.either(round), 'PUT', address, state),
      ...Array.from({ length: 6 }, (_, index) => pair.either(index).post(path, acme.owner.token)),
    ]);
    expect(upload.status).toBe(200);
    for (const { status } of unlocks) expect([200, 409, 503]).toContain(status);
    const opened = unlocks.filter(({ status }) => status === 200).length;
    expect((await unlock()).status).toBe(opened === 0 ? 200 : 409);
    expect((await current()).data).toMatchObject({ id: versionId, attributes: { intermediate: false } });
  }
});

test('§3 an upload against a force-unlock is taken and current, or refused and discarded; never in between', async () => {
  const seen = new Set<number>();
  for (let round = 0; round < rounds; round += 1) {
    const state = stateOf({ resources: 1 });
    const { current, workspace: shown, versionId, address, id } = await announced(state);
    const [upload, forced] = await Promise.all([
      transfer(pair.either(round), 'PUT', address, state),
      pair.two.post(`workspaces/${id}/actions/force-unlock`, acme.owner.token),
    ]);
    seen.add(upload.status);
    expect(forced.status).toBe(200);
    const version = (await pair.two.get(`state-versions/${versionId}`, acme.owner.token)).data;
    const count = (await shown()).data.attributes['resource-count'];
    if (upload.status === 200) {
      expect([version.attributes.status, (await current()).data?.id, count]).toEqual(['finalized', versionId, 1]);
    } else {
      expect(upload.status).toBe(410);
      expect([version.attributes.status, (await current()).status, count]).toEqual(['discarded', 404, 0]);
    }
  }
  expect([...seen].every(status => status === 200 || status === 410)).toBe(true);
});

test('§3 of ten creations at once with one serial and ten contents exactly one is taken', async () => {
  const id = await workspace(pair.one, acme);
  const client = stateClient(pair.one, id, acme.owner.token);
  await client.lock();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      stateClient(pair.either(index), id, acme.owner.token).push(stateOf({ resources: index }), { serial: 1 }),
    ),
  );
  const made = answers.filter(({ status }) => status === 201);
  expect([made.length, answers.filter(({ status }) => status === 409).length]).toEqual([1, 9]);
  expect((await client.current()).data.id).toBe(made[0]!.data.id);
});

test('§4.4 a workspace that is deleted during an upload takes it with it: 404, and nothing is left', async () => {
  for (let round = 0; round < 5; round += 1) {
    const state = stateOf({ resources: 1 });
    const { id, address } = await announced(state);
    const [upload, deleted] = await Promise.all([
      transfer(pair.one, 'PUT', address, state),
      pair.two.delete(`workspaces/${id}`, acme.owner.token),
    ]);
    expect([200, 404]).toContain(upload.status);
    expect(deleted.status).toBe(204);
    expect(await pair.one.store.read`select from blobs where blobs.workspace_id = ${id}`).toEqual([]);
  }
});
