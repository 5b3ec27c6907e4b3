/** §1: letters to a mail server that says nothing. */
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useLimits } from '../../../test/limits.ts';
import type { Config } from '../../core/config.ts';
import { limits } from '../../core/limits.ts';
import { sendMail } from './mail.ts';

useLimits({ mailTime_ms: 400, waitingMails_items: 3 });

const sockets: Socket[] = [];
const silent = createServer(socket => void sockets.push(socket));
beforeAll(() => new Promise<void>(done => void silent.listen(0, '127.0.0.1', done)));
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
});

test('§1 so many letters wait for the mail server, the next ones fail at once, and those that wait do in time', async () => {
  const { port } = silent.address() as { port: number };
  const config = { smtpUrl: `smtp://127.0.0.1:${port}` } as Config;
  const letter = { to: 'ada@example.com', subject: 'A link', text: 'It is here.' };
  const waiting = Array.from({ length: limits.waitingMails_items.value }, () => sendMail(config, letter));
  await expect(sendMail(config, letter)).rejects.toThrow('Too many mails wait');
  const ended = await Promise.allSettled(waiting);
  expect(ended.map(({ status }) => status)).toEqual(Array(waiting.length).fill('rejected'));
  // Nobody waits any more: the next one is tried again.
  await expect(sendMail(config, letter)).rejects.not.toThrow('Too many mails wait');
});
