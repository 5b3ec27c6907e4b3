/** States in the body of their creation, over real connections: with and without a length, and past the limit. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Document, mediaType, useApp } from '../../../test/app.ts';
import { organization } from '../../../test/builders/records.ts';
import { stateClient, stateOf, versionBody } from '../../../test/builders/state.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { useLimits } from '../../../test/limits.ts';

useLimits({ callerLongBodies_items: 2 });
const app = useApp({ TERRANE_MAX_STATE_MIB: '1', TERRANE_LOG_LEVEL: 'silent' });
let client: ReturnType<typeof stateClient>;
let address: string;
let token: string;
beforeAll(async () => {
  const acme = await organization(app);
  token = acme.owner.token;
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  const id = await workspace(app, acme);
  address = `${app.app.listeningOrigin}/api/v2/workspaces/${id}/state-versions`;
  client = stateClient(app, id, token);
  await client.lock();
});
afterAll(() => app.app.server.closeAllConnections());

type Answered = { status: number; document: Document } | { fault: string };

/** Sends the bytes in pieces; `isDeclared` says their number before. `breakOff` ends the connection after so many. */
function post(bytes: Buffer, isDeclared: boolean, breakOff = Number.POSITIVE_INFINITY): Promise<Answered> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': mediaType,
    ...(isDeclared ? { 'content-length': bytes.length } : { 'transfer-encoding': 'chunked' }),
  };
  return new Promise(resolve => {
    const sink = request(address, { method: 'POST', headers }, answer => {
      let text = '';
      answer.on('data', piece => (text += piece));
      answer.on('end', () => resolve({ status: answer.statusCode!, document: JSON.parse(text) }));
    });
    sink.on('error', error => resolve({ fault: (error as NodeJS.ErrnoException).code ?? error.message }));
    for (let from = 0; from < bytes.length && from < breakOff; from += 50_000)
      sink.write(bytes.subarray(from, from + 50_000));
    if (breakOff < bytes.length) setTimeout(() => sink.destroy(), 50);
    else sink.end();
  });
}

const bodyFor = (serial: number, length: number) => {
  const state = stateOf({ serial, filler: 'x'.repeat(length) });
  return { state, body: Buffer.from(JSON.stringify(versionBody(state, { serial }))) };
};

test.each([
  ['with its length', true, 1],
  ['without one', false, 2],
])('§3 a long body sent %s is taken, and its state comes back byte for byte', async (_how, isDeclared, serial) => {
  const { state, body } = bodyFor(serial, 900_000);
  expect(await post(body, isDeclared)).toMatchObject({ status: 201 });
  const { attributes } = (await client.current()).data;
  expect(attributes.serial).toBe(serial);
  const download = await fetch(attributes['hosted-state-download-url']);
  expect(Buffer.from(await download.arrayBuffer()).equals(state)).toBe(true);
});

test.each([
  ['with its length', true],
  ['without one', false],
])('§1 a body past the limit sent %s → 413 for the whole of it, and the server goes on', async (_how, isDeclared) => {
  const answer = await post(bodyFor(9, 3_500_000).body, isDeclared);
  const source = { pointer: '' };
  expect(answer).toMatchObject({ status: 413, document: { errors: [{ title: 'payload too large', source }] } });
  expect((await client.current()).status).toBe(200);
});

test('§3 a client that goes away in the middle of a body leaves nothing', async () => {
  const before = (await client.current()).data.id;
  expect(await post(bodyFor(9, 900_000).body, true, 500_000)).toEqual({ fault: 'ECONNRESET' });
  await vi.waitFor(async () => expect((await client.push(stateOf({ serial: 3 }), { serial: 3 })).status).toBe(201));
  const [found] = await app.store.read`select count(*) as versions from state_versions`;
  expect(found!['versions']).toBe(3);
  expect((await client.current()).data.id).not.toBe(before);
});

test('§1 no body at all, and one of another media type, are refused as everywhere', async () => {
  expect(await post(Buffer.alloc(0), true)).toMatchObject({ status: 422 });
  const other = await app.call('POST', new URL(address).pathname, { token, headers: { 'content-type': 'text/plain' } });
  expect(other.status).toBe(415);
});

test('§3 where the workspace is not locked, the answer does not wait for the body', async () => {
  const acme = await organization(app);
  const id = await workspace(app, acme);
  const url = `${app.app.listeningOrigin}/api/v2/workspaces/${id}/state-versions`;
  const headers = {
    authorization: `Bearer ${acme.owner.token}`,
    'content-type': mediaType,
    'content-length': 1_000_000,
  };
  const status = await new Promise(resolve => {
    const sink = request(url, { method: 'POST', headers }, answer => {
      resolve(answer.statusCode);
      sink.destroy();
    });
    sink.on('error', () => undefined);
    sink.write('{"data":');
  });
  expect(status).toBe(409);
});

test('§3 the content is written before the workspace is held', async () => {
  const statements = await app.statementsOf(async () => {
    expect((await client.push(stateOf({ serial: 9, resources: 5 }), { serial: 9 })).status).toBe(201);
  });
  const last = (words: string) => statements.findLastIndex(text => text.includes(words));
  const holds = statements.findIndex(text => /for update/.test(text));
  expect(last('insert into blob_chunks')).toBeGreaterThan(0);
  expect(holds).toBeGreaterThan(last('insert into blob_chunks'));
  expect(holds).toBeGreaterThan(last('insert into state_instances'));
});

test('§3 what a creation brought goes when the creation is refused after all', async () => {
  const rows = async (table: string) =>
    (await app.store.read`select count(*) as rows from ${app.store.read(table)}`)[0]!['rows'];
  const before = [await rows('blobs'), await rows('state_instances'), await rows('state_version_outputs')];
  const state = stateOf({ serial: 1, resources: 5, outputs: { a: { value: 1, type: 'number' } } });
  const refused = [
    await client.push(state, { serial: 1, 'json-state': Buffer.from('{}').toString('base64') }),
    await client.push(state, { serial: 10, md5: 'no checksum' }),
    await client.push(state, { serial: 10, 'json-state': 'no base64!' }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([409, 422, 422]);
  expect(refused[2]!.pointers).toEqual(['/data/attributes/json-state']);
  expect([await rows('blobs'), await rows('state_instances'), await rows('state_version_outputs')]).toEqual(before);
});

test('§3 long bodies that do not go on take none of the room for announcements of their caller', async () => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': mediaType, 'content-length': 2_000_000 };
  const stalled = Array.from({ length: 2 }, () => {
    const sink = request(address, { method: 'POST', headers });
    sink.on('error', () => undefined).write('{"data":{"type":"state-versions","attributes":{"state":"');
    return sink;
  });
  const further = Buffer.alloc(1_200_000, ' ');
  await vi.waitFor(async () => expect(await post(further, true)).toMatchObject({ status: 429 }));
  expect((await client.announce(stateOf({ serial: 11 }), { serial: 11 })).status).toBe(201);
  for (const one of stalled) one.destroy();
});
