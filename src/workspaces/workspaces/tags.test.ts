import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type Document, useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { tag, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let id: string;
beforeAll(async () => {
  acme = await organization(app);
});
beforeEach(async () => {
  id = await workspace(app, acme);
});

const named = (...names: string[]) => ({ data: names.map(name => ({ type: 'tags', attributes: { name } })) });
const byId = (...ids: string[]) => ({ data: ids.map(tagId => ({ type: 'tags', id: tagId })) });
const path = (workspaceId = id) => `workspaces/${workspaceId}/relationships/tags`;
const add = (body: unknown, token = acme.owner.token) => app.post(path(), token, body);
const remove = (body: unknown, token = acme.owner.token) => app.delete(path(), token, body);
const list = (query = '', token = acme.owner.token) => app.get(`${path()}${query}`, token);
const namesIn = ({ data }: Answer): string[] => data.map((one: Document) => one.attributes.name);
const tagNames = async (): Promise<string[]> =>
  (await app.get(`workspaces/${id}`, acme.owner.token)).data.attributes['tag-names'];
const inOrganization = async (): Promise<string[]> =>
  namesIn(await app.get(`organizations/${acme.name}/tags?page[size]=100`, acme.owner.token));

describe('adding', () => {
  test('§4.6 by name makes the tags that the organization does not have; → 204 without a body', async () => {
    const answer = await add(named('first', 'Second', 'first'));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(namesIn(await list())).toEqual(['first', 'second']);
    expect(await tagNames()).toEqual(['first', 'second']);
  });

  test('§2.3 a tag carries its name, its time, how many workspaces have it, and its organization', async () => {
    const other = await workspace(app, acme);
    await add(named('shared-form'));
    await app.post(path(other), acme.owner.token, named('shared-form'));
    const [shown] = (await list()).data;
    expect(shown).toEqual({
      id: expect.stringMatching(/^tag-[A-Za-z0-9]{16}$/),
      type: 'tags',
      attributes: {
        name: 'shared-form',
        'created-at': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        'instance-count': 2,
      },
      relationships: {
        organization: {
          data: { id: acme.name, type: 'organizations' },
          links: { related: `/api/v2/organizations/${acme.name}` },
        },
      },
    });
  });

  test('§4.6 by id adds a tag of the organization; one already there stays; an empty list changes nothing', async () => {
    const other = await workspace(app, acme);
    await tag(app, acme, other, 'borrowed');
    const [borrowed] = (await app.get(path(other), acme.owner.token)).data;
    expect((await add(byId(borrowed.id))).status).toBe(204);
    expect((await add(byId(borrowed.id))).status).toBe(204);
    expect((await add({ data: [] })).status).toBe(204);
    expect(await tagNames()).toEqual(['borrowed']);
  });

  test('§4.6 an id that is unknown or of another organization → 422 at its place, and nothing is added', async () => {
    const rival = await organization(app);
    const foreign = await workspace(app, rival);
    await tag(app, rival, foreign, 'theirs');
    const [theirs] = (await app.get(path(foreign), rival.owner.token)).data;
    const body = { data: [...named('mine').data, ...byId('tag-0000000000000000', theirs.id).data] };
    const answer = await add(body);
    expect([answer.status, answer.pointers]).toEqual([422, ['/data/1/id', '/data/2/id']]);
    expect(await tagNames()).toEqual([]);
    expect(await inOrganization()).not.toContain('mine');
  });

  test.each([
    ['a name with a space', named('a b'), '/data/0/attributes/name'],
    ['a name that is too long', named('x'.repeat(256)), '/data/0/attributes/name'],
    ['an empty name', named(''), '/data/0/attributes/name'],
    ['another type', { data: [{ type: 'tag', id: 'tag-1' }] }, '/data/0/type'],
    ['neither id nor name', { data: [{ type: 'tags' }] }, '/data/0'],
    ['no list', { data: { type: 'tags' } }, '/data'],
    ['no data', {}, '/data'],
  ])('§4.6 %s → 422', async (_what, body, pointer) => {
    const answer = await add(body);
    expect(answer.status).toBe(422);
    expect(answer.pointers).toContain(pointer);
  });
});

describe('removing', () => {
  test('§4.6 by id and by name, whatever its case; → 204, and the others stay', async () => {
    await add(named('one', 'two', 'three'));
    const one = (await list()).data.find((shown: Document) => shown.attributes.name === 'one');
    const answer = await remove({ data: [...byId(one.id).data, ...named('TWO').data] });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await tagNames()).toEqual(['three']);
  });

  test('§4.6 an id must exist: → 422, and nothing is removed', async () => {
    await add(named('stays'));
    const answer = await remove({ data: [...named('stays').data, ...byId('tag-0000000000000000').data] });
    expect([answer.status, answer.pointers]).toEqual([422, ['/data/1/id']]);
    expect(await tagNames()).toEqual(['stays']);
  });

  test('§4.6 a name that no tag has does nothing for its entry, and the rest is removed', async () => {
    await add(named('known'));
    expect((await remove(named('never heard of, not even valid', 'known'))).status).toBe(204);
    expect(await tagNames()).toEqual([]);
  });

  test('§4.6 a tag of the organization that this workspace does not have is no fault', async () => {
    const other = await workspace(app, acme);
    await tag(app, acme, other, 'elsewhere');
    const [elsewhere] = (await app.get(path(other), acme.owner.token)).data;
    expect((await remove(byId(elsewhere.id))).status).toBe(204);
    expect(await inOrganization()).toContain('elsewhere');
  });

  test("§4.6 a tag that no workspace has any more leaves the organization's list", async () => {
    const other = await workspace(app, acme);
    await add(named('alone', 'in-company'));
    await tag(app, acme, other, 'in-company');
    await remove(named('alone', 'in-company'));
    const left = await inOrganization();
    expect([left.includes('alone'), left.includes('in-company')]).toEqual([false, true]);
  });
});

