/** §4.3 The log of a job on its way: in order, once, within its limit, whatever happens to single pieces. */
import { expect, test } from 'vitest';
import { jobLog } from './log.ts';

/** A server that takes what begins at its end, and loses some of its answers. */
function server(loses: (call: number) => boolean = () => false) {
  let text = '';
  let calls = 0;
  const send = async (offset: number, piece: Buffer) => {
    for (;;) {
      calls += 1;
      if (offset === text.length) text += piece.toString('latin1');
      // Whoever gets no answer sends the same again.
      if (!loses(calls)) return { length: text.length, signal: null };
    }
  };
  return { send, text: () => text };
}

test('everything arrives in its order, also when answers are lost', async () => {
  const { send, text } = server(call => call % 2 === 1);
  const log = jobLog(send, [], 1_000_000);
  let expected = '';
  for (let line = 0; line < 200; line += 1) {
    log.write(`line ${line}\n`);
    expected += `line ${line}\n`;
    await log.room();
  }
  await log.close();
  expect(text()).toBe(expected);
});

test('past the limit it says so once, and takes no more', async () => {
  const { send, text } = server();
  const log = jobLog(send, [], 1000);
  for (let line = 0; line < 500; line += 1) log.write('0123456789\n');
  await log.close();
  expect(text()).toHaveLength(1000);
  expect(text().match(/has reached its limit of 1000 bytes/g)).toHaveLength(1);
});

test('values are masked before they leave', async () => {
  const { send, text } = server();
  const log = jobLog(send, ['open sesame'], 1000);
  log.write('say open ses');
  log.write('ame now');
  await log.close();
  expect(text()).toBe('say *** now');
});

test('a server that wants no more lets whoever writes go on', async () => {
  const refuse = () => Promise.reject(new Error('gone'));
  const log = jobLog(refuse, [], 100_000_000);
  for (let piece = 0; piece < 20; piece += 1) {
    log.write('x'.repeat(1_000_000));
    await log.room();
  }
  await log.close();
});
