/** Uploads over real connections: what breaks off, what is too long, and what comes slowly. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { organization } from '../../../test/builders/records.ts';
import { stateClient, stateOf } from '../../../test/builders/state.ts';
import { workspace } from '../../../test/builders/workspace.ts';

const app = useApp({ TERRANE_MAX_STATE_MIB: '1', TERRANE_LOG_LEVEL: 'silent' });
const state = stateOf({ filler: 'x'.repeat(600_000) });
let client: ReturnType<typeof stateClient>;
let address: string;
let versionId: string;
beforeAll(async () => {
  const acme = await organization(app);
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  client = stateClient(app, await workspace(app, acme), acme.owner.token);
  await client.lock();
  const { data } = await client.announce(state);
  address = data.attributes['hosted-state-upload-url'];
  versionId = data.id;
});
afterAll(() => app.app.server.closeAllConnections());

const blobCount = async () => (await app.store.read`select count(*) as blobs from blobs`)[0]!['blobs'];

/** A request whose body `send` writes; resolves to the status, or to the fault of the connection. */
function put(headers: Record<string, string | number>, send: (sink: ReturnType<typeof request>) => void) {
  return new Promise<number | string>(resolve => {
    const sink = request(address, { method: 'PUT', headers }, answer => {
      answer.resume();
      resolve(answer.statusCode!);
    });
    sink.on('error', error => resolve((error as NodeJS.ErrnoException).code ?? error.message));
    send(sink);
  });
}

test('§4.4 the address leads to this server, as it is listened on', () => {
  expect(address.startsWith(app.app.listeningOrigin)).toBe(true);
});

test('§4.4 a client that goes away in the middle leaves nothing, and the version stays pending', async () => {
  const result = await put({ 'content-length': state.length }, sink => {
    sink.write(state.subarray(0, 300_000), () => sink.destroy());
  });
  expect(result).toBe('ECONNRESET');
  await vi.waitFor(async () => expect(await blobCount()).toBe(0));
  expect((await client.unlock()).status).toBe(503);
});

test('§4.4 a body past the limit is answered 413 while it is still being sent, and the connection can go on', async () => {
  const piece = Buffer.alloc(100_000, 'x');
  const result = await put({ 'transfer-encoding': 'chunked' }, sink => {
    sink.write('{"a":"');
    for (let sent = 0; sent < 30; sent += 1) sink.write(piece);
    sink.end('"}');
  });
  expect(result).toBe(413);
  await vi.waitFor(async () => expect(await blobCount()).toBe(0));
});

test('§3 a body that comes piece by piece, without a media type, is taken', async () => {
  const result = await put({ 'transfer-encoding': 'chunked' }, async sink => {
    for (let from = 0; from < state.length; from += 200_000) {
      sink.write(state.subarray(from, from + 200_000));
      await new Promise(resolve => setImmediate(resolve));
    }
    sink.end();
  });
  expect(result).toBe(200);
  expect((await client.unlock()).status).toBe(200);
  const current = (await client.current()).data;
  expect(current.id).toBe(versionId);
  const download = await fetch(current.attributes['hosted-state-download-url']);
  expect(Buffer.from(await download.arrayBuffer()).equals(state)).toBe(true);
  expect(Number(download.headers.get('content-length'))).toBe(state.length);
});
