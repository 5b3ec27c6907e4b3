/** §1: the second factor of people. */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  type Person,
  passwordOf,
  person,
  secondFactorOf,
  serviceTokenOf,
  sessionOf,
} from '../../../test/builders/records.ts';
import { authenticator } from './codes.ts';

const app = useApp();
let administrator: Person;
beforeAll(async () => {
  administrator = await person(app, { isAdmin: true });
});
afterEach(() => app.store.read`delete from sign_in_attempts`);

const path = 'account/second-factor';
const act = (token: string, action: string, code: string) =>
  app.post(`${path}/actions/${action}`, token, bodyOf('second-factors', { code }));
const signIn = (someone: Person, password: string, code?: string) =>
  app.post('sessions', null, bodyOf('sessions', { name: someone.username, password, ...(code && { code }) }));
const titles = ({ document }: Answer) => document.errors?.map(({ title }: { title: string }) => title);
/** The code of the period `away` from now: a clock that is wrong. */
const codeAt = (secret: string, away: number) =>
  authenticator(secret).generate({ timestamp: Date.now() + away * 30_000 });
const forgetPeriods = () => app.store.read`update second_factors set last_period = 0`;

async function turnOn(someone: Person): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await app.post(path, someone.token, bodyOf('second-factors', {}))).data.attributes;
  const { data } = await act(someone.token, 'confirm', codeAt(secret, 0));
  await forgetPeriods();
  return { secret, codes: data.attributes['recovery-codes'] };
}

describe('turning it on', () => {
  test('§1 a secret is shown once, a code confirms it, and then sign-in asks for one', async () => {
    const someone = await person(app);
    const password = await passwordOf(app, someone);
    expect((await app.get(path, someone.token)).data.attributes['is-enabled']).toBe(false);
    const begun = await app.post(path, someone.token, bodyOf('second-factors', { 'current-password': password }));
    const { secret, 'otpauth-url': url } = begun.data.attributes;
    expect([begun.status, secret]).toEqual([201, expect.stringMatching(/^[A-Z2-7]{32}$/)]);
    expect(url).toMatch(new RegExp(`^otpauth://totp/Terrane:${someone.username}\\?issuer=Terrane&secret=${secret}&`));
    expect((await app.get(path, someone.token)).text).not.toContain(secret);
    expect((await signIn(someone, password)).status).toBe(201);

    const confirmed = await act(someone.token, 'confirm', codeAt(secret, 0));
    expect([confirmed.status, confirmed.data.attributes]).toEqual([
      200,
      {
        'is-enabled': true,
        'confirmed-at': expect.any(String),
        'recovery-codes-left': 10,
        secret: null,
        'otpauth-url': null,
        'recovery-codes': expect.arrayContaining([expect.stringMatching(/^\w{4}-\w{4}-\w{4}-\w{4}$/)]),
      },
    ]);
    expect((await app.get('account/details', someone.token)).data.attributes).toMatchObject({
      'two-factor': { enabled: true, verified: true },
      'auth-method': 'password',
    });
    const without = await signIn(someone, password);
    expect([without.status, titles(without)]).toEqual([401, ['second factor needed']]);
    await forgetPeriods();
    expect((await signIn(someone, password, codeAt(secret, 0))).status).toBe(201);
  });

  test('§1 needs the password where there is one, and a right code; begun again it is another secret', async () => {
    const someone = await person(app);
    const password = await passwordOf(app, someone);
    const refused = await app.post(path, someone.token, bodyOf('second-factors', {}));
    expect([refused.status, refused.pointers]).toEqual([422, ['/data/attributes/current-password']]);
    const begin = async () =>
      (await app.post(path, someone.token, bodyOf('second-factors', { 'current-password': password }))).data.attributes
        .secret;
    const [first, second] = [await begin(), await begin()];
    expect(titles(await act(someone.token, 'confirm', codeAt(first, 0)))).toEqual(['second factor refused']);
    expect((await act(someone.token, 'confirm', codeAt(second, 0))).status).toBe(200);
    expect(
      (await app.post(path, someone.token, bodyOf('second-factors', { 'current-password': password }))).status,
    ).toBe(409);
  });

  test('§1 without a beginning there is nothing to confirm, renew or turn off', async () => {
    const someone = await person(app);
    for (const action of ['confirm', 'renew-recovery-codes', 'turn-off']) {
      expect((await act(someone.token, action, '123456')).status).toBe(409);
    }
    const acme = await organization(app);
    expect((await app.get(path, await serviceTokenOf(app, acme))).status).toBe(404);
  });
});