describe('who may', () => {
  test('§7 tags-add/404, §7 tags-remove/404: write access reads tags and changes none; strangers see nothing', async () => {
    const writers = await team(app, acme);
    const writer = await member(app, acme, writers);
    await workspaceAccess(app, writers, id, 'write');
    await add(named('kept'));
    expect(namesIn(await list('', writer.token))).toEqual(['kept']);
    const stranger = (await organization(app)).owner;
    const missing = await app.post(path('ws-0000000000000000'), writer.token, named('x'));
    for (const { token } of [writer, stranger, await member(app, acme)]) {
      const answers = [await add(named('x'), token), await remove(named('kept'), token)];
      for (const answer of answers) expect([answer.status, answer.text]).toEqual([404, missing.text]);
    }
    expect((await list('', stranger.token)).status).toBe(404);
    expect(await tagNames()).toEqual(['kept']);
  });

  test('§5.4 admin permission on the workspace is enough', async () => {
    const admins = await team(app, acme);
    const admin = await member(app, acme, admins);
    await workspaceAccess(app, admins, id, 'admin');
    expect((await add(named('by-admin'), admin.token)).status).toBe(204);
    expect((await remove(named('by-admin'), admin.token)).status).toBe(204);
  });

  test('§2.3 instance-count counts only workspaces that the caller may read', async () => {
    const readers = await team(app, acme);
    const reader = await member(app, acme, readers);
    await workspaceAccess(app, readers, id, 'read');
    await add(named('counted'));
    await tag(app, acme, await workspace(app, acme), 'counted');
    const count = async (token: string) => (await list('', token)).data[0].attributes['instance-count'];
    expect([await count(reader.token), await count(acme.owner.token)]).toEqual([1, 2]);
  });
});

