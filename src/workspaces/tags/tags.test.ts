import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Document, useApp } from '../../../test/app.ts';
import { member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { tag, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const list = (query = '', token = acme.owner.token, of = acme) =>
  app.get(`organizations/${of.name}/tags${query}`, token);
const namesIn = ({ data }: Answer): string[] => data.map((one: Document) => one.attributes.name);
const idOf = async (name: string, of = acme): Promise<string> => {
  const { data } = await list(`?q=${name}`, of.owner.token, of);
  return data.find((one: Document) => one.attributes.name === name).id;
};
const tags = (...ids: string[]) => ({ data: ids.map(id => ({ type: 'tags', id })) });
const workspaces = (...ids: string[]) => ({ data: ids.map(id => ({ type: 'workspaces', id })) });

describe('the list of an organization', () => {
  test('§4.6 holds each tag once with its count, by name, paginated', async () => {
    const of = await organization(app);
    const [one, other] = [await workspace(app, of), await workspace(app, of)];
    for (const name of ['b', 'a', 'c']) await tag(app, of, one, name);
    await tag(app, of, other, 'b');
    const answer = await list('', of.owner.token, of);
    expect(answer.data.map((shown: Document) => [shown.attributes.name, shown.attributes['instance-count']])).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ]);
    expect(answer.document.meta.pagination).toMatchObject({ 'page-size': 20, 'total-count': 3 });
    expect(namesIn(await list('?page[number]=2&page[size]=2', of.owner.token, of))).toEqual(['c']);
  });

  test('§4.6 q is part of the name, whatever its case; wildcards mean themselves', async () => {
    const id = await workspace(app, acme);
    for (const name of ['search-net_work', 'search-network', 'other']) await tag(app, acme, id, name);
    expect(namesIn(await list('?q=NET_'))).toEqual(['search-net_work']);
    expect(namesIn(await list('?q=search-net'))).toEqual(['search-net_work', 'search-network']);
    expect(namesIn(await list('?q=%25'))).toEqual([]);
  });

  test('§4.6 filter[exclude][taggable][id] leaves out the tags of that workspace; an unknown one hides nothing', async () => {
    const of = await organization(app);
    const [one, other] = [await workspace(app, of), await workspace(app, of)];
    await tag(app, of, one, 'a');
    await tag(app, of, other, 'a');
    await tag(app, of, other, 'b');
    const without = (id: string) => list(`?filter[exclude][taggable][id]=${id}`, of.owner.token, of);
    const answer = await without(one);
    expect([namesIn(answer), answer.document.meta.pagination['total-count']]).toEqual([['b'], 1]);
    expect(namesIn(await without('ws-0000000000000000'))).toEqual(['a', 'b']);
  });

  test('§5.4 shows a member the tags of readable workspaces, counts those alone, and a hidden one excludes nothing', async () => {
    const of = await organization(app);
    const readers = await team(app, of);
    const reader = await member(app, of, readers);
    const [open, hidden] = [await workspace(app, of), await workspace(app, of)];
    await workspaceAccess(app, readers, open, 'read');
    await tag(app, of, open, 'shared');
    await tag(app, of, hidden, 'shared');
    await tag(app, of, hidden, 'secret');
    const answer = await list('', reader.token, of);
    expect(namesIn(answer)).toEqual(['shared']);
    expect(answer.data[0].attributes['instance-count']).toBe(1);
    expect(answer.document.meta.pagination['total-count']).toBe(1);
    expect(namesIn(await list(`?filter[exclude][taggable][id]=${hidden}`, reader.token, of))).toEqual(['shared']);
    expect((await list('', reader.token)).status).toBe(404);
  });
});

