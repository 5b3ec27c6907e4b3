import { beforeAll, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  randomName,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const address = (of = acme) => `organizations/${of.name}/reserved-tag-keys`;
const create = (attributes: object, token = acme.owner.token, of = acme) =>
  app.post(address(of), token, bodyOf('reserved-tag-keys', attributes));
const made = async (attributes: object = {}): Promise<Document> =>
  (await create({ key: randomName('key'), ...attributes })).data;

describe('create', () => {
  test('§2.3 a key is enough: 201, overrides are allowed, and the times come in both spellings', async () => {
    const { status, data } = await create({ key: 'cost:center' });
    expect(status).toBe(201);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(data).toMatchObject({ id: expect.stringMatching(/^rtk-[A-Za-z0-9]{16}$/), type: 'reserved-tag-keys' });
    expect(data.attributes).toEqual({
      key: 'cost:center',
      'disable-overrides': false,
      'created-at': time,
      'updated-at': time,
      created_at: data.attributes['created-at'],
      updated_at: data.attributes['updated-at'],
    });
  });

  test('§2.3 a key is reserved once in an organization, and may be in another', async () => {
    await create({ key: 'once' });
    const again = await create({ key: 'once' });
    expect([again.status, again.problems, again.pointers]).toEqual([
      422,
      ['Key has already been taken'],
      ['/data/attributes/key'],
    ]);
    const other = await organization(app);
    expect((await create({ key: 'once' }, other.owner.token, other)).status).toBe(201);
  });

  test.each(['! / nope', '', 'a b', 'hc:mine', 'hcp:mine', 'x'.repeat(129)])(
    '§8 %j can be the key of no binding: 422 "Key is invalid"',
    async key => {
      const answer = await create({ key });
      expect([answer.status, answer.problems]).toEqual([422, ['Key is invalid']]);
    },
  );

  test('§2.3 without a key → 422', async () => {
    const answer = await create({ 'disable-overrides': true });
    expect([answer.status, answer.pointers]).toEqual([422, ['/data/attributes/key']]);
  });
});

describe('update and delete', () => {
  test.each(['reserved-tag-keys', 'reserved-tags'])('§2.3 work under /%s/:id', async path => {
    const { id, attributes } = await made();
    const updated = await app.patch(
      `${path}/${id}`,
      acme.owner.token,
      bodyOf('reserved-tag-keys', { 'disable-overrides': true }),
    );
    expect([updated.status, updated.data.attributes.key]).toEqual([200, attributes.key]);
    expect(updated.data.attributes['disable-overrides']).toBe(true);
    const deleted = await app.delete(`${path}/${id}`, acme.owner.token);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await app.delete(`${path}/${id}`, acme.owner.token)).status).toBe(404);
  });

  test('§2.3 a new key must be valid and free; its own is', async () => {
    const [one, other] = [await made(), await made()];
    const rename = (key: string) =>
      app.patch(`reserved-tag-keys/${one.id}`, acme.owner.token, bodyOf('reserved-tag-keys', { key }));
    expect((await rename(other.attributes.key)).problems).toEqual(['Key has already been taken']);
    expect((await rename('not / valid')).problems).toEqual(['Key is invalid']);
    expect((await rename(one.attributes.key)).status).toBe(200);
  });
});

test('§2.3 the list is by key, paginated', async () => {
  const of = await organization(app);
  for (const key of ['b', 'c', 'a']) await create({ key }, of.owner.token, of);
  const page = await app.get(`${address(of)}?page[size]=2`, of.owner.token);
  expect(page.data.map((one: Document) => one.attributes.key)).toEqual(['a', 'b']);
  expect(page.document.meta.pagination).toMatchObject({ 'total-count': 3, 'next-page': 2 });
});

test('§5.5 members read; owners and managers of projects change; everybody else gets the 404 of a missing key', async () => {
  const { id } = await made();
  const plain = await member(app, acme);
  const managing = { 'manage-projects': true, 'manage-workspaces': true };
  const manager = await member(app, acme, await team(app, acme, { access: managing }));
  const stranger = (await organization(app)).owner;
  const body = bodyOf('reserved-tag-keys', { 'disable-overrides': true });
  expect((await app.get(address(), plain.token)).status).toBe(200);
  expect((await create({ key: 'by-plain' }, plain.token)).status).toBe(404);
  expect((await app.get(address(), stranger.token)).status).toBe(404);
  const missing = await app.patch('reserved-tag-keys/rtk-0000000000000000', plain.token, body);
  for (const { token } of [plain, stranger]) {
    const refused = await app.patch(`reserved-tag-keys/${id}`, token, body);
    expect([refused.status, refused.text]).toEqual([404, missing.text]);
    expect((await app.delete(`reserved-tag-keys/${id}`, token)).status).toBe(404);
  }
  expect((await create({ key: 'by-manager' }, manager.token)).status).toBe(201);
  expect((await app.delete(`reserved-tag-keys/${id}`, manager.token)).status).toBe(204);
});

test('§2.3 of ten reservations of one key at once exactly one wins', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => create({ key: 'wanted' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)]);
});
