import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { signedIn } from '../../../test/builders/agent.ts';
import { member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { run } from '../../../test/builders/run.ts';
import { md5Of, stateClient, stateOf, transfer, versionBody } from '../../../test/builders/state.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

const app = useApp({ TERRANE_MAX_STATE_MIB: '1' });
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

/** A workspace that the owner has locked, with a version announced for the state. */
async function announced(state: Buffer, given: Record<string, unknown> = {}) {
  const id = await workspace(app, acme);
  const client = stateClient(app, id, acme.owner.token);
  await client.lock();
  const { data } = await client.announce(state, given);
  return { id, ...client, version: data, ...addressesOf(data) };
}

// biome-ignore lint/suspicious/noExplicitAny: documents of every shape.
const addressesOf = (data: any) => ({
  raw: data.attributes['hosted-state-upload-url'] as string,
  json: data.attributes['hosted-json-state-upload-url'] as string,
});
const show = async (id: string) => (await app.get(`state-versions/${id}`, acme.owner.token)).data;
const blobCount = async () => (await app.store.read`select count(*) as blobs from blobs`)[0]!['blobs'];
const documented = Buffer.from('{"format_version":"1.0","values":{}}');

describe('an announced state version', () => {
  test('§3 is pending, with addresses for both forms and none to download from', async () => {
    const { version, current } = await announced(stateOf());
    expect(version.attributes).toMatchObject({
      status: 'pending',
      intermediate: true,
      'resources-processed': false,
      'hosted-state-download-url': null,
      'hosted-json-state-download-url': null,
      'hosted-state-upload-url': expect.stringMatching(/^http:\/\/.*signature=/),
      'hosted-json-state-upload-url': expect.stringMatching(/^http:\/\/.*signature=/),
    });
    expect((await current()).status).toBe(404);
  });

  test('§3 takes both forms in either order, and both come back as they were sent', async () => {
    for (const order of [
      ['raw', 'json'],
      ['json', 'raw'],
    ] as const) {
      const state = stateOf({ resources: 2 });
      const sent = { raw: state, json: documented };
      const { version, ...addresses } = await announced(state);
      for (const form of order) {
        expect((await transfer(app, 'PUT', addresses[form], sent[form])).status).toBe(200);
      }
      const { attributes } = await show(version.id);
      expect(attributes).toMatchObject({
        status: 'finalized',
        'resources-processed': true,
        'hosted-state-upload-url': null,
        'hosted-json-state-upload-url': null,
      });
      expect(attributes.resources).toMatchObject([{ type: 'null_resource', count: 2 }]);
      const back = await transfer(app, 'GET', attributes['hosted-state-download-url']);
      expect(back.bytes.equals(state)).toBe(true);
      expect(back.headers['content-disposition']).toBe('attachment');
      const jsonBack = await transfer(app, 'GET', attributes['hosted-json-state-download-url']);
      expect(jsonBack.bytes.equals(documented)).toBe(true);
    }
  });

  test('§3 takes both forms at once', async () => {
    const state = stateOf({ resources: 1 });
    const { raw, json, version } = await announced(state);
    const answers = await Promise.all([transfer(app, 'PUT', json, documented), transfer(app, 'PUT', raw, state)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await show(version.id)).attributes.status).toBe('finalized');
  });

  test('§3 unlock/own: final, it becomes current when the lock goes, with its resources', async () => {
    const state = stateOf({ resources: 2 });
    const { raw, version, current, unlock, workspace: shown } = await announced(state);
    expect((await unlock()).status).toBe(503);
    await transfer(app, 'PUT', raw, state);
    expect((await current()).status).toBe(404);
    expect((await show(version.id)).attributes.intermediate).toBe(true);
    expect((await unlock()).status).toBe(200);
    expect((await current()).data).toMatchObject({ id: version.id, attributes: { intermediate: false } });
    expect((await shown()).data.attributes['resource-count']).toBe(2);
  });

  test('§3 of several under one lock the latest becomes current, and each follows the one before', async () => {
    const { raw, announce, unlock, current } = await announced(stateOf());
    await transfer(app, 'PUT', raw, stateOf());
    const next = stateOf({ serial: 2, resources: 1 });
    const second = (await announce(next, { serial: 2 })).data;
    await transfer(app, 'PUT', addressesOf(second).raw, next);
    expect((await announce(stateOf(), { serial: 1 })).status).toBe(409);
    await unlock();
    expect((await current()).data.id).toBe(second.id);
  });

  test('§3 force-unlock discards it, and its address is gone', async () => {
    const state = stateOf();
    const { id, raw, json, version } = await announced(state);
    expect((await app.post(`workspaces/${id}/actions/force-unlock`, acme.owner.token)).status).toBe(200);
    expect((await show(version.id)).attributes).toMatchObject({ status: 'discarded', 'hosted-state-upload-url': null });
    for (const address of [raw, json]) {
      const late = await transfer(app, 'PUT', address, state);
      expect([late.status, late.problems[0]]).toEqual([410, expect.stringContaining('discarded')]);
    }
  });

  test('§3 an address that was never used brings nothing back once the content was deleted for good', async () => {
    const { raw, json, version, unlock, lock, push } = await announced(stateOf());
    await transfer(app, 'PUT', raw, stateOf());
    await unlock();
    await lock();
    await push(stateOf({ serial: 2 }), { serial: 2 });
    for (const action of ['soft_delete', 'permanently_delete']) {
      const path = `state-versions/${version.id}/actions/${action}_backing_data`;
      expect((await app.post(path, acme.owner.token)).status).toBe(204);
    }
    expect((await transfer(app, 'PUT', json, documented)).status).toBe(410);
  });

  test('§5.4 who may read state but not write it is shown no address to upload to', async () => {
    const readers = await team(app, acme);
    const reader = await member(app, acme, readers);
    const { id, version } = await announced(stateOf());
    await workspaceAccess(app, readers, id, 'read');
    const { attributes } = (await app.get(`state-versions/${version.id}`, reader.token)).data;
    expect([attributes['hosted-state-upload-url'], attributes['hosted-json-state-upload-url']]).toEqual([null, null]);
  });
});

describe('an upload that is refused', () => {
  test('§3 at an address that was changed, or for another method → 403', async () => {
    const state = stateOf();
    const { raw, version } = await announced(state);
    for (const address of [`${raw.slice(0, -10)}corrupted`, raw.replace('state-versions/sv-', 'state-versions/sv-x')]) {
      expect((await transfer(app, 'PUT', address, state)).status).toBe(403);
    }
    expect((await transfer(app, 'GET', raw)).status).toBe(403);
    expect((await show(version.id)).attributes.status).toBe('pending');
  });

  test('§3 by an account that may not write any more, or has left → 404; that is gone → 403', async () => {
    const { read: sql } = app.store;
    const id = await workspace(app, acme);
    const writers = await team(app, acme);
    await workspaceAccess(app, writers, id, 'write');
    const someone = await member(app, acme, writers);
    const client = stateClient(app, id, someone.token);
    await client.lock();
    const state = stateOf();
    const { raw, json } = addressesOf((await client.announce(state)).data);
    const before = await blobCount();
    const refused = async (expected: number, title: string) => {
      for (const [address, bytes] of [
        [raw, state],
        [json, documented],
      ] as const) {
        const { status, problems } = await transfer(app, 'PUT', address, bytes);
        expect([status, problems]).toEqual([expected, [title]]);
      }
    };
    await sql`delete from team_workspaces where team_workspaces.workspace_id = ${id}`;
    await workspaceAccess(app, writers, id, 'read');
    await refused(404, 'not found');
    await sql`delete from organization_memberships where organization_memberships.user_id = ${someone.id}`;
    await refused(404, 'not found');
    await sql`delete from users where users.id = ${someone.id}`;
    await refused(403, 'Whoever this address was given to may not use it any more.');
    expect(await blobCount()).toBe(before);
  });

  test('§3 at an address that a run was shown is taken whatever its maker may do, until its phase is over', async () => {
    const id = await workspace(app, acme);
    const planners = await team(app, acme);
    await workspaceAccess(app, planners, id, 'plan');
    const someone = await member(app, acme, planners);
    const runId = await run(app, acme, id, { auto_apply: true }, { created_by_id: someone.id });
    const agent = await signedIn(app);
    const plan = (await agent.claim())!;
    await plan.start();
    await plan.finish({ outcome: 'finished', has_changes: true });
    const apply = (await agent.claim())!;
    const { token } = await apply.start();
    const state = stateOf();
    const { data: body } = versionBody(state, {}, false) as { data: object };
    const relationships = { run: { data: { type: 'runs', id: runId } } };
    const { data } = await app.post(`workspaces/${id}/state-versions`, token, { data: { ...body, relationships } });
    const { raw, json } = addressesOf(data);
    expect((await transfer(app, 'PUT', raw, state)).status).toBe(200);
    const [event] = await app.store.read`
      select audit_events.actor_type, audit_events.actor_id from audit_events
      where audit_events.action = 'state-versions.upload' and audit_events.resource_id = ${data.id}`;
    expect(event).toEqual({ actor_type: 'run', actor_id: someone.id });
    await apply.finish({ outcome: 'finished' });
    expect((await transfer(app, 'PUT', json, documented)).status).toBe(403);
  });

  test('§3 a second time, with other bytes → 410, and the first stay', async () => {
    const state = stateOf();
    const { raw, json, version } = await announced(state);
    for (const [address, bytes] of [
      [raw, state],
      [json, documented],
    ] as const) {
      expect((await transfer(app, 'PUT', address, bytes)).status).toBe(200);
      const before = await blobCount();
      for (const other of [stateOf({ serial: 9 }), bytes.subarray(0, -1), Buffer.alloc(0)]) {
        const { status, problems } = await transfer(app, 'PUT', address, other);
        expect([status, problems[0]]).toEqual([410, expect.stringContaining('Nothing can be uploaded here any more')]);
      }
      expect(await blobCount()).toBe(before);
    }
    const back = await transfer(app, 'GET', (await show(version.id)).attributes['hosted-state-download-url']);
    expect(back.bytes.equals(state)).toBe(true);
  });

  test('§3 ten times at once with ten contents: exactly one is taken', async () => {
    const state = stateOf();
    const { json } = await announced(state);
    const before = await blobCount();
    const contents = Array.from({ length: 10 }, (_, index) => Buffer.from(`{"format_version":"1.${index}"}`));
    const answers = await Promise.all(contents.map(content => transfer(app, 'PUT', json, content)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(410)]);
    expect(await blobCount()).toBe(before + 1);
  });

  test('§4.4 truncated, other bytes, no JSON, nothing → 422; the version stays pending and takes the right ones', async () => {
    const state = stateOf({ resources: 3 });
    const { raw, version } = await announced(state);
    const before = await blobCount();
    const other = Buffer.from(state);
    other[state.indexOf('1.11.4')] = 0x32;
    const wrong = [state.subarray(0, 100), other, Buffer.from('{"version": 4,}'), Buffer.alloc(0)];
    for (const bytes of wrong) expect((await transfer(app, 'PUT', raw, bytes)).status).toBe(422);
    expect((await transfer(app, 'PUT', raw, other)).problems[0]).toContain(md5Of(other));
    expect(await blobCount()).toBe(before);
    expect((await show(version.id)).attributes.status).toBe('pending');
    expect((await transfer(app, 'PUT', raw, state)).status).toBe(200);
  });

  test('§4.4 over the limit → 413 that says it, whether the length is declared or not', async () => {
    const state = stateOf({ filler: 'x'.repeat(1024 * 1024) });
    const { raw } = await announced(state);
    const before = await blobCount();
    const declared = await transfer(app, 'PUT', raw, state);
    expect([declared.status, declared.problems]).toEqual([413, ['A body holds at most 1048576 bytes.']]);
    const { pathname, search } = new URL(raw);
    const { Readable } = await import('node:stream');
    const streamed = await app.app.inject({
      method: 'PUT',
      url: `${pathname}${search}`,
      headers: { 'content-type': 'application/octet-stream', 'transfer-encoding': 'chunked' },
      payload: Readable.from([state.subarray(0, 700_000), state.subarray(700_000)]),
    });
    expect(streamed.statusCode).toBe(413);
    expect(await blobCount()).toBe(before);
  });

  test('§4.4 a content of another lineage than the current state → 409, unless the creation forced it', async () => {
    const id = await workspace(app, acme);
    const client = stateClient(app, id, acme.owner.token);
    await client.lock();
    const { data: current } = await client.push(stateOf());
    const state = stateOf({ serial: 2, lineage: 'another' });
    const refused = (await client.announce(state, { serial: 2 })).data;
    expect((await transfer(app, 'PUT', addressesOf(refused).raw, state)).status).toBe(409);
    expect((await client.current()).data.id).toBe(current.id);
    const forced = (await client.announce(state, { serial: 2, force: true })).data;
    expect((await transfer(app, 'PUT', addressesOf(forced).raw, state)).status).toBe(200);
  });

  test('§4.4 inline over the limit → 413, and other bodies keep their limit', async () => {
    const id = await workspace(app, acme);
    const client = stateClient(app, id, acme.owner.token);
    await client.lock();
    const large = stateOf({ filler: 'x'.repeat(900_000) });
    expect((await client.push(large)).status).toBe(201);
    expect((await client.push(stateOf({ filler: 'x'.repeat(3_000_000) }))).status).toBe(413);
    const lock = await app.post(`workspaces/${id}/actions/lock`, acme.owner.token, { reason: 'x'.repeat(1_100_000) });
    expect(lock.problems).toEqual(['A body holds at most 1048576 bytes.']);
  });
});
