import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, useApp } from '../../../test/app.ts';
import {
  member,
  organization,
  person,
  serviceTokenOf,
  type TestOrganization,
  team,
  tokenOf,
} from '../../../test/builders/records.ts';
import { buildApp } from '../../http/app.ts';
import { newToken } from '../tokens/secret.ts';
import { lastUsed } from './last-used.ts';

const app = useApp();
let acme: TestOrganization;
let second: ReturnType<typeof buildApp>;
beforeAll(async () => {
  acme = await organization(app);
  // Another process of the same installation: nothing shared but the database.
  second = buildApp(app.config, app.store);
  await second.ready();
});
afterAll(() => second?.close());

async function statusAtSecond(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await second.inject({ method: 'GET', url: `/api/v2/organizations/${acme.name}/teams`, headers });
  return answer.statusCode;
}

const path = () => `organizations/${acme.name}/teams`;

test('§5.1 a missing, malformed or unknown token → 401 with the same bytes, whatever the path', async () => {
  const without = await app.get(path(), null);
  expect(without.status).toBe(401);
  expect(without.document).toEqual({ errors: [{ status: '401', title: 'unauthorized' }] });
  for (const authorization of [
    '',
    'Bearer',
    'Bearer ',
    'Basic abc',
    `Bearer ${newToken()}`,
    'Bearer a b',
    acme.owner.token,
  ]) {
    const answer = await app.call('GET', path(), { headers: { authorization } });
    expect(answer.status).toBe(401);
    expect(answer.text).toBe(without.text);
  }
  expect((await app.get('organizations/nowhere/teams', null)).text).toBe(without.text);
  expect((await app.get('no-such-path', null)).text).toBe(without.text);
});

test('§5.1 an expired token → 401, one that expires later is good', async () => {
  const someone = await member(app, acme);
  const expiring = (expiredAt: string) =>
    tokenOf(app, { kind: 'user', user_id: someone.id, expired_at: expiredAt, description: expiredAt });
  expect((await app.get(path(), await expiring('2020-01-01T00:00:00Z'))).status).toBe(401);
  expect((await app.get(path(), await expiring('2120-01-01T00:00:00Z'))).status).toBe(200);
  const teamId = await team(app, acme);
  const old = await serviceTokenOf(app, acme, teamId, { expired_at: '2020-01-01T00:00:00Z' });
  expect((await app.get(path(), old)).status).toBe(401);
});

test('§5.1 a token revoked through one server is refused by another at the very next request', async () => {
  const someone = await member(app, acme);
  const made = await app.post(`users/${someone.id}/authentication-tokens`, someone.token, { data: {} });
  const token: string = made.data.attributes.token;
  expect(await statusAtSecond(token)).toBe(200);
  expect((await app.delete(`authentication-tokens/${made.data.id}`, someone.token)).status).toBe(204);
  expect(await statusAtSecond(token)).toBe(401);
  expect((await app.get(path(), token)).status).toBe(401);
});

test('§5.1 tokens of a team and of an organization are refused at once after they are replaced or revoked', async () => {
  const teamId = await team(app, acme);
  for (const at of [`teams/${teamId}/authentication-token`, `organizations/${acme.name}/authentication-token`]) {
    const make = async (): Promise<string> =>
      (await app.post(at, acme.owner.token, { data: {} })).data.attributes.token;
    const first = await make();
    expect(await statusAtSecond(first)).toBe(200);
    const next = await make();
    expect(await statusAtSecond(first)).toBe(401);
    expect(await statusAtSecond(next)).toBe(200);
    expect((await app.delete(at, acme.owner.token)).status).toBe(204);
    expect(await statusAtSecond(next)).toBe(401);
  }
});

test('§5.1 a token may revoke itself', async () => {
  const someone = await member(app, acme);
  const list = await app.get(`users/${someone.id}/authentication-tokens`, someone.token);
  expect((await app.delete(`authentication-tokens/${list.data[0].id}`, someone.token)).status).toBe(204);
  expect((await app.get(path(), someone.token)).status).toBe(401);
});

test('§5.2 the tokens of the organization and of the owners team act as an owner there, and nowhere else', async () => {
  const other = await organization(app);
  for (const token of [await serviceTokenOf(app, acme), await serviceTokenOf(app, acme, acme.ownersTeamId)]) {
    const { data } = await app.get(`teams/${acme.ownersTeamId}`, token);
    expect(data.attributes.permissions['can-update-membership']).toBe(true);
    expect((await app.get(`organizations/${other.name}/teams`, token)).status).toBe(404);
  }
});

test('§5.1 site administration is not passed on by tokens of teams, nor does it open organizations', async () => {
  const admin = await person(app, { isAdmin: true });
  expect((await app.get(path(), admin.token)).status).toBe(404);
});

test('§5.1 use is written down in the interval after it, the latest time of all servers', async () => {
  const someone = await member(app, acme);
  const list = () => app.get(`users/${someone.id}/authentication-tokens`, someone.token);
  const { data } = await list();
  expect(data[0].attributes['last-used-at']).toBeNull();
  const uses = lastUsed(app.store);
  uses.note(data[0].id);
  await uses.flush();
  const seen: string = (await list()).data[0].attributes['last-used-at'];
  expect(Math.abs(Date.now() - Date.parse(seen))).toBeLessThan(60_000);
  await app.store.read`update tokens set last_used_at = '2120-01-01T00:00:00Z' where tokens.id = ${data[0].id}`;
  uses.note(data[0].id);
  await uses.flush();
  expect((await list()).data[0].attributes['last-used-at']).toBe('2120-01-01T00:00:00.000Z');
});

test('§5.1 uses that could not be written are written by the next flush', async () => {
  const someone = await member(app, acme);
  const { data } = await app.get(`users/${someone.id}/authentication-tokens`, someone.token);
  let fails = true;
  const search = ((...statement: Parameters<TestApp['store']['search']>) =>
    fails ? Promise.reject(new Error('gone')) : app.store.search(...statement)) as TestApp['store']['search'];
  search.json = app.store.search.json;
  const uses = lastUsed({ ...app.store, search });
  uses.note(data[0].id);
  await expect(uses.flush()).rejects.toThrow('gone');
  fails = false;
  await uses.flush();
  const [row] = await app.store.read`select tokens.last_used_at from tokens where tokens.id = ${data[0].id}`;
  expect(row!['last_used_at']).not.toBeNull();
});

test('§5.1 authentication is one statement', async () => {
  const ask = () => app.get('teams/team-0000000000000000', acme.owner.token);
  const statements = await app.statementsOf(async () => expect((await ask()).status).toBe(404));
  expect(statements).toHaveLength(2);
});

test('§5.1 what can be no token is refused without a look into the database', async () => {
  const token = newToken();
  const other = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
  const refuse = async (text: string) => {
    const statements = await app.statementsOf(async () => expect((await app.get(path(), text)).status).toBe(401));
    return statements.length;
  };
  expect(await refuse(token)).toBe(1);
  for (const text of [other, token.slice(0, -9), `${token}0`, 'terrane_']) expect(await refuse(text)).toBe(0);
});
