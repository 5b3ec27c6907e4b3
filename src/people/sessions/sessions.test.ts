/** §1: how long sessions last, who sees and ends them, and from where the API takes them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Ask, type Document, openAppOn, useApp } from '../../../test/app.ts';
import {
  bodyOf,
  join,
  member,
  organization,
  type Person,
  passwordOf,
  person,
  sessionOf,
} from '../../../test/builders/records.ts';
import { createDatabase } from '../../../test/running/database.ts';
import { sweepSessions } from './start.ts';

const app = useApp();
let administrator: Person;
beforeAll(async () => {
  administrator = await person(app, { isAdmin: true });
});

const statusWith = async (session: string) => (await app.get('account/session', session)).status;
const idsIn = ({ data }: { data: Document[] }) => data.map(({ id }) => id);
const idOf = async (session: string): Promise<string> => (await app.get('account/session', session)).data.id;

/** Moves the session as far into the past. */
async function age(id: string, used: string, begun = used): Promise<void> {
  await app.store.read`
    update sessions set last_used_at = now() - ${used}::interval, created_at = now() - ${begun}::interval,
      expires_at = sessions.expires_at - ${begun}::interval
    where sessions.id = ${id}`;
}

describe('how long', () => {
  test('§1 ends after 8 hours without use, and after 7 days in any case', async () => {
    const someone = await person(app);
    for (const [used, begun, status] of [
      ['479 minutes', '479 minutes', 200],
      ['481 minutes', '481 minutes', 401],
      ['1 minute', '6 days 23 hours', 200],
      ['1 minute', '7 days 1 minute', 401],
    ] as const) {
      const session = await sessionOf(app, someone);
      await age(await idOf(session), used, begun);
      expect([used, begun, await statusWith(session)]).toEqual([used, begun, status]);
    }
  });

  test('§1 use keeps it, as every server of the database learns', async () => {
    const database = await createDatabase();
    const [one, two] = [await openAppOn(database), await openAppOn(database)];
    const someone = await person(one);
    const session = await sessionOf(one, someone);
    await one.store.read`update sessions set last_used_at = now() - interval '7 hours'`;
    expect((await one.get('account/session', session)).status).toBe(200);
    await one.close();
    const [kept] = await two.store
      .read`select sessions.last_used_at > now() - interval '1 minute' as is_used from sessions`;
    expect(kept!['is_used']).toBe(true);
    expect((await two.get('account/session', session)).status).toBe(200);
    await two.close();
    await database.drop();
  });

  test("§1 an organization's session-timeout and session-remember shorten those of its members, from that moment on", async () => {
    const acme = await organization(app);
    const [inside, outside] = [await member(app, acme), await person(app)];
    const set = (attributes: object) =>
      app.patch(`organizations/${acme.name}`, acme.owner.token, bodyOf('organizations', attributes));
    const begin = async (someone: Person, used: string, begun: string) => {
      const session = await sessionOf(app, someone);
      await age(await idOf(session), used, begun);
      return session;
    };
    const both = await Promise.all([inside, outside].map(one => begin(one, '31 minutes', '61 minutes')));
    const statuses = async () => [await statusWith(both[0]!), await statusWith(both[1]!)];
    expect(await statuses()).toEqual([200, 200]);
    await set({ 'session-timeout': 30 });
    expect(await statuses()).toEqual([401, 200]);
    await set({ 'session-timeout': null, 'session-remember': 60 });
    expect(await statuses()).toEqual([401, 200]);
    await set({ 'session-timeout': 10_000, 'session-remember': 500_000 });
    expect(await statuses()).toEqual([200, 200]);
    const late = await begin(inside, '481 minutes', '8 days');
    expect(await statusWith(late)).toBe(401);
  });

  test('§1 the document says when, the sooner of what the site and the organizations say', async () => {
    const acme = await organization(app);
    await app.store.read`
      update organizations set session_timeout = 15, session_remember = 120, revision = default
      where organizations.id = ${acme.key}`;
    const someone = await person(app);
    const session = await sessionOf(app, someone);
    const minutes = async () => {
      const { attributes } = (await app.get('account/session', session)).data;
      const since = (from: string, to: string) =>
        Math.round((Date.parse(attributes[to]) - Date.parse(attributes[from])) / 60_000);
      return [since('last-used-at', 'idle-ends-at'), since('created-at', 'ends-at')];
    };
    expect(await minutes()).toEqual([480, 7 * 24 * 60]);
    await join(app, acme, someone);
    expect(await minutes()).toEqual([15, 120]);
  });

  test('§1 what has ended is shown nowhere, and swept away', async () => {
    const someone = await person(app);
    const [open, over] = [await sessionOf(app, someone), await sessionOf(app, someone)];
    await age(await idOf(over), '9 hours');
    expect(idsIn(await app.get('account/sessions', someone.token))).toEqual([await idOf(open)]);
    await sweepSessions(app.store.read);
    const left = await app.store.read`select sessions.id from sessions where sessions.user_id = ${someone.id}`;
    expect(left.map(({ id }) => id)).toEqual([await idOf(open)]);
  });
});

