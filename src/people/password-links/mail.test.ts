/** §1: one-time links by mail, against a real mail server. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openApp, type TestApp, useApp } from '../../../test/app.ts';
import { bodyOf, person } from '../../../test/builders/records.ts';

/** What the mail server took: its recipients and its text, without the breaks of lines that are too long. */
const taken: { to: string[]; from: string; text: string }[] = [];
let isRefusing = false;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, session, done) => {
    let text = '';
    stream.on('data', piece => (text += piece));
    stream.on('end', () => {
      if (isRefusing) return done(new Error('not now'));
      const { mailFrom, rcptTo } = session.envelope;
      const lines = text.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=');
      taken.push({ to: rcptTo.map(({ address }) => address), from: mailFrom ? mailFrom.address : '', text: lines });
      done();
    });
  },
});

const silent = useApp();
let app: TestApp;
beforeAll(async () => {
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  app = await openApp({
    TERRANE_SMTP_URL: `smtp://127.0.0.1:${port}`,
    TERRANE_PUBLIC_URL: 'https://terrane.example',
    TERRANE_LOG_LEVEL: 'silent',
  });
});
afterAll(async () => {
  await app.close();
  await new Promise<void>(resolve => server.close(resolve));
});
beforeEach(async () => {
  taken.length = 0;
  isRefusing = false;
  await app.store.read`delete from sign_in_attempts`;
});

const ask = (on: TestApp, name: string) => on.post('password-links', null, bodyOf('password-links', { name }));
const linkIn = (text: string) =>
  /https:\/\/terrane\.example\/app\/~\/password#user=[\w-]+&link=(\w{43})/.exec(text)?.[1];
const letters = (count: number) => vi.waitFor(() => expect(taken).toHaveLength(count), { timeout: 10_000 });

test('§1 asked for by name or by address, the link comes by mail to the address of the account, and is good', async () => {
  const someone = await person(app);
  for (const name of [someone.username, someone.email.toUpperCase()]) {
    const answer = await ask(app, name);
    expect([answer.status, answer.text]).toEqual([202, '']);
  }
  await letters(2);
  for (const { to, from } of taken) expect([to, from]).toEqual([[someone.email], 'terrane@terrane.example']);
  const link = linkIn(taken[0]!.text)!;
  const body = bodyOf('passwords', { link, password: 'the words that I chose' });
  expect((await app.post('passwords', null, body)).status).toBe(201);
});

test('§1 for an account that does not exist the answer is the same, and no letter goes out', async () => {
  const someone = await person(app);
  const answers = [await ask(app, 'nobody-at-all'), await ask(app, someone.username)];
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [202, ''],
    [202, ''],
  ]);
  await letters(1);
  const counted = async (name: string) => {
    const statuses: number[] = [];
    for (let round = 0; round < 6; round += 1) statuses.push((await ask(app, name)).status);
    return statuses;
  };
  await app.store.read`delete from sign_in_attempts`;
  const unknown = await counted('nobody-at-all');
  expect(unknown).toEqual([202, 202, 202, 202, 202, 429]);
  expect(await counted(someone.username)).toEqual(unknown);
  await letters(6);
});

test('§1 a link that an administrator makes is mailed, too', async () => {
  const [someone, administrator] = [await person(app), await person(app, { isAdmin: true })];
  const { data } = await app.post(`admin/users/${someone.id}/password-links`, administrator.token);
  await letters(1);
  expect(linkIn(taken[0]!.text)).toBe(linkIn(data.attributes.url));
});

test('§1 a mail server that refuses is no fault of who asked', async () => {
  isRefusing = true;
  expect((await ask(app, (await person(app)).username)).status).toBe(202);
});

test('§1 without a mail server nobody is promised a letter', async () => {
  const options = async (on: TestApp) => (await on.get('sign-in-options', null)).data.attributes;
  expect(await options(app)).toEqual({ password: true, 'lost-password-mail': true, providers: [] });
  expect(await options(silent)).toEqual({ password: true, 'lost-password-mail': false, providers: [] });
  expect((await ask(silent, (await person(silent)).username)).status).toBe(409);
});
