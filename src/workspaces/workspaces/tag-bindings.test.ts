import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type Document, useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { binding, project, projectAccess, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let projectId: string;
/** Of each kind one, with its address: what holds for workspaces holds for projects. */
let holders: Record<'workspaces' | 'projects', string>;
beforeAll(async () => {
  acme = await organization(app);
});
beforeEach(async () => {
  projectId = await project(app, acme);
  const workspaceId = await workspace(app, acme);
  holders = { workspaces: `workspaces/${workspaceId}`, projects: `projects/${projectId}` };
});

type Pair = readonly [key: string, value?: string | null];
const pairs = (...given: Pair[]) => ({
  data: given.map(([key, value]) => ({
    type: 'tag-bindings',
    attributes: { key, ...(value !== undefined && { value }) },
  })),
});
const patch = (path: string, body: unknown, token = acme.owner.token) => app.patch(path, token, body);
const pairsIn = ({ data }: Answer): [string, string][] =>
  data.map(({ attributes }: Document) => [attributes.key, attributes.value]);
const listed = async (address: string) => pairsIn(await app.get(`${address}/tag-bindings`, acme.owner.token));
const numbered = (count: number, from = 0): Pair[] =>
  Array.from({ length: count }, (_, number) => [`key-${number + from}`, 'x']);

describe.each(['workspaces', 'projects'] as const)('%s', type => {
  let address: string;
  beforeEach(() => {
    address = holders[type];
  });

  test('§4.6 PATCH adds keys, gives others their new value, takes none away; 200 in the order of the request', async () => {
    await patch(`${address}/tag-bindings`, pairs(['kept', '1'], ['changed', 'old']));
    const answer = await patch(`${address}/tag-bindings`, pairs(['z'], ['changed', 'new'], ['a', null], ['m', '']));
    expect(answer.status).toBe(200);
    const expected = [
      ['z', ''],
      ['changed', 'new'],
      ['a', ''],
      ['m', ''],
    ];
    expect(pairsIn(answer)).toEqual(expected);
    expect(await listed(address)).toEqual([['kept', '1'], ...expected].sort());
  });

  test('§4.6 the list is whole, without pages, and names its target; both addresses are one', async () => {
    await patch(`${address}/tag-bindings`, pairs(['env', 'prod']));
    const older = await app.get(`${address}/tag-bindings?page[size]=1`, acme.owner.token);
    const newer = await app.get(`${address}/relationships/tag-bindings`, acme.owner.token);
    expect(newer.text).toBe(older.text);
    const target = `/api/v2/${address}`;
    expect(older.document).toEqual({
      data: [
        {
          id: expect.stringMatching(/^tb-[A-Za-z0-9]{16}$/),
          type: 'tag-bindings',
          attributes: { key: 'env', value: 'prod', 'created-at': expect.stringMatching(/Z$/) },
          links: { target },
        },
      ],
      links: { target },
    });
  });

  test('§4.6 POST on the newer address adds → 204; PATCH there replaces all; those that stay keep their id', async () => {
    const at = `${address}/relationships/tag-bindings`;
    const posted = await app.post(at, acme.owner.token, pairs(['one', '1'], ['two', '2']));
    expect([posted.status, posted.text]).toEqual([204, '']);
    expect((await app.post(at, acme.owner.token, pairs(['three', '3']))).status).toBe(204);
    expect(await listed(address)).toHaveLength(3);
    const idOfTwo = async () =>
      (await app.get(at, acme.owner.token)).data.find((one: Document) => one.attributes.key === 'two').id;
    const before = await idOfTwo();
    const replaced = await patch(at, pairs(['two', '2b'], ['four', '4']));
    expect([replaced.status, replaced.text]).toEqual([204, '']);
    expect(await listed(address)).toEqual([
      ['four', '4'],
      ['two', '2b'],
    ]);
    expect(await idOfTwo()).toBe(before);
    expect((await patch(at, { data: [] })).status).toBe(204);
    expect(await listed(address)).toEqual([]);
  });

  test('§4.6 tag-bindings in an update of the record replace all; [] removes them', async () => {
    await patch(`${address}/tag-bindings`, pairs(['one', '1'], ['two', '2']));
    await patch(address, bodyOf(type, {}, { 'tag-bindings': pairs(['two', '3']) }));
    expect(await listed(address)).toEqual([['two', '3']]);
    await patch(address, bodyOf(type, {}, { 'tag-bindings': { data: [] } }));
    expect(await listed(address)).toEqual([]);
  });

  test('§8 tag-bindings/direct: the eleventh key is refused, by every way of adding; ten are not', async () => {
    expect((await patch(`${address}/tag-bindings`, pairs(...numbered(9)))).status).toBe(200);
    const before = await listed(address);
    const newer = `${address}/relationships/tag-bindings`;
    for (const answer of [
      await patch(`${address}/tag-bindings`, pairs(['more'], ['and more'.replace(' ', '-')])),
      await app.post(newer, acme.owner.token, pairs(['more'], ['and-more'])),
      await patch(newer, pairs(...numbered(11))),
    ]) {
      expect([answer.status, answer.problems]).toEqual([422, ['cannot exceed 10 bindings per resource']]);
    }
    expect(await listed(address)).toEqual(before);
    expect((await patch(`${address}/tag-bindings`, pairs(['key-0', 'again'], ['tenth']))).status).toBe(200);
    expect(
      (await patch(`${address}/tag-bindings`, pairs(['key-0', 'changes at ten'.replaceAll(' ', '-')]))).status,
    ).toBe(200);
  });

  test('§8 faults of keys and values are told at their places, and nothing is bound', async () => {
    const body = pairs(
      ['hc:mine', 'x'],
      ['fine', 'a b'],
      ['k'.repeat(129)],
      ['twice'],
      ['twice'],
      ['v', 'v'.repeat(257)],
    );
    const answer = await patch(`${address}/tag-bindings`, body);
    expect([answer.status, answer.pointers]).toEqual([
      422,
      [
        '/data/0/attributes/key',
        '/data/1/attributes/value',
        '/data/2/attributes/key',
        '/data/4/attributes/key',
        '/data/5/attributes/value',
      ],
    ]);
    const formless = await patch(`${address}/tag-bindings`, { data: [{ type: 'tag-bindings', attributes: {} }] });
    expect([formless.status, formless.pointers]).toEqual([422, ['/data/0/attributes/key']]);
    expect(await listed(address)).toEqual([]);
  });

  test('§8 twenty writers of distinct keys at once leave exactly ten', async () => {
    const answers = await Promise.all(
      numbered(20).map((pair, number) =>
        number % 2 === 0
          ? patch(`${address}/tag-bindings`, pairs(pair))
          : app.post(`${address}/relationships/tag-bindings`, acme.owner.token, pairs(pair)),
      ),
    );
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(await listed(address)).toHaveLength(10);
  });

  test('§5.5 readers list, and what they may not change answers as if it were missing', async () => {
    const readers = await team(app, acme);
    const reader = await member(app, acme, readers);
    const id = address.split('/')[1]!;
    if (type === 'workspaces') await workspaceAccess(app, readers, id, 'write');
    else await projectAccess(app, readers, id, 'write');
    const missing = await patch(`${type}/nothing-there/tag-bindings`, pairs(['a']), reader.token);
    expect((await app.get(`${address}/tag-bindings`, reader.token)).status).toBe(200);
    expect((await app.get(`${address}/effective-tag-bindings`, reader.token)).status).toBe(200);
    const stranger = await member(app, acme);
    for (const { token } of [reader, stranger]) {
      for (const refused of [
        await patch(`${address}/tag-bindings`, pairs(['a']), token),
        await app.post(`${address}/relationships/tag-bindings`, token, pairs(['a'])),
        await patch(`${address}/relationships/tag-bindings`, pairs(['a']), token),
      ]) {
        expect([refused.status, refused.text]).toEqual([404, missing.text]);
      }
    }
    expect((await app.get(`${address}/tag-bindings`, stranger.token)).status).toBe(404);
    expect((await app.get(`${address}/effective-tag-bindings`, stranger.token)).status).toBe(404);
    expect(await listed(address)).toEqual([]);
  });
});

test('§4.2 a workspace and a project are created with their bindings', async () => {
  const given = { 'tag-bindings': pairs(['env', 'prod'], ['team']) };
  for (const type of ['workspaces', 'projects']) {
    const body = bodyOf(type, { name: 'made-with-tags' }, given);
    const { data } = await app.post(`organizations/${acme.name}/${type}`, acme.owner.token, body);
    expect(await listed(`${type}/${data.id}`)).toEqual([
      ['env', 'prod'],
      ['team', ''],
    ]);
  }
});

test('§4.3 a workspace and a project link to both lists, and name no binding unless it is included', async () => {
  await binding(app, acme, { projectId }, 'env', 'prod');
  for (const address of Object.values(holders)) {
    const { relationships } = (await app.get(address, acme.owner.token)).data;
    expect(relationships['tag-bindings']).toEqual({ links: { related: `/api/v2/${address}/tag-bindings` } });
    const links = { related: `/api/v2/${address}/effective-tag-bindings` };
    expect(relationships['effective-tag-bindings']).toEqual({ links });
  }
});
