import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let id: string;
beforeAll(async () => {
  acme = await organization(app);
});
beforeEach(async () => {
  acme = await organization(app);
  id = await workspace(app, acme);
});

const deleteOlder = 'data-retention-policy-delete-olders';
const dontDelete = 'data-retention-policy-dont-deletes';
const former = 'data-retention-policies';
const older = (days: unknown, type = deleteOlder) => bodyOf(type, { 'delete-older-than-n-days': days });
const holders = () => ({ workspaces: `workspaces/${id}`, organizations: `organizations/${acme.name}` });
const at = (holder: string) => `${holder}/relationships/data-retention-policy`;
const ask = (verb: string, holder: string, body?: unknown, token = acme.owner.token) =>
  app.call(verb, at(holder), { token, ...(body !== undefined && { body }) });
const relation = async (holder: string) =>
  (await app.get(holder, acme.owner.token)).data.relationships['data-retention-policy'];

describe.each(['workspaces', 'organizations'] as const)('%s', type => {
  let holder: string;
  beforeEach(() => {
    holder = holders()[type];
  });

  test.each(['POST', 'PATCH'])('§4.7 %s sets a number of days: 200 with the policy, in both spellings', async verb => {
    const answer = await ask(verb, holder, older(30));
    expect(answer.status).toBe(200);
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^drp-[A-Za-z0-9]{16}$/),
      type: deleteOlder,
      attributes: { 'delete-older-than-n-days': 30, deleteOlderThanNDays: 30 },
      relationships: { target: { data: { type, id: holder.split('/')[1] } } },
    });
    expect((await ask('GET', holder)).data).toEqual(answer.data);
    expect(await relation(holder)).toEqual({
      data: { type: deleteOlder, id: answer.data.id },
      links: { related: `/api/v2/${at(holder)}` },
    });
  });

  test('§4.7 `If-Match`: a policy is changed and removed as it was read, and not as it is by now', async () => {
    const withTag = (verb: string, tag: string, body?: unknown) =>
      app.call(verb, at(holder), { token: acme.owner.token, headers: { 'if-match': tag }, ...(body ? { body } : {}) });
    expect((await withTag('POST', '*', older(30))).status).toBe(412);
    const first = (await ask('POST', holder, older(30))).headers['etag']!;
    expect((await ask('GET', holder)).headers['etag']).toBe(first);
    const second = await withTag('PATCH', first, older(60));
    expect(second.status).toBe(200);
    for (const [verb, body] of [
      ['PATCH', older(90)],
      ['POST', older(90)],
      ['DELETE', undefined],
    ] as const) {
      expect([verb, (await withTag(verb, first, body)).status]).toEqual([verb, 412]);
    }
    expect((await ask('GET', holder)).data).toEqual(second.data);
    expect((await withTag('DELETE', second.headers['etag']!)).status).toBe(204);
  });

  test('§4.7 both spellings are read; given with different values they are refused', async () => {
    const camel = await ask('PATCH', holder, bodyOf(deleteOlder, { deleteOlderThanNDays: 12 }));
    expect(camel.data.attributes['delete-older-than-n-days']).toBe(12);
    const both = { deleteOlderThanNDays: 12, 'delete-older-than-n-days': 13 };
    expect((await ask('POST', holder, bodyOf(deleteOlder, both))).status).toBe(422);
  });

  test('§4.7 a policy that never deletes takes the place of one that does, and the other way about', async () => {
    await ask('POST', holder, older(30));
    const never = await ask('POST', holder, bodyOf(dontDelete, {}));
    expect([never.data.type, never.data.attributes]).toEqual([
      dontDelete,
      { 'delete-older-than-n-days': null, deleteOlderThanNDays: null },
    ]);
    expect((await relation(holder)).data.type).toBe(dontDelete);
    expect((await ask('POST', holder, { data: { type: dontDelete } })).status).toBe(200);
    const again = await ask('POST', holder, older(7));
    expect([again.data.type, again.data.attributes.deleteOlderThanNDays]).toEqual([deleteOlder, 7]);
    const [row] = await app.store.read`
      select count(*) as total from data_retention_policies where organization_id = ${acme.key}`;
    expect(row!['total']).toBe(1);
  });

  test('§4.7 the former type is read, and answered as it was given', async () => {
    const answer = await ask('PATCH', holder, older(5, former));
    expect([answer.status, answer.data.type]).toEqual([200, former]);
    expect((await ask('GET', holder)).data.type).toBe(former);
    expect((await relation(holder)).data.type).toBe(former);
  });

  test.each([
    ['null days', older(null), '/data/attributes/delete-older-than-n-days'],
    ['no days', bodyOf(deleteOlder, {}), '/data/attributes/delete-older-than-n-days'],
    ['no attributes', { data: { type: deleteOlder } }, '/data/attributes/delete-older-than-n-days'],
    ['zero days', older(0), '/data/attributes/delete-older-than-n-days'],
    ['half a day', older(0.5), '/data/attributes/delete-older-than-n-days'],
    ['more days than a century has', older(2 ** 40), '/data/attributes/delete-older-than-n-days'],
    ['days as text', older('30'), '/data/attributes/delete-older-than-n-days'],
    [
      'null days in the other spelling',
      bodyOf(deleteOlder, { deleteOlderThanNDays: null }),
      '/data/attributes/delete-older-than-n-days',
    ],
    ['another type', older(3, 'policies'), '/data/type'],
    ['nothing', undefined, '/data'],
  ])('§4.7 %s → 422, and the policy stays', async (_what, body, pointer) => {
    await ask('POST', holder, older(30));
    const answer = await ask('POST', holder, body);
    expect([answer.status, answer.pointers]).toEqual([422, [pointer]]);
    expect((await ask('GET', holder)).data.attributes.deleteOlderThanNDays).toBe(30);
  });

  test('§4.7 DELETE removes it → 204 without a body, with or without one; without any, GET is 404', async () => {
    await ask('POST', holder, older(30));
    const answer = await ask('DELETE', holder);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await relation(holder)).toEqual({ data: null });
    expect((await ask('GET', holder)).status).toBe(404);
    expect((await ask('DELETE', holder)).status).toBe(204);
  });

  test('§4.7 of many setters at once one holds, and none fails', async () => {
    const days = [1, 2, 3, 4, 5, 6, 7, 8];
    const answers = await Promise.all(days.map(one => ask('POST', holder, older(one))));
    expect(answers.map(({ status }) => status)).toEqual(days.map(() => 200));
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
  });
});

