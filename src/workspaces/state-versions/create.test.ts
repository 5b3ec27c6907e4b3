import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { member, organization, serviceTokenOf, type TestOrganization, team } from '../../../test/builders/records.ts';
import { run } from '../../../test/builders/run.ts';
import {
  lineage,
  md5Of,
  nullProvider,
  stateClient,
  stateOf,
  transfer,
  versionBody,
} from '../../../test/builders/state.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import { conflict, uploadRefusal } from './rules.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

/** A workspace that the owner has locked. */
async function locked() {
  const id = await workspace(app, acme);
  const client = stateClient(app, id, acme.owner.token);
  await client.lock();
  return { id, ...client };
}

describe('the rules', () => {
  test('§3 only whoever holds the lock uploads, and what a run made comes in under its own lock', () => {
    const me = { type: 'users', id: 'user-me' };
    const run = { type: 'runs', id: 'run-1' };
    expect(uploadRefusal(null, me, null)).toBe('state-not-locked');
    expect(uploadRefusal(me, me, null)).toBeNull();
    expect(uploadRefusal({ type: 'users', id: 'user-other' }, me, null)).toBe('state-locked-by-other');
    expect(uploadRefusal(run, me, 'run-1')).toBeNull();
    expect(uploadRefusal(run, me, null)).toBe('state-locked-by-other');
  });

  test('§4.4 a newer serial follows, the same state may come again, everything else needs force', () => {
    const head = { serial: 5, md5: 'aa', lineage: 'l' };
    const next = (serial: number, md5 = 'bb', of: string | null = 'l') => ({ serial, md5, lineage: of });
    expect(conflict(undefined, next(0), false)).toBeNull();
    expect(conflict(head, next(6), false)).toBeNull();
    expect(conflict(head, next(5, 'AA'), false)).toBeNull();
    expect(conflict(head, next(6, 'bb', null), false)).toBeNull();
    expect(conflict(head, next(5), false)).toBe('state-serial-conflict');
    expect(conflict(head, next(4, 'aa'), false)).toBe('state-serial-conflict');
    expect(conflict(head, next(6, 'bb', 'other'), false)).toBe('state-lineage-conflict');
    expect(conflict(head, next(1, 'bb', 'other'), true)).toBeNull();
  });
});