describe('whose', () => {
  test('§1 signing out ends the one at hand, takes the cookie away, and nothing opens it again', async () => {
    const someone = await person(app);
    const [here, there] = [await sessionOf(app, someone), await sessionOf(app, someone)];
    const answer = await app.delete('account/session', here);
    expect(answer.status).toBe(204);
    expect(answer.headers['set-cookie']).toBe(
      'terrane-session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
    );
    expect([await statusWith(here), await statusWith(there)]).toEqual([401, 200]);
    expect((await app.delete('account/session', someone.token)).status).toBe(404);
  });

  test('§1 one by one and all the others at once, each its own person only', async () => {
    const [someone, another] = [await person(app), await person(app)];
    const [one, two, three] = [
      await sessionOf(app, someone),
      await sessionOf(app, someone),
      await sessionOf(app, someone),
    ];
    const foreign = await sessionOf(app, another);
    const ended = await app.delete(`sessions/${await idOf(two)}`, one);
    expect([ended.status, ended.headers['set-cookie']]).toEqual([204, undefined]);
    expect((await app.delete(`sessions/${await idOf(foreign)}`, one)).status).toBe(404);
    const left = [await idOf(one), await idOf(three)];
    expect(idsIn(await app.get('account/sessions', one)).sort()).toEqual(left.sort());
    expect((await app.delete('account/sessions', one)).status).toBe(204);
    expect(await Promise.all([one, two, three, foreign].map(statusWith))).toEqual([200, 401, 401, 200]);
    expect((await app.delete('account/sessions', someone.token)).status).toBe(204);
    expect(await statusWith(one)).toBe(401);
  });

  test('§1 a site administrator lists and ends those of anybody; deleting an account ends them too', async () => {
    const someone = await person(app);
    const path = `admin/users/${someone.id}/sessions`;
    const before = await sessionOf(app, someone);
    const id = await idOf(before);
    expect(idsIn(await app.get(path, administrator.token))).toEqual([id]);
    expect((await app.delete(path, administrator.token)).status).toBe(204);
    expect(await statusWith(before)).toBe(401);
    const [event] = (await app.get('admin/audit-events', administrator.token)).data;
    expect(event.attributes).toMatchObject({ action: 'sessions.end-of-user', changes: { ended: [id] } });
    const after = await sessionOf(app, someone);
    expect((await app.delete(`admin/users/${someone.id}`, administrator.token)).status).toBe(204);
    expect(await statusWith(after)).toBe(401);
  });

  test("§1 a session is not refused where users' tokens are, and makes tokens as its person", async () => {
    const acme = await organization(app);
    await app.store.read`
      update organizations set user_tokens_enabled = false, revision = default where organizations.id = ${acme.key}`;
    const session = await sessionOf(app, acme.owner);
    expect((await app.get(`organizations/${acme.name}`, acme.owner.token)).status).toBe(401);
    expect((await app.get(`organizations/${acme.name}`, session)).status).toBe(200);
    const path = `users/${acme.owner.id}/authentication-tokens`;
    const made = await app.post(path, session, bodyOf('authentication-tokens', { description: 'from the browser' }));
    expect(made.status).toBe(201);
    expect((await app.get('account/details', made.data.attributes.token)).data.id).toBe(acme.owner.id);
  });

  test('§5 a show by a session → 1 statement, who it is included, once this server has seen it', async () => {
    const acme = await organization(app);
    const session = await sessionOf(app, acme.owner);
    const counts: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      counts.push((await app.statementsOf(() => app.get(`organizations/${acme.name}`, session))).length);
    }
    expect(counts).toEqual([2, 1, 1]);
  });
});