describe('the default', () => {
  test("§4.7 a workspace without a policy shows its organization's; the relationship stays null", async () => {
    const { workspaces, organizations } = holders();
    const set = await ask('POST', organizations, older(90));
    const shown = await ask('GET', workspaces);
    expect([shown.status, shown.data]).toEqual([200, set.data]);
    expect(shown.data.relationships.target.data).toEqual({ type: 'organizations', id: acme.name });
    expect(await relation(workspaces)).toEqual({ data: null });
  });

  test('§4.7 its own policy goes before the default, and once removed the default holds again', async () => {
    const { workspaces, organizations } = holders();
    await ask('POST', organizations, older(90));
    await ask('POST', workspaces, bodyOf(dontDelete, {}));
    expect((await ask('GET', workspaces)).data.type).toBe(dontDelete);
    expect((await ask('GET', organizations)).data.type).toBe(deleteOlder);
    await ask('DELETE', workspaces);
    expect((await ask('GET', workspaces)).data.attributes.deleteOlderThanNDays).toBe(90);
  });

  test("§4.7 another organization's default is nobody else's", async () => {
    const rival = await organization(app);
    await ask('POST', `organizations/${rival.name}`, older(90), rival.owner.token);
    expect((await ask('GET', holders().workspaces)).status).toBe(404);
  });
});

describe('who may', () => {
  test('§5.4 admins of a workspace change its policy, readers see it; a refusal is the 404 of a missing workspace', async () => {
    const holder = holders().workspaces;
    const [admins, writers] = [await team(app, acme), await team(app, acme)];
    await workspaceAccess(app, admins, id, 'admin');
    await workspaceAccess(app, writers, id, 'write');
    const [admin, writer] = [await member(app, acme, admins), await member(app, acme, writers)];
    expect((await ask('POST', holder, older(3), admin.token)).status).toBe(200);
    expect((await ask('GET', holder, undefined, writer.token)).status).toBe(200);
    const missing = await ask('POST', 'workspaces/ws-0000000000000000', older(3), writer.token);
    for (const verb of ['POST', 'PATCH', 'DELETE']) {
      const refused = await ask(verb, holder, verb === 'DELETE' ? undefined : older(4), writer.token);
      expect([refused.status, refused.text]).toEqual([404, missing.text]);
    }
    expect((await ask('GET', holder, undefined, (await member(app, acme)).token)).status).toBe(404);
    expect((await ask('DELETE', holder, undefined, admin.token)).status).toBe(204);
  });

  test("§5.4 owners alone change the organization's; members see it", async () => {
    const holder = holders().organizations;
    const manager = await member(app, acme, await team(app, acme, { access: { 'manage-workspaces': true } }));
    await ask('POST', holder, older(3));
    expect((await ask('GET', holder, undefined, manager.token)).status).toBe(200);
    expect((await ask('POST', holder, older(4), manager.token)).status).toBe(404);
    expect((await ask('DELETE', holder, undefined, manager.token)).status).toBe(404);
    const stranger = (await organization(app)).owner;
    expect((await ask('GET', holder, undefined, stranger.token)).status).toBe(404);
  });
});

test('§4.4 a workspace and an organization are deleted with their policies', async () => {
  const { workspaces, organizations } = holders();
  await ask('POST', organizations, older(90));
  await ask('POST', workspaces, older(3));
  expect((await app.delete(workspaces, acme.owner.token)).status).toBe(204);
  expect((await app.delete(organizations, acme.owner.token)).status).toBe(204);
});