describe('a code', () => {
  test('§1 is taken once, as one of five at the same moment, and none of an earlier period after it', async () => {
    const someone = await person(app);
    const { secret } = await turnOn(someone);
    const password = await passwordOf(app, someone);
    const code = codeAt(secret, 0);
    const answers = await Promise.all(Array.from({ length: 5 }, () => signIn(someone, password, code)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    await app.store.read`delete from sign_in_attempts`;
    expect(titles(await signIn(someone, password, code))).toEqual(['second factor refused']);
    expect(titles(await signIn(someone, password, codeAt(secret, -1)))).toEqual(['second factor refused']);
    expect((await signIn(someone, password, codeAt(secret, 1))).status).toBe(201);
  });

  test('§1 may be one period off, and no more', async () => {
    const someone = await person(app);
    const { secret } = await turnOn(someone);
    const password = await passwordOf(app, someone);
    for (const [away, status] of [
      [-3, 401],
      [3, 401],
      [-1, 201],
      [1, 201],
    ] as const) {
      await forgetPeriods();
      expect([away, (await signIn(someone, password, codeAt(secret, away))).status]).toEqual([away, status]);
    }
  });

  test('§1 on paper serves once in its place, with or without dashes', async () => {
    const someone = await person(app);
    const { codes } = await turnOn(someone);
    const password = await passwordOf(app, someone);
    expect((await signIn(someone, password, codes[0]!)).status).toBe(201);
    expect((await signIn(someone, password, codes[0]!)).status).toBe(401);
    expect((await signIn(someone, password, codes[1]!.replaceAll('-', ''))).status).toBe(201);
    expect((await app.get(path, someone.token)).data.attributes['recovery-codes-left']).toBe(8);
    const renewed = await act(someone.token, 'renew-recovery-codes', codes[2]!);
    const fresh: string[] = renewed.data.attributes['recovery-codes'];
    expect((await signIn(someone, password, codes[3]!)).status).toBe(401);
    expect((await signIn(someone, password, fresh[0]!)).status).toBe(201);
  });

  test('§1 guesses are limited with the right password too, and asking for the code forgets none of them', async () => {
    const someone = await person(app);
    await turnOn(someone);
    const password = await passwordOf(app, someone);
    const statuses: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      await signIn(someone, password);
      statuses.push((await signIn(someone, password, '000000')).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });
});

describe('turning it off', () => {
  test('§1 with a last code; with a wrong one it stays', async () => {
    const someone = await person(app);
    const { secret } = await turnOn(someone);
    expect((await act(someone.token, 'turn-off', '000000')).status).toBe(401);
    expect((await act(someone.token, 'turn-off', codeAt(secret, 0))).status).toBe(204);
    expect((await signIn(someone, await passwordOf(app, someone))).status).toBe(201);
    const events = await app.store.read`
      select audit_events.changes -> 'is_enabled' as is_enabled from audit_events
      where audit_events.resource_id = ${someone.id} and audit_events.changes ? 'is_enabled'
      order by audit_events.occurred_at`;
    expect(events.map(({ is_enabled }) => is_enabled)).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  test('§1 by a site administrator, under the address that clients know', async () => {
    const someone = await person(app);
    await turnOn(someone);
    const answer = await app.post(`admin/users/${someone.id}/actions/disable_two_factor`, administrator.token);
    expect([answer.status, answer.data.attributes['two-factor']]).toEqual([200, { enabled: false, verified: false }]);
    expect((await signIn(someone, await passwordOf(app, someone))).status).toBe(201);
    const [, event] = (await app.get('admin/audit-events', administrator.token)).data;
    expect(event.attributes).toMatchObject({ action: 'users.disable-second-factor', 'resource-id': someone.id });
  });
});

describe('an organization that asks for it', () => {
  const demand = (name: string, token: string) =>
    app.patch(
      `organizations/${name}`,
      token,
      bodyOf('organizations', { 'collaborator-auth-policy': 'two_factor_mandatory' }),
    );

  test('§5 refuses members without one at every record, by token and by session, and says why; others learn nothing', async () => {
    const acme = await organization(app);
    const [without, stranger] = [await member(app, acme), await person(app)];
    await secondFactorOf(app, acme.owner);
    expect((await demand(acme.name, acme.owner.token)).status).toBe(200);
    const address = `organizations/${acme.name}`;
    for (const shown of [without.token, await sessionOf(app, without)]) {
      const answer = await app.get(address, shown);
      expect([answer.status, answer.problems]).toEqual([403, [expect.stringContaining('second factor only')]]);
      expect((await app.get(`${address}/workspaces`, shown)).status).toBe(403);
      expect((await app.get('organizations', shown)).data).toEqual([]);
    }
    expect((await app.get(address, stranger.token)).status).toBe(404);
    expect((await app.get(address, await serviceTokenOf(app, acme))).status).toBe(200);
    expect((await app.get(address, acme.owner.token)).status).toBe(200);
    await turnOn(without);
    expect((await app.get(address, without.token)).status).toBe(200);
    await app.post(`admin/users/${without.id}/actions/disable_two_factor`, administrator.token);
    expect((await app.get(address, without.token)).status).toBe(403);
  });

  test('§1 nobody locks themselves out by asking for it', async () => {
    const acme = await organization(app);
    const refused = await demand(acme.name, acme.owner.token);
    expect([refused.status, refused.pointers]).toEqual([422, ['/data/attributes/collaborator-auth-policy']]);
    await app.patch(
      'admin/general-settings',
      administrator.token,
      bodyOf('general-settings', { 'limit-user-organization-creation': false }),
    );
    const body = { name: 'strict', email: 'a@example.com', 'collaborator-auth-policy': 'two_factor_mandatory' };
    expect((await app.post('organizations', acme.owner.token, bodyOf('organizations', body))).status).toBe(422);
    expect((await demand(acme.name, await serviceTokenOf(app, acme))).status).toBe(200);
  });
});