describe('from where', () => {
  const secretOf = (session: string) => session.slice('session '.length);
  /** Nothing but the cookie, and what is given. */
  const bare = (method: string, path: string, session: string, headers: Record<string, string>, body?: unknown) =>
    app.call(method, path, { headers: { cookie: `terrane-session=${secretOf(session)}`, ...headers }, body } as Ask);

  test('§5 twenty ways in which another site asks → 403, and nothing changes', async () => {
    const acme = await organization(app);
    const session = await sessionOf(app, acme.owner);
    const claims: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': '' },
      { 'sec-fetch-site': 'same-origin, cross-site' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1:8080' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:8081' },
      { origin: 'https://127.0.0.1:8080' },
      { origin: 'http://127.0.0.1:8080.evil.example' },
      { origin: 'http://evil.example', referer: 'http://127.0.0.1:8080/app' },
      { origin: '' },
      { referer: 'https://evil.example/127.0.0.1:8080' },
      { referer: 'http://127.0.0.1:8080@evil.example/' },
      { referer: 'not an address' },
      { referer: '//127.0.0.1:8080/' },
      { referer: 'http://localhost.evil.example/' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    ];
    expect(claims).toHaveLength(20);
    const path = `organizations/${acme.name}/teams`;
    const asked = claims.flatMap(headers => [
      bare('POST', path, session, headers, bodyOf('teams', { name: 'made-elsewhere' })),
      bare('GET', path, session, headers),
      bare('DELETE', 'account/session', session, headers),
    ]);
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect((await app.get(path, acme.owner.token)).data).toHaveLength(1);
    expect(await statusWith(session)).toBe(200);
  });

  test('§5 what a form can send is refused for its media type, even from here', async () => {
    const session = await sessionOf(app, await person(app));
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/json']) {
      const headers = { 'sec-fetch-site': 'same-origin', 'content-type': type };
      expect((await bare('DELETE', 'account/session', session, headers)).status).toBe(415);
    }
    expect(await statusWith(session)).toBe(200);
  });

  test('§5 pages of this site are let in by Sec-Fetch-Site, or by Origin or Referer where a browser leaves that out', async () => {
    const session = await sessionOf(app, await person(app));
    for (const headers of [
      { 'sec-fetch-site': 'same-origin' },
      { origin: 'http://127.0.0.1:8080' },
      { referer: 'http://127.0.0.1:8080/app/acme/workspaces' },
      { host: 'terrane.internal:9000', origin: 'http://terrane.internal:9000' },
    ] as Record<string, string>[]) {
      expect((await bare('GET', 'account/session', session, headers)).status).toBe(200);
    }
  });

  test('§5 a token needs no proof and counts before a cookie; a session is no token', async () => {
    const [someone, another] = [await person(app), await person(app)];
    const session = await sessionOf(app, another);
    const headers = { cookie: `terrane-session=${secretOf(session)}`, 'sec-fetch-site': 'cross-site' };
    const shown = await app.call('GET', 'account/details', { token: someone.token, headers });
    expect([shown.status, shown.data.id]).toEqual([200, someone.id]);
    expect((await app.get('account/details', secretOf(session))).status).toBe(401);
    const asSession = `session ${someone.token}`;
    expect(await statusWith(asSession)).toBe(401);
  });

  test('§1 with https the cookie is bound to the host and to TLS, and the plain name counts for nothing', async () => {
    const database = await createDatabase();
    const secure = await openAppOn(database, { TERRANE_PUBLIC_URL: 'https://terrane.example' });
    const someone = await person(secure);
    const body = bodyOf('sessions', { name: someone.username, password: await passwordOf(secure, someone) });
    const { headers } = await secure.post('sessions', null, body);
    const [, secret] = /^__Host-terrane-session=(\w{43}); Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/.exec(
      headers['set-cookie'] ?? '',
    )!;
    const withCookie = async (cookie: string) =>
      (await secure.call('GET', 'account/session', { headers: { cookie, 'sec-fetch-site': 'same-origin' } })).status;
    expect(await withCookie(`__Host-terrane-session=${secret}`)).toBe(200);
    expect(await withCookie(`terrane-session=${secret}`)).toBe(401);
    await secure.close();
    await database.drop();
  });
});
