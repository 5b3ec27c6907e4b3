/** §1: what people change of their own account. */
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import {
  bodyOf,
  invite,
  organization,
  person,
  randomName,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const update = (token: string, attributes: object) => app.patch('account/update', token, bodyOf('users', attributes));

test('§1 the username changes at once; what is left out stays, and nothing else can be said', async () => {
  const someone = await person(app);
  const before = (await app.get('account/details', someone.token)).data;
  expect(before.attributes.permissions).toMatchObject({ 'can-change-username': true, 'can-change-email': false });
  expect((await update(someone.token, {})).data).toEqual(before);
  const username = randomName('renamed');
  const renamed = await update(someone.token, { username, 'is-admin': true, 'is-site-admin': true });
  expect(renamed.data).toEqual({ ...before, attributes: { ...before.attributes, username } });
  expect((await app.get('account/details', someone.token)).data).toEqual(renamed.data);
});

test('§1 a change meant for what was read before is not made to what the account is now → 412', async () => {
  const someone = await person(app);
  const { etag } = (await app.get('account/details', someone.token)).headers;
  const meant = (username: string) =>
    app.call('PATCH', 'account/update', {
      token: someone.token,
      headers: { 'if-match': String(etag) },
      body: bodyOf('users', { username }),
    });
  const username = randomName('first');
  expect((await meant(username)).status).toBe(200);
  const { status, pointers } = await meant(randomName('second'));
  expect({ status, pointers }).toEqual({ status: 412, pointers: ['If-Match'] });
  expect((await app.get('account/details', someone.token)).data.attributes.username).toBe(username);
});

test('§7 a username that is taken, and what is no username or address → 422', async () => {
  const someone = await person(app);
  const refused = [
    await update(someone.token, { username: acme.owner.username }),
    await update(someone.token, { username: 'api-team_1' }),
    await update(someone.token, { email: 'nobody' }),
  ];
  expect(refused.map(({ status, pointers }) => [status, pointers])).toEqual([
    [422, ['/data/attributes/username']],
    [422, ['/data/attributes/username']],
    [422, ['/data/attributes/email']],
  ]);
});

test('§5 a new e-mail address stays unconfirmed: it opens no invitation, and others may have it', async () => {
  const someone = await person(app);
  const guest = await invite(app, acme);
  const answer = await update(someone.token, { email: guest.email });
  expect(answer.data.attributes).toMatchObject({ email: someone.email, 'unconfirmed-email': guest.email });
  expect((await app.get(`organizations/${acme.name}`, someone.token)).status).toBe(404);
  expect((await app.get('organizations', someone.token)).data).toEqual([]);
  const administrator = await person(app, { isAdmin: true });
  const rightful = await app.post(
    'admin/users',
    administrator.token,
    bodyOf('users', { username: randomName('guest'), email: guest.email }),
  );
  expect([rightful.status, rightful.data.id]).toEqual([201, guest.userId]);
  const dropped = await update(someone.token, { email: someone.email.toUpperCase() });
  expect(dropped.data.attributes).toMatchObject({ email: someone.email, 'unconfirmed-email': null });
});

test('§5 an unconfirmed address is shown to its holder and to site administrators alone', async () => {
  await update(acme.owner.token, { email: 'hush@example.com' });
  const colleague = await serviceTokenOf(app, acme, await team(app, acme));
  const administrator = await person(app, { isAdmin: true });
  const path = `users/${acme.owner.id}`;
  expect((await app.get(path, colleague)).text).not.toContain('hush');
  expect((await app.get(path, acme.owner.token)).text).toContain('hush');
  expect((await app.get(`admin/${path}`, administrator.token)).text).toContain('hush');
});

test('§5 tokens of teams and organizations have no account to change → 404', async () => {
  for (const token of [await serviceTokenOf(app, acme), await serviceTokenOf(app, acme, await team(app, acme))]) {
    expect((await update(token, { username: randomName('robot') })).status).toBe(404);
  }
});
