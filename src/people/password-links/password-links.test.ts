/** §1: one-time links, by which people set a password without knowing one. */
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, type Person, passwordOf, person, secondFactorOf, sessionOf } from '../../../test/builders/records.ts';
import { sweepLinks } from './password-link.ts';

const app = useApp();
let administrator: Person;
beforeAll(async () => {
  administrator = await person(app, { isAdmin: true });
});

async function linkFor(someone: Person): Promise<string> {
  const { status, data } = await app.post(`admin/users/${someone.id}/password-links`, administrator.token);
  expect(status).toBe(201);
  return new URLSearchParams(new URL(data.attributes.url).hash.slice(1)).get('link')!;
}
const redeem = (link: string, password: string, code?: string) =>
  app.post('passwords', null, bodyOf('passwords', { link, password, ...(code !== undefined && { code }) }));
const signIn = async (someone: Person, password: string) =>
  (await app.post('sessions', null, bodyOf('sessions', { name: someone.username, password }))).status;

test('§1 a link is shown once, to who made it: a page of the web interface, with the secret where no server sees it', async () => {
  const someone = await person(app);
  const { data, text } = await app.post(`admin/users/${someone.id}/password-links`, administrator.token);
  expect(data).toEqual({
    id: expect.stringMatching(/^plink-/),
    type: 'password-links',
    attributes: {
      'expires-at': expect.any(String),
      url: expect.stringMatching(
        new RegExp(`^http://127.0.0.1:8080/app/~/password#user=${someone.username}&link=\\w{43}$`),
      ),
    },
  });
  const hours = (Date.parse(data.attributes['expires-at']) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);
  const secret = new URL(data.attributes.url).hash.split('link=')[1]!;
  const [event] = (await app.get('admin/audit-events', administrator.token)).data;
  expect(event.attributes).toMatchObject({ action: 'password-links.create', 'resource-name': someone.username });
  expect(JSON.stringify(event)).not.toContain(secret);
  expect(text).toContain(secret);
});

test('§1 it sets the password, ends every session before and begins one; the other links of the account are void too', async () => {
  const someone = await person(app);
  const before = await passwordOf(app, someone);
  const session = await sessionOf(app, someone);
  const [link, other] = [await linkFor(someone), await linkFor(someone)];
  const answer = await redeem(link, 'the words that I chose');
  expect([answer.status, answer.data.attributes.method]).toEqual([201, 'one-time-link']);
  const begun = `session ${/^terrane-session=(\w+);/.exec(answer.headers['set-cookie']!)![1]}`;
  expect((await app.get('account/details', begun)).data.id).toBe(someone.id);
  expect((await app.get('account/session', session)).status).toBe(401);
  expect([await signIn(someone, before), await signIn(someone, 'the words that I chose')]).toEqual([401, 201]);
  for (const used of [link, other, 'never-made']) {
    const refused = await redeem(used, 'the words of somebody else');
    expect([refused.status, refused.headers['set-cookie']]).toEqual([410, undefined]);
  }
});

test('§1 a password that breaks the rules leaves the link as it was', async () => {
  const someone = await person(app);
  const link = await linkFor(someone);
  for (const password of ['short', 'qwerty123456']) {
    expect((await redeem(link, password)).pointers).toEqual(['/data/attributes/password']);
  }
  expect((await redeem(link, 'the words that I chose')).status).toBe(201);
});

test('§1 five at once with one link → one sets its password', async () => {
  const someone = await person(app);
  const link = await linkFor(someone);
  const passwords = Array.from({ length: 5 }, (_, at) => `the words of number ${at}`);
  const answers = await Promise.all(passwords.map(password => redeem(link, password)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 410, 410, 410, 410]);
  const winner = passwords[answers.findIndex(({ status }) => status === 201)]!;
  expect(await signIn(someone, winner)).toBe(201);
});

test('§1 after a day it is void, and swept away', async () => {
  const someone = await person(app);
  const link = await linkFor(someone);
  await app.store.read`
    update password_links set expires_at = now() - interval '1 second' where password_links.user_id = ${someone.id}`;
  expect((await redeem(link, 'the words that I chose')).status).toBe(410);
  await sweepLinks(app.store.read);
  const left = await app.store.read`select from password_links where password_links.user_id = ${someone.id}`;
  expect(left).toHaveLength(0);
});

test('§1 where the account has a second factor, the link alone is not enough', async () => {
  const someone = await person(app);
  const { code } = await secondFactorOf(app, someone);
  const link = await linkFor(someone);
  const without = await redeem(link, 'the words that I chose');
  expect([without.status, without.document.errors[0].title]).toEqual([401, 'second factor needed']);
  expect((await redeem(link, 'the words that I chose', '000000')).status).toBe(401);
  expect((await redeem(link, 'the words that I chose', code())).status).toBe(201);
});