describe('deleting from the organization', () => {
  test('§4.6 takes the tags off every workspace; → 204', async () => {
    const [one, other] = [await workspace(app, acme), await workspace(app, acme)];
    for (const id of [one, other]) for (const name of ['gone', 'stays']) await tag(app, acme, id, name);
    const answer = await app.delete(`organizations/${acme.name}/tags`, acme.owner.token, tags(await idOf('gone')));
    expect([answer.status, answer.text]).toEqual([204, '']);
    for (const id of [one, other]) {
      const shown = await app.get(`workspaces/${id}`, acme.owner.token);
      expect(shown.data.attributes['tag-names']).toEqual(['stays']);
    }
  });

  test('§4.6 an id that is unknown or of another organization → 422, and nothing is deleted', async () => {
    const rival = await organization(app);
    await tag(app, rival, await workspace(app, rival), 'theirs');
    await tag(app, acme, await workspace(app, acme), 'ours');
    const ids = [await idOf('ours'), 'tag-0000000000000000', await idOf('theirs', rival)];
    const answer = await app.delete(`organizations/${acme.name}/tags`, acme.owner.token, tags(...ids));
    expect([answer.status, answer.pointers]).toEqual([422, ['/data/1/id', '/data/2/id']]);
    expect(await idOf('ours')).toBe(ids[0]);
    expect(await idOf('theirs', rival)).toBe(ids[2]);
  });

  test('§5.5 a member who does not manage workspaces gets the 404 of a missing organization', async () => {
    await tag(app, acme, await workspace(app, acme), 'guarded');
    const plain = await member(app, acme, await team(app, acme, { access: { 'read-workspaces': true } }));
    const body = tags(await idOf('guarded'));
    const refused = await app.delete(`organizations/${acme.name}/tags`, plain.token, body);
    const missing = await app.delete('organizations/nobody-has-this/tags', plain.token, body);
    expect([refused.status, refused.text]).toEqual([404, missing.text]);
    const manager = await member(app, acme, await team(app, acme, { access: { 'manage-workspaces': true } }));
    expect((await app.delete(`organizations/${acme.name}/tags`, manager.token, body)).status).toBe(204);
  });
});

describe('one tag for many workspaces', () => {
  const add = (tagId: string, body: unknown, token = acme.owner.token) =>
    app.post(`tags/${tagId}/relationships/workspaces`, token, body);

  test('§4.6 is added to each; those that have it already stay as they are; → 204', async () => {
    const ids = [await workspace(app, acme), await workspace(app, acme), await workspace(app, acme)];
    await tag(app, acme, ids[0]!, 'wide');
    const tagId = await idOf('wide');
    const answer = await add(tagId, workspaces(...ids));
    expect([answer.status, answer.text]).toEqual([204, '']);
    const found = await app.get(`organizations/${acme.name}/workspaces?search[tags]=wide`, acme.owner.token);
    expect(found.data.map(({ id }: Document) => id).sort()).toEqual([...ids].sort());
  });

  test('§4.6 a workspace that is unknown, of another organization or not for the caller to tag → 422, on none', async () => {
    const rival = await organization(app);
    const [admins, readers] = [await team(app, acme), await team(app, acme)];
    const admin = await member(app, acme, admins, readers);
    const [open, readable] = [await workspace(app, acme), await workspace(app, acme)];
    await workspaceAccess(app, admins, open, 'admin');
    await workspaceAccess(app, readers, readable, 'read');
    await tag(app, acme, readable, 'narrow');
    const foreign = await workspace(app, rival);
    const tagId = await idOf('narrow');
    const body = workspaces(open, readable, foreign, 'ws-0000000000000000');
    const answer = await add(tagId, body, admin.token);
    expect([answer.status, answer.pointers]).toEqual([422, ['/data/1/id', '/data/2/id', '/data/3/id']]);
    expect((await app.get(`workspaces/${open}`, admin.token)).data.attributes['tag-names']).toEqual([]);
    expect((await add(tagId, workspaces(open), admin.token)).status).toBe(204);
  });

  test('§5.5 a tag that the caller sees on no workspace → the 404 of a missing tag', async () => {
    await tag(app, acme, await workspace(app, acme), 'unseen');
    const plain = await member(app, acme);
    const refused = await add(await idOf('unseen'), workspaces(), plain.token);
    const missing = await add('tag-0000000000000000', workspaces(), plain.token);
    expect([refused.status, refused.text]).toEqual([404, missing.text]);
  });

  test('§4.6 the workspaces go at the same moment: 204 or 422, never 5xx', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [keeper, going] = [await workspace(app, acme), await workspace(app, acme)];
      await tag(app, acme, keeper, 'moving');
      const tagId = await idOf('moving');
      const [gone, added] = await Promise.all([
        app.delete(`workspaces/${going}`, acme.owner.token),
        add(tagId, workspaces(going)),
      ]);
      expect(gone.status).toBe(204);
      expect([204, 422]).toContain(added.status);
    }
  });
});
