import { beforeAll, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import {
  bodyOf,
  invite,
  member,
  organization,
  person,
  serviceTokenOf,
  type TestOrganization,
} from '../../../test/builders/records.ts';
import { tokenHash } from './secret.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const tokensOf = (userId: string) => `users/${userId}/authentication-tokens`;
const create = (userId: string, token: string, attributes: object = {}) =>
  app.post(tokensOf(userId), token, bodyOf('authentication-tokens', attributes));

test('§5.6 a user makes a token → 201 with the secret text, which is never shown again', async () => {
  const someone = await person(app);
  const made = await create(someone.id, someone.token, { description: 'laptop' });
  expect(made.status).toBe(201);
  expect(made.data.id).toMatch(/^at-[A-Za-z0-9]{16}$/);
  const { token, ...attributes } = made.data.attributes;
  expect(token).toMatch(/^terrane_[A-Za-z0-9]{40}_[0-9a-f]{8}$/);
  expect(attributes).toMatchObject({ description: 'laptop', 'last-used-at': null });
  expect(made.data.relationships['created-by'].data).toEqual({ type: 'users', id: someone.id });
  expect(made.data.relationships.team.data).toBeNull();
  const shown = await app.get(`authentication-tokens/${made.data.id}`, token);
  expect(shown.data).toEqual({ ...made.data, attributes: { ...attributes, token: null } });
  const listed = await app.get(tokensOf(someone.id), someone.token);
  expect(listed.data).toHaveLength(2);
  expect(listed.data[1]).toEqual(shown.data);
  expect(listed.text).not.toContain(token);
});

test('§5.6 only a keyed hash of the secret text is stored, and the audit event has neither', async () => {
  const someone = await person(app);
  const made = await create(someone.id, someone.token);
  const secret: string = made.data.attributes.token;
  const [row] = await app.store.read`select tokens.* from tokens where tokens.id = ${made.data.id}`;
  expect(JSON.stringify(row)).not.toContain(secret);
  expect(Buffer.compare(row!['hash'], tokenHash(app.config.tokenPepper!, secret))).toBe(0);
  const events = await app.store.read`
    select audit_events.* from audit_events where audit_events.resource_id = ${made.data.id}`;
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({ action: 'authentication-tokens.create-for-user', actor_id: someone.id });
  expect(JSON.stringify(events)).not.toContain(secret);
  expect(JSON.stringify(events[0]!['changes'])).not.toContain('hash');
});

test('§5.6 without expired-at it lives two calendar years, where the installation says nothing else', async () => {
  const someone = await person(app);
  const { 'created-at': created, 'expired-at': expired } = (await create(someone.id, someone.token)).data.attributes;
  const then = new Date(created);
  then.setUTCFullYear(then.getUTCFullYear() + 2);
  expect(Math.abs(Date.parse(expired) - then.getTime())).toBeLessThan(60_000);
});

test('§5.6 expired-at is taken in any form of a timestamp, null means never, and the past → 422', async () => {
  const someone = await person(app);
  const later = await create(someone.id, someone.token, { 'expired-at': '2120-01-01T02:00:00+02:00' });
  expect(later.data.attributes['expired-at']).toBe('2120-01-01T00:00:00.000Z');
  expect((await create(someone.id, someone.token, { 'expired-at': null })).data.attributes['expired-at']).toBeNull();
  for (const bad of ['2020-01-01T00:00:00Z', 'tomorrow', '2120-13-01T00:00:00Z', 3, '']) {
    const answer = await create(someone.id, someone.token, { 'expired-at': bad });
    expect(answer.status).toBe(422);
    expect(answer.pointers).toEqual(['/data/attributes/expired-at']);
  }
});

test('§5.6 the type may be given in the old spelling, empty or not at all; another one → 422', async () => {
  const someone = await person(app);
  for (const body of [bodyOf('authentication-token', {}), bodyOf('', {}), { data: {} }, undefined]) {
    expect((await app.post(tokensOf(someone.id), someone.token, body)).status).toBe(201);
  }
  expect((await app.post(tokensOf(someone.id), someone.token, bodyOf('teams', {}))).status).toBe(422);
  expect((await create(someone.id, someone.token, { description: 'x'.repeat(256) })).pointers).toEqual([
    '/data/attributes/description',
  ]);
});

test('§5.6 a site administrator makes, lists and revokes tokens of any person', async () => {
  const admin = await person(app, { isAdmin: true });
  const someone = await person(app);
  const made = await create(someone.id, admin.token, { description: 'first' });
  expect(made.status).toBe(201);
  expect(made.data.relationships['created-by'].data).toEqual({ type: 'users', id: admin.id });
  expect((await app.get(tokensOf(someone.id), made.data.attributes.token)).data).toHaveLength(2);
  expect((await app.get(tokensOf(someone.id), admin.token)).data).toHaveLength(2);
  expect((await app.delete(`authentication-tokens/${made.data.id}`, admin.token)).status).toBe(204);
});

test('§6 what a site administrator does to an account is told to the organizations of the person, and to nobody else’s', async () => {
  const admin = await person(app, { isAdmin: true });
  const someone = await member(app, acme);
  const other = await organization(app);
  const told = async ({ name, owner }: TestOrganization) => {
    const { data } = await app.get(`organizations/${name}/audit-events?filter[actor]=${admin.id}`, owner.token);
    return data.map(({ attributes }: Document) => [
      attributes.action,
      attributes.changes['username'] ?? attributes['resource-name'],
    ]);
  };
  await create(someone.id, someone.token);
  const made = await create(someone.id, admin.token);
  const administer = (path: string, body?: object) => app.post(`admin/users/${someone.id}/${path}`, admin.token, body);
  await administer('password-links');
  await administer('actions/disable_two_factor');
  await administer('actions/unlink_single_sign_on');
  expect((await app.delete(`admin/users/${someone.id}`, admin.token)).status).toBe(204);
  const events = [
    'users.delete',
    'users.unlink-single-sign-on',
    'users.disable-second-factor',
    'password-links.create',
    'authentication-tokens.create-for-user',
  ];
  const { username } = someone;
  expect(await told(acme)).toEqual(
    events.map(one => [one, one === 'password-links.create' ? [null, username] : username]),
  );
  expect(await told(other)).toEqual([]);
  const { data, text } = await app.get(`admin/audit-events?filter[actor]=${admin.id}`, admin.token);
  expect(data.map(({ attributes }: Document) => attributes.action)).toEqual(events);
  expect(text).not.toContain(made.data.attributes.token);
});

test('§5.6 nobody else makes one: 404, as for a user who does not exist', async () => {
  const missing = await create('user-0000000000000000', acme.owner.token);
  expect(missing.status).toBe(404);
  const someone = await member(app, acme);
  const callers = [acme.owner.token, await serviceTokenOf(app, acme), (await person(app)).token];
  for (const token of callers) expect((await create(someone.id, token)).text).toBe(missing.text);
});

test("§5.6 the list of another's tokens is empty for who sees the user, and 404 for who does not", async () => {
  const someone = await member(app, acme);
  const seen = await app.get(tokensOf(someone.id), acme.owner.token);
  expect(seen.status).toBe(200);
  expect(seen.data).toEqual([]);
  expect((await app.get(tokensOf(someone.id), (await person(app)).token)).status).toBe(404);
});

test("§5.5 another's token by id → 404 with the bytes of one that does not exist", async () => {
  const someone = await member(app, acme);
  const made = await create(someone.id, someone.token);
  const missing = await app.get('authentication-tokens/at-0000000000000000', acme.owner.token);
  for (const token of [acme.owner.token, await serviceTokenOf(app, acme), (await person(app)).token]) {
    expect((await app.get(`authentication-tokens/${made.data.id}`, token)).text).toBe(missing.text);
    expect((await app.delete(`authentication-tokens/${made.data.id}`, token)).text).toBe(missing.text);
  }
  expect((await app.get(`authentication-tokens/${made.data.id}`, someone.token)).status).toBe(200);
});

test('§5.6 service accounts and people who are only invited get no tokens of their own', async () => {
  const token = await serviceTokenOf(app, acme);
  const [account] = await app.store.read`select users.id from users where users.service_of_id = ${acme.key}`;
  expect((await create(account!['id'], token)).status).toBe(404);
  const guest = await invite(app, acme);
  const admin = await person(app, { isAdmin: true });
  expect((await create(guest.userId, admin.token)).status).toBe(404);
});

test('§1 the list is whole without page parameters, and paginated with them', async () => {
  const someone = await person(app);
  for (let count = 0; count < 24; count += 1) await create(someone.id, someone.token, { description: `${count}` });
  const whole = await app.get(tokensOf(someone.id), someone.token);
  expect(whole.data).toHaveLength(25);
  expect(whole.document.meta).toBeUndefined();
  const page = await app.get(`${tokensOf(someone.id)}?page[number]=2`, someone.token);
  expect(page.data).toEqual(whole.data.slice(20));
  expect(page.document.meta.pagination['total-count']).toBe(25);
});
