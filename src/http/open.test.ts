/** §1: what needs no token is served to everybody, whoever comes and goes. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { useApp } from '../../test/app.ts';
import { collect, useListening } from '../../test/running/sockets.ts';

const app = useApp({ TERRANE_TRUST_PROXY: '127.0.0.1' });
const server = useListening(app);

const from = (address: string) =>
  `GET /api/v2/openapi.json HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${address}\r\n`;

test('§1 who asks for many descriptions beside others, and leaves while they wait for their turn, ends nothing', async () => {
  expect((await server.ask(from('203.0.113.7'))).status).toBe(200);
  const socket = connect(server.port, '127.0.0.1');
  const ended = collect(socket);
  socket.once('data', () => socket.destroy());
  socket.write(`${from('198.51.100.9')}\r\n`.repeat(60));
  await ended;
  // Longer than any of them waits to be begun. A fault that nobody catches fails this run, and would end a server.
  await sleep(1500);
  expect((await server.ask(from('198.51.100.9'))).status).toBe(200);
});
