/** §1: people sign in with a password. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, useApp } from '../../../test/app.ts';
import {
  bodyOf,
  organization,
  type Person,
  passwordOf,
  person,
  sessionOf,
  tokenOf,
} from '../../../test/builders/records.ts';
import { limits } from '../../core/limits.ts';
import { sweepAttempts } from '../attempts/attempts.ts';
import { hashCount } from '../passwords/hash.ts';

const app = useApp();
let administrator: Person;
beforeAll(async () => {
  administrator = await person(app, { isAdmin: true });
});

const signIn = (name: string, password: string, headers: Record<string, string> = {}) =>
  app.call('POST', 'sessions', { body: bodyOf('sessions', { name, password }), headers });
const cookieOf = (answer: Answer) => answer.headers['set-cookie']!;
const sessionIn = (answer: Answer) => `session ${/^terrane-session=(\w+);/.exec(cookieOf(answer))![1]}`;
const statusWith = async (token: string) => (await app.get('account/details', token)).status;
/** All tests come from one address, and its attempts count together. */
const forgetAttempts = () => app.store.read`delete from sign_in_attempts`;

describe('signing in', () => {
  test('§1 by name or by address → 201, the session without its secret, and a cookie that opens what the token opens', async () => {
    const someone = await person(app);
    const acme = await organization(app, { owner: someone });
    const password = await passwordOf(app, someone);
    for (const name of [someone.username, someone.email.toUpperCase()]) {
      const answer = await signIn(name, password, { 'user-agent': 'a browser' });
      expect(answer.status).toBe(201);
      expect(answer.data).toEqual({
        id: expect.stringMatching(/^sess-/),
        type: 'sessions',
        attributes: {
          'created-at': expect.any(String),
          'last-used-at': expect.any(String),
          'idle-ends-at': expect.any(String),
          'ends-at': expect.any(String),
          method: 'password',
          'remote-address': '127.0.0.1',
          'user-agent': 'a browser',
          'is-current': true,
        },
        relationships: {
          user: { data: { id: someone.id, type: 'users' }, links: { related: `/api/v2/users/${someone.id}` } },
        },
        links: { self: `/api/v2/sessions/${answer.data.id}` },
      });
      const session = sessionIn(answer);
      expect(answer.text).not.toContain(session.slice('session '.length));
      const shown = await app.get(`organizations/${acme.name}`, session);
      expect([shown.status, shown.data]).toEqual([
        200,
        (await app.get(`organizations/${acme.name}`, someone.token)).data,
      ]);
      expect((await app.get('account/session?include=user', session)).document.included[0].id).toBe(someone.id);
    }
  });

  test('§1 the cookie is for this host, the API alone reads it, other sites do not send it, and with TLS it needs TLS', async () => {
    const someone = await person(app);
    const plain = cookieOf(await signIn(someone.username, await passwordOf(app, someone)));
    expect(plain).toMatch(/^terrane-session=\w{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
  });

  test('§1 a wrong password, an unknown name, an account without one, a service account: the same bytes after the same work', async () => {
    await forgetAttempts();
    const someone = await person(app);
    await passwordOf(app, someone);
    const without = await person(app);
    await signIn('nobody', 'makes what the rest is compared with');
    await forgetAttempts();
    const hashed = hashCount();
    const answers = [
      await signIn(someone.username, 'not the password at all'),
      await signIn('nobody-of-this-name', 'not the password at all'),
      await signIn('nobody@example.com', 'not the password at all'),
      await signIn(without.username, 'not the password at all'),
      await signIn('nobody', ''),
    ];
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(answers.map(({ headers }) => headers['set-cookie'])).toEqual(answers.map(() => undefined));
    expect(hashCount() - hashed).toBe(answers.length);
  });

  test('§1 a session or a token that is not good any more does not stand in the way', async () => {
    const someone = await person(app);
    const password = await passwordOf(app, someone);
    const headers = { authorization: 'Bearer gone', cookie: 'terrane-session=gone' };
    expect((await signIn(someone.username, password, headers)).status).toBe(201);
  });

  test('§1 who signed in, and who was refused, is in the audit of the site', async () => {
    await forgetAttempts();
    const someone = await person(app);
    const password = await passwordOf(app, someone);
    const { data } = await signIn(someone.username, password);
    await signIn(someone.username, 'not the password at all');
    const events = (await app.get('admin/audit-events', administrator.token)).data;
    expect(events.slice(0, 2).map((one: { attributes: object }) => one.attributes)).toMatchObject([
      { action: 'sessions.refuse', 'actor-type': 'visitor', 'resource-type': 'users', 'resource-id': someone.id },
      {
        action: 'sessions.create',
        'actor-type': 'user',
        'actor-id': someone.id,
        'actor-name': someone.username,
        'token-id': data.id,
        'resource-id': data.id,
      },
    ]);
  });
});

describe('guessing', () => {
  const guess = (name: string) => signIn(name, 'not the password at all');

  test('§1 1,000 guesses at once → at most 20 hashes, the rest 429 with when to try again; then the right one waits too', async () => {
    await forgetAttempts();
    const [someone, another] = [await person(app), await person(app)];
    const password = await passwordOf(app, someone);
    await passwordOf(app, another);
    const names = [someone.username, someone.email, another.username, 'nobody-at-all', 'nobody@example.com'];
    const hashed = hashCount();
    const answers = await Promise.all(Array.from({ length: 1000 }, (_, at) => guess(names[at % names.length]!)));
    expect(hashCount() - hashed).toBeLessThanOrEqual(limits.addressAttempts_items.value);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
    const limited = answers.find(({ status }) => status === 429)!;
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(limits.attemptsWindow_ms.value / 1000 - 100);
    expect((await signIn(someone.username, password)).status).toBe(429);
    await forgetAttempts();
    expect((await signIn(someone.username, password)).status).toBe(201);
  });

  test('§1 an account that does not exist is limited as one that does', async () => {
    await forgetAttempts();
    const someone = await person(app);
    await passwordOf(app, someone);
    const statuses = async (name: string) => {
      const answers: number[] = [];
      for (let attempt = 0; attempt < 7; attempt += 1) answers.push((await guess(name)).status);
      return answers;
    };
    const real = await statuses(someone.username);
    expect(real).toEqual([...Array(limits.accountAttempts_items.value).fill(401), 429, 429]);
    expect(await statuses('nobody-of-that-name')).toEqual(real);
  });

  test('§1 guesses from elsewhere do not keep a person out of where they signed in before', async () => {
    await forgetAttempts();
    const someone = await person(app);
    const password = await passwordOf(app, someone);
    const from = (address: string, given: string) =>
      app.app.inject({
        method: 'POST',
        url: '/api/v2/sessions',
        remoteAddress: address,
        headers: { 'content-type': 'application/vnd.api+json' },
        payload: JSON.stringify(bodyOf('sessions', { name: someone.username, password: given })),
      });
    expect((await from('192.0.2.1', password)).statusCode).toBe(201);
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess += 1) {
      statuses.push((await from(`198.51.100.${guess}`, 'not the password at all')).statusCode);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await from('203.0.113.9', password)).statusCode).toBe(429);
    expect((await from('192.0.2.1', password)).statusCode).toBe(201);
    // At home guesses are limited as well.
    const atHome: number[] = [];
    for (let guess = 0; guess < 6; guess += 1) {
      atHome.push((await from('192.0.2.1', 'not the password at all')).statusCode);
    }
    expect(atHome).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('§1 from an address of IPv6 in which no group is left out, as most are, too', async () => {
    const someone = await person(app);
    const answer = await app.app.inject({
      method: 'POST',
      url: '/api/v2/sessions',
      remoteAddress: '2001:db8:1:2:3:4:5:6',
      headers: { 'content-type': 'application/vnd.api+json' },
      payload: JSON.stringify(bodyOf('sessions', { name: someone.username, password: await passwordOf(app, someone) })),
    });
    expect(answer.statusCode).toBe(201);
  });

  test('§1 where somebody signed in is remembered for a while', async () => {
    const someone = await person(app);
    const [first, last] = [Buffer.from(`first of ${someone.id}`), Buffer.from(`last of ${someone.id}`)];
    const days = limits.familiarAddress_days.value;
    await app.store.read`
      insert into familiar_addresses (key, user_id, last_used_at)
      values (${first}, ${someone.id}, now() - ${days + 1} * interval '1 day'),
        (${last}, ${someone.id}, now() - ${days - 1} * interval '1 day')`;
    await sweepAttempts(app.store.read);
    const left = await app.store.read<{ key: Buffer }[]>`
      select familiar_addresses.key from familiar_addresses where familiar_addresses.user_id = ${someone.id}`;
    expect(left.map(({ key }) => String(key))).toEqual([String(last)]);
  });

  test('§1 the program that somebody signs in with is known by the beginning of its name', async () => {
    await forgetAttempts();
    const someone = await person(app);
    const most = limits.userAgent_characters.value;
    const answer = await app.app.inject({
      method: 'POST',
      url: '/api/v2/sessions',
      headers: { 'content-type': 'application/vnd.api+json', 'user-agent': 'u'.repeat(most + 1) },
      payload: JSON.stringify(bodyOf('sessions', { name: someone.username, password: await passwordOf(app, someone) })),
    });
    expect(answer.json().data.attributes['user-agent']).toBe('u'.repeat(most));
  });

  test('§1 signing in forgets the attempts of the account', async () => {
    await forgetAttempts();
    const someone = await person(app);
    const password = await passwordOf(app, someone);
    for (let round = 0; round < 3; round += 1) {
      for (let attempt = 0; attempt < 4; attempt += 1) expect((await guess(someone.username)).status).toBe(401);
      expect((await signIn(someone.username, password)).status).toBe(201);
    }
  });
});

describe('a password', () => {
  const change = (token: string, attributes: object) =>
    app.patch('account/password', token, bodyOf('passwords', attributes));

  test('§1 the first one needs no other; the next one needs the one before, and ends every other session', async () => {
    await forgetAttempts();
    const someone = await person(app);
    const [here, there] = [await sessionOf(app, someone), await sessionOf(app, someone)];
    expect((await change(here, { password: 'the first of my own' })).status).toBe(204);
    expect([await statusWith(here), await statusWith(there)]).toEqual([200, 401]);
    const without = await change(here, { password: 'the second of my own' });
    expect([without.status, without.pointers]).toEqual([422, ['/data/attributes/current-password']]);
    const wrong = await change(here, { password: 'the second of my own', 'current-password': 'another one' });
    expect(wrong.text).toBe(without.text);
    expect((await signIn(someone.username, 'the first of my own')).status).toBe(201);
    const right = { password: 'the second of my own', 'current-password': 'the first of my own' };
    expect((await change(someone.token, right)).status).toBe(204);
    expect(await statusWith(here)).toBe(401);
    expect((await signIn(someone.username, 'the first of my own')).status).toBe(401);
    expect((await signIn(someone.username, 'the second of my own')).status).toBe(201);
  });

  test('§1 needs 12 characters, has no more than 256, is not tried first by everybody, and is not the name', async () => {
    const someone = await person(app, { username: 'a-rather-long-name' });
    const refused = [
      'eleven char',
      'x'.repeat(257),
      'QWERTY123456',
      'administrator',
      'A-Rather-Long-Name',
      someone.email,
    ];
    for (const password of refused) {
      const answer = await change(someone.token, { password });
      expect([password, answer.status, answer.pointers]).toEqual([password, 422, ['/data/attributes/password']]);
      expect(answer.text).not.toContain(password);
    }
    for (const password of ['пароль из слов', '            .', '🔑'.repeat(12)]) {
      await app.store.read`delete from passwords where passwords.user_id = ${someone.id}`;
      expect([password, (await change(someone.token, { password })).status]).toEqual([password, 204]);
    }
  });

  test('§1 two changes at once: one holds', async () => {
    await forgetAttempts();
    const someone = await person(app);
    const before = await passwordOf(app, someone);
    const wishes = ['one of two new ones', 'two of two new ones'];
    const answers = await Promise.all(
      wishes.map(password => change(someone.token, { password, 'current-password': before })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422]);
  });

  test('§1 hashed with less than today is hashed anew at the next sign-in', async () => {
    await forgetAttempts();
    const { hash } = await import('@node-rs/argon2');
    const someone = await person(app);
    const old = await hash('a password of old times', { memoryCost: 8192, timeCost: 2 });
    await app.store.read`insert into passwords (user_id, hash) values (${someone.id}, ${old})`;
    expect((await signIn(someone.username, 'a password of old times')).status).toBe(201);
    const [{ hash: now } = { hash: '' }] = await app.store.read<{ hash: string }[]>`
      select passwords.hash from passwords where passwords.user_id = ${someone.id}`;
    expect(now).toMatch(/^\$argon2id\$v=19\$m=32768,t=3,p=1\$/);
    expect((await signIn(someone.username, 'a password of old times')).status).toBe(201);
  });

  test('§1 service accounts have none', async () => {
    const acme = await organization(app);
    const [account] = await app.store.read`
      insert into users (id, username, email, is_service_account, service_of_id)
      values ('user-0000000000000001', 'api-org-x', 'x@service.invalid', true, ${acme.key}) returning users.id`;
    const token = await tokenOf(app, { kind: 'organization', user_id: account!['id'], organization_id: acme.key });
    expect((await change(token, { password: 'four words of my own' })).status).toBe(404);
  });
});