describe('with its content', () => {
  test('§3 a client is told how often it may save on the way before there is any state, too: the first apply is the longest', async () => {
    const client = await locked();
    const none = await client.current();
    expect([none.status, none.headers['x-terraform-snapshot-interval']]).toEqual([404, '60']);
    expect(none.headers['content-type']).toMatch(/^application\/vnd\.api\+json/);
  });

  test('§3 it is final and current at once, and says what the state says', async () => {
    const client = await locked();
    const outputs = { address: { value: '10.0.0.1', type: 'string' } };
    const state = stateOf({ serial: 3, resources: 2, outputs });
    const answer = await client.push(state, { serial: 3, lineage });
    expect(answer.status).toBe(201);
    expect(answer.headers['x-terraform-snapshot-interval']).toMatch(/^\d+$/);
    expect(answer.data.attributes).toMatchObject({
      serial: 3,
      size: state.length,
      status: 'finalized',
      intermediate: false,
      'state-version': 4,
      'terraform-version': '1.11.4',
      'resources-processed': true,
      'hosted-state-upload-url': null,
      'hosted-json-state-upload-url': null,
      'billable-rum-count': 0,
      modules: { root: { 'null-resource': 2 } },
      providers: { [nullProvider]: { 'null-resource': 2 } },
      resources: [{ name: 'many', type: 'null_resource', count: 2, module: 'root', provider: nullProvider }],
    });
    expect(answer.data.relationships).toMatchObject({
      'created-by': { data: { type: 'users', id: acme.owner.id } },
      workspace: { data: { type: 'workspaces', id: client.id } },
      outputs: { data: [{ type: 'state-version-outputs', id: expect.stringMatching(/^wsout-/) }] },
      run: { data: null },
    });
    const current = await client.current();
    expect(current.data).toEqual(answer.data);
    expect((await app.get(`state-versions/${answer.data.id}`, acme.owner.token)).data).toEqual(answer.data);
    expect((await client.workspace()).data).toMatchObject({
      attributes: { 'resource-count': 2, 'latest-change-at': answer.data.attributes['created-at'] },
      relationships: { 'current-state-version': { data: { type: 'state-versions', id: answer.data.id } } },
    });
  });

  test('§3 the content comes back byte by byte, with and without a token', async () => {
    const client = await locked();
    const state = Buffer.concat([Buffer.from('\n\t '), stateOf({ note: 'ü \ud83d\ude00' }), Buffer.from(' \n')]);
    const json = Buffer.from('{"format_version":"1.0"}');
    const { data } = await client.push(state, { 'json-state': json.toString('base64') });
    const download = await transfer(app, 'GET', data.attributes['hosted-state-download-url']);
    expect([download.status, download.bytes.equals(state)]).toEqual([200, true]);
    const { pathname, search } = new URL(data.attributes['hosted-state-download-url']);
    const headers = { authorization: `Bearer ${acme.owner.token}` };
    const signedIn = await app.app.inject({ method: 'GET', url: `${pathname}${search}`, headers });
    expect(signedIn.rawPayload.equals(state)).toBe(true);
    const documented = await transfer(app, 'GET', data.attributes['hosted-json-state-download-url']);
    expect(documented.bytes.equals(json)).toBe(true);
  });

  test('§3 content of a body comes back too where it is long, with and without escaped slashes', async () => {
    const client = await locked();
    const filler = Array.from({ length: 120_000 }, (_, index) => `${index * 7919}???`).join();
    for (const [serial, isEscaped] of [
      [1, false],
      [2, true],
    ] as const) {
      const state = stateOf({ serial, filler });
      const text = JSON.stringify(versionBody(state, { serial }));
      const raw = isEscaped ? text.replaceAll('/', '\\/') : text;
      expect(/[^\\]\//.test(raw.slice(-1000))).toBe(!isEscaped);
      const answer = await app.call('POST', `workspaces/${client.id}/state-versions`, { token: acme.owner.token, raw });
      expect(answer.status).toBe(201);
      const download = await transfer(app, 'GET', answer.data.attributes['hosted-state-download-url']);
      expect(download.bytes.equals(state)).toBe(true);
    }
    const broken = await client.create(versionBody(stateOf(), { state: 'A?'.repeat(100_000), serial: 3 }));
    expect([broken.status, broken.pointers]).toEqual([422, ['/data/attributes/state']]);
    const flood = await client.create({
      data: { type: 'state-versions', attributes: {}, more: Array(700_000).fill(0) },
    });
    expect(flood.status).toBe(413);
  });

  test('§3 no content shows in the database', async () => {
    const client = await locked();
    const secret = 'a-very-secret-value';
    await client.push(stateOf({ outputs: { key: { value: secret, type: 'string', sensitive: true } } }));
    const chunks = await app.store.read`select encode(blob_chunks.sealed, 'escape') as text from blob_chunks`;
    const outputs = await app.store.read`
      select encode(sealed_value, 'escape') as text from state_version_outputs`;
    for (const { text } of [...chunks, ...outputs] as unknown as { text: string }[]) {
      expect(text).not.toMatch(/secret|terraform_version/);
    }
  });

  test('§3 a newer one replaces it, and the former one stays as it was', async () => {
    const client = await locked();
    const first = await client.push(stateOf({ resources: 3 }));
    const second = await client.push(stateOf({ serial: 2 }), { serial: 2 });
    expect(second.status).toBe(201);
    expect((await client.current()).data.id).toBe(second.data.id);
    expect((await client.workspace()).data.attributes['resource-count']).toBe(0);
    expect((await app.get(`state-versions/${first.data.id}`, acme.owner.token)).data).toEqual(first.data);
  });
});

describe('refused, and the current state is unchanged', () => {
  test('§3 a workspace that is open, and one that someone else locked → 409', async () => {
    const id = await workspace(app, acme);
    const client = stateClient(app, id, acme.owner.token);
    const open = await client.push(stateOf());
    expect([open.status, open.problems[0]]).toEqual([409, expect.stringContaining('not locked')]);
    const other = await member(app, acme, acme.ownersTeamId);
    await stateClient(app, id, other.token).lock();
    expect((await client.push(stateOf())).status).toBe(409);
    expect((await client.current()).status).toBe(404);
  });

  test('§3 without the lock nobody is told of faults, since nothing of the content is read', async () => {
    const client = stateClient(app, await workspace(app, acme), acme.owner.token);
    expect((await client.push(stateOf(), { serial: -1, state: 'no base64!' })).status).toBe(409);
  });

  test("§5 without permission to write state, and with an organization's token → 404", async () => {
    const readers = await team(app, acme);
    const reader = await member(app, acme, readers);
    const id = await workspace(app, acme);
    await workspaceAccess(app, readers, id, { 'state-versions': 'read', 'workspace-locking': true });
    const client = stateClient(app, id, reader.token);
    await client.lock();
    expect((await client.push(stateOf())).status).toBe(404);
    expect((await stateClient(app, id, await serviceTokenOf(app, acme)).push(stateOf())).status).toBe(404);
    expect((await client.unlock()).status).toBe(200);
  });

  test('§4.4 a serial that goes back, the same serial with another state, another lineage → 409, unless forced', async () => {
    const client = await locked();
    const state = stateOf({ serial: 5 });
    const current = await client.push(state, { serial: 5, lineage });
    const refused = [
      await client.push(stateOf({ serial: 4 }), { serial: 4 }),
      await client.push(stateOf({ serial: 5, resources: 1 }), { serial: 5 }),
      await client.push(stateOf({ serial: 6 }), { serial: 6, lineage: 'another' }),
      await client.push(stateOf({ serial: 6, lineage: 'another' }), { serial: 6 }),
      await client.announce(stateOf({ serial: 4 }), { serial: 4 }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(Array(5).fill(409));
    expect(refused[0]!.problems[0]).toContain('Serial 4');
    expect((await client.current()).data.id).toBe(current.data.id);
    expect((await client.push(state, { serial: 5 })).status).toBe(201);
    const forced = await client.push(stateOf({ lineage: 'another' }), { serial: 1, lineage: 'another', force: true });
    expect(forced.status).toBe(201);
    expect((await client.current()).data.id).toBe(forced.data.id);
  });

  test('§4.4 no JSON, not all of it, another checksum → 422 at its place, and nothing is kept', async () => {
    const client = await locked();
    const current = await client.push(stateOf());
    const blobs = async () => (await app.store.read`select count(*) as blobs from blobs`)[0]!['blobs'];
    const before = await blobs();
    const state = stateOf({ serial: 2, resources: 2 });
    const broken = [Buffer.from('no state'), state.subarray(0, -5), Buffer.from('[]'), Buffer.from('\xff\xfe')];
    for (const bytes of [...broken, Buffer.concat([state, Buffer.from('}')])]) {
      const answer = await client.push(bytes, { serial: 2 });
      expect([answer.status, answer.pointers]).toEqual([422, ['/data/attributes/state']]);
    }
    const wrong = await client.push(state, { serial: 2, md5: md5Of(Buffer.from('another')) });
    expect([wrong.status, wrong.pointers]).toEqual([422, ['/data/attributes/md5']]);
    expect((await client.current()).data).toEqual(current.data);
    expect(await blobs()).toBe(before);
  });

  test('§4.4 a run that is not of the workspace → 422 at the relationship', async () => {
    const client = await locked();
    const body = versionBody(stateOf()) as { data: object };
    const elsewhere = await run(app, acme, await workspace(app, acme));
    for (const id of ['run-0000000000000000', elsewhere]) {
      const relationships = { run: { data: { type: 'runs', id } } };
      const answer = await client.create({ data: { ...body.data, relationships } });
      expect([answer.status, answer.pointers]).toEqual([422, ['/data/relationships/run']]);
    }
  });

  test('§4.4 every fault of a body at once', async () => {
    const client = await locked();
    const answer = await client.create({
      data: { type: 'state-versions', attributes: { serial: -1, md5: 'short', state: 'no base64!', force: 'yes' } },
    });
    expect(answer.status).toBe(422);
    const names = ['force', 'md5', 'serial', 'state'];
    expect(answer.pointers.sort()).toEqual(names.map(name => `/data/attributes/${name}`));
    const empty = await client.create({ data: { type: 'state-versions', attributes: {} } });
    expect(empty.pointers.sort()).toEqual(['/data/attributes/md5', '/data/attributes/serial']);
    expect(empty.text).not.toContain('param is missing');
    expect((await client.create(versionBody(stateOf(), { serial: 2 ** 53 }))).status).toBe(422);
  });
});