describe('pages', () => {
  test('§8 page-size/default: the list of §4.6 is paginated, 20 on a page when nothing is said', async () => {
    const names = Array.from({ length: 23 }, (_, number) => `page-${String(number).padStart(2, '0')}`);
    await add(named(...names));
    const first = await list();
    expect(namesIn(first)).toEqual(names.slice(0, 20));
    expect(first.document.meta.pagination).toMatchObject({ 'page-size': 20, 'total-count': 23, 'next-page': 2 });
    expect(namesIn(await list('?page[number]=3&page[size]=10'))).toEqual(names.slice(20));
  });
});

test('§4.6 the list is searched by a part of the name, whatever its case', async () => {
  await add(named('east-1', 'west-1', 'west-2'));
  const found = await list('?name=WEST&page[size]=1');
  expect(namesIn(found)).toEqual(['west-1']);
  expect(found.document.meta.pagination).toMatchObject({ 'total-count': 2, 'total-pages': 2 });
  expect(namesIn(await list('?name=%25'))).toEqual([]);
});

describe('at the same moment', () => {
  test('§4.6 additions and removals of one tag in many workspaces: no 5xx, every addition that was told holds', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => workspace(app, acme)));
    for (let round = 0; round < 12; round += 1) {
      const last = round === 11;
      const answers = await Promise.all(
        ids.flatMap((workspaceId, position) => {
          const change = !last && (position + round) % 2 === 0 ? app.delete : app.post;
          return [change(path(workspaceId), acme.owner.token, named('hot', `hot-${position % 2}`))];
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 204));
    }
    for (const workspaceId of ids) expect(namesIn(await app.get(path(workspaceId), acme.owner.token))).toContain('hot');
  });

  test('§4.6 a workspace with the last use of a tag goes while another one takes the tag: the tag stays on it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [going, staying] = [await workspace(app, acme), await workspace(app, acme)];
      await tag(app, acme, going, 'handed-over');
      const [gone, added] = await Promise.all([
        app.delete(`workspaces/${going}`, acme.owner.token),
        app.post(path(staying), acme.owner.token, named('handed-over')),
      ]);
      expect([gone.status, added.status]).toEqual([204, 204]);
      expect(namesIn(await app.get(path(staying), acme.owner.token))).toEqual(['handed-over']);
      await app.delete(`workspaces/${staying}`, acme.owner.token);
    }
    expect(await inOrganization()).not.toContain('handed-over');
  });

  test('§4.6 a tag is deleted from the organization while workspaces take it by id: 204 or 422, never 5xx', async () => {
    for (let round = 0; round < 10; round += 1) {
      const ids = await Promise.all(Array.from({ length: 3 }, () => workspace(app, acme)));
      await tag(app, acme, ids[0]!, 'contested');
      const [contested] = (await app.get(path(ids[0]), acme.owner.token)).data;
      const [deleted, ...added] = await Promise.all([
        app.delete(`organizations/${acme.name}/tags`, acme.owner.token, byId(contested.id)),
        ...ids.map(one => app.post(path(one), acme.owner.token, byId(contested.id))),
      ]);
      expect(deleted.status).toBe(204);
      for (const { status } of added) expect([204, 422]).toContain(status);
      expect(await inOrganization()).not.toContain('contested');
    }
  });

  test('§4.2 workspaces are created with a tag that is on its way out: every one of them has it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const going = await workspace(app, acme);
      await tag(app, acme, going, 'born-with');
      const body = (number: number) =>
        bodyOf('workspaces', { name: `born-${round}-${number}` }, { tags: named('born-with') });
      const [, ...made] = await Promise.all([
        app.delete(path(going), acme.owner.token, named('born-with')),
        ...[0, 1, 2].map(number => app.post(`organizations/${acme.name}/workspaces`, acme.owner.token, body(number))),
      ]);
      for (const { data } of made) expect(data.attributes['tag-names']).toEqual(['born-with']);
      for (const { data } of made) await app.delete(path(data.id), acme.owner.token, named('born-with'));
    }
  });
});
