/** Bodies that are read on as they come: they move, and they end. */
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { useLimits } from '../../test/limits.ts';
import type { ApiError } from '../core/errors.ts';
import { incoming } from './incoming.ts';

useLimits({ longBodyPause_ms: 400, longBodyTime_ms: 1200 });

/** What becomes of a body of which a byte comes every so often. */
async function readingOf(pause_ms: number): Promise<string> {
  let done: (outcome: string) => void;
  const outcome = new Promise<string>(resolve => (done = resolve));
  const server = createServer(async (message, response) => {
    try {
      for await (const _piece of incoming(message, 10_000).pieces);
      done('read');
    } catch (fault) {
      done((fault as ApiError).faults[0].name);
    }
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const sending = ask({ port, host: '127.0.0.1', method: 'PUT', headers: { 'content-length': '8' } });
  sending.on('error', () => undefined);
  let left = 8;
  const send = () => {
    left -= 1;
    sending.write('x');
    if (left === 0) clearInterval(timer);
  };
  const timer = setInterval(send, pause_ms);
  send();
  const found = await outcome;
  clearInterval(timer);
  sending.destroy();
  server.closeAllConnections();
  server.close();
  return found;
}

test('a body that moves is read; one that stands still for too long is not, nor one that takes too long as a whole', async () => {
  expect(await readingOf(20)).toBe('read');
  expect(await readingOf(60_000)).toBe('request-too-slow');
  expect(await readingOf(250)).toBe('request-too-slow');
});
