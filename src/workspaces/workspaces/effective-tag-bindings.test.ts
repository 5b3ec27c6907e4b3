import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type Document, useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { binding, project, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let projectId: string;
let id: string;
beforeAll(async () => {
  acme = await organization(app);
});
beforeEach(async () => {
  projectId = await project(app, acme);
  id = await workspace(app, acme, { project_id: projectId });
});

const own = (key: string, value = '') => binding(app, acme, { workspaceId: id }, key, value);
const inherited = (key: string, value = '') => binding(app, acme, { projectId }, key, value);
const effective = (address = `workspaces/${id}`) => app.get(`${address}/effective-tag-bindings`, acme.owner.token);
const pairsIn = ({ data }: Answer): [string, string][] =>
  data.map(({ attributes }: Document) => [attributes.key, attributes.value]);
const reserve = (key: string, disablesOverrides: boolean) =>
  app.post(
    `organizations/${acme.name}/reserved-tag-keys`,
    acme.owner.token,
    bodyOf('reserved-tag-keys', { key, 'disable-overrides': disablesOverrides }),
  );

describe('the list', () => {
  test('§2.3 holds the direct ones and those of the project; inherited ones alone are marked, in both places, and have links', async () => {
    await own('direct', '1');
    await inherited('from-project', '2');
    const answer = await effective();
    const related = `/api/v2/projects/${projectId}`;
    expect(answer.document).toEqual({
      data: [
        {
          id: expect.stringMatching(/^tb-/),
          type: 'effective-tag-bindings',
          attributes: { key: 'direct', value: '1' },
          relationships: {},
        },
        {
          id: expect.stringMatching(/^etb-/),
          type: 'effective-tag-bindings',
          attributes: { key: 'from-project', value: '2' },
          relationships: { 'inherited-from': { links: { related } } },
          links: { 'inherited-from': related },
        },
      ],
    });
  });

  test('§2.3 a direct binding overrides an inherited one of the same key', async () => {
    await own('env', 'mine');
    await inherited('env', 'theirs');
    const answer = await effective();
    expect([pairsIn(answer), answer.data[0].links]).toEqual([[['env', 'mine']], undefined]);
  });

  test('§2.3 a reserved key that disables overrides makes the value of the project hold; one that allows them does not', async () => {
    await reserve('locked-key', true);
    await reserve('open-key', false);
    for (const key of ['locked-key', 'open-key']) {
      await own(key, 'mine');
      await inherited(key, 'theirs');
    }
    expect(pairsIn(await effective())).toEqual([
      ['locked-key', 'theirs'],
      ['open-key', 'mine'],
    ]);
    const direct = await app.get(`workspaces/${id}/tag-bindings`, acme.owner.token);
    expect(pairsIn(direct)).toContainEqual(['locked-key', 'mine']);
  });

  test('§2.3 a reserved key that the project does not bind leaves the direct binding in effect', async () => {
    await reserve('unbound-key', true);
    await own('unbound-key', 'mine');
    expect(pairsIn(await effective())).toEqual([['unbound-key', 'mine']]);
  });

  test('§8 tag-bindings/inherited: ten of its own and ten of the project hold at once', async () => {
    for (let number = 0; number < 10; number += 1) {
      await own(`own-${number}`);
      await inherited(`project-${number}`);
    }
    expect((await effective()).data).toHaveLength(20);
    const eleventh = { data: [{ type: 'tag-bindings', attributes: { key: 'eleventh' } }] };
    expect((await app.patch(`projects/${projectId}/tag-bindings`, acme.owner.token, eleventh)).status).toBe(422);
  });

  test('§2.3 a move to another project changes what is inherited', async () => {
    await inherited('env', 'one');
    const other = await project(app, acme);
    await binding(app, acme, { projectId: other }, 'env', 'other');
    const move = bodyOf('workspaces', {}, { project: { data: { type: 'projects', id: other } } });
    await app.patch(`workspaces/${id}`, acme.owner.token, move);
    expect(pairsIn(await effective())).toEqual([['env', 'other']]);
  });

  test('§2.3 the bindings of a project are its effective ones and inherit from nowhere', async () => {
    await inherited('env', 'prod');
    const { data } = await effective(`projects/${projectId}`);
    expect(data).toMatchObject([{ attributes: { key: 'env', value: 'prod' } }]);
    expect(data[0]).not.toHaveProperty('links');
    expect(data[0].relationships).toEqual({});
  });

  test('§5.4 whoever may read the workspace sees what it inherits', async () => {
    await inherited('env', 'prod');
    const readers = await team(app, acme);
    const reader = await member(app, acme, readers);
    await workspaceAccess(app, readers, id, 'read');
    expect(pairsIn(await app.get(`workspaces/${id}/effective-tag-bindings`, reader.token))).toEqual([['env', 'prod']]);
  });
});

describe('include', () => {
  const naming = (data: Document[]) => data.map(({ id: one }) => ({ type: 'effective-tag-bindings', id: one }));

  test.each(['effective_tag_bindings', 'effective-tag-bindings'])(
    '§4.3 include=%s brings the records, and names them in the relationship',
    async include => {
      await own('direct', '1');
      await inherited('from-project', '2');
      for (const address of [`workspaces/${id}`, `projects/${projectId}`]) {
        const all = (await effective(address)).data;
        const { document, data } = await app.get(`${address}?include=${include}`, acme.owner.token);
        expect(document.included).toEqual(all);
        expect(data.relationships['effective-tag-bindings']).toEqual({
          data: naming(all),
          links: { related: `/api/v2/${address}/effective-tag-bindings` },
        });
      }
    },
  );

  test('§4.3 on a list each workspace names its own, what they share is included once, and one statement finds them', async () => {
    await inherited('shared', '1');
    await own('direct', '2');
    const sibling = await workspace(app, acme, { project_id: projectId });
    const list = `organizations/${acme.name}/workspaces?filter[project][id]=${projectId}`;
    const { document } = await app.get(`${list}&include=effective_tag_bindings`, acme.owner.token);
    const idsOf = (of: string): string[] =>
      document.data
        .find((one: Document) => one.id === of)
        .relationships['effective-tag-bindings'].data.map((one: Document) => one.id);
    expect([idsOf(id).length, idsOf(sibling).length]).toEqual([2, 1]);
    expect(idsOf(id)).toContain(idsOf(sibling)[0]);
    expect(document.included.map((one: Document) => one.attributes.key).sort()).toEqual(['direct', 'shared']);
    const plain = await app.statementsOf(() => app.get(list, acme.owner.token));
    const including = await app.statementsOf(() => app.get(`${list}&include=effective_tag_bindings`, acme.owner.token));
    expect(including.length).toBe(plain.length + 1);
  });

  test('§4.3 nothing bound: the relationship names none, and nothing is included', async () => {
    const { document, data } = await app.get(`workspaces/${id}?include=effective_tag_bindings`, acme.owner.token);
    expect([document.included, data.relationships['effective-tag-bindings'].data]).toEqual([[], []]);
  });

  test('§4.2 create and update answer with it, too', async () => {
    await inherited('env', 'prod');
    const body = bodyOf('workspaces', { description: 'x' });
    const { document } = await app.patch(`workspaces/${id}?include=effective_tag_bindings`, acme.owner.token, body);
    expect(document.included).toMatchObject([{ attributes: { key: 'env', value: 'prod' } }]);
  });
});

describe('searches', () => {
  const found = async (query: string): Promise<boolean> => {
    const { data } = await app.get(`organizations/${acme.name}/workspaces?${query}`, acme.owner.token);
    return data.some((one: Document) => one.id === id);
  };
  const tagged = (key: string, value?: string) =>
    `filter[tagged][0][key]=${key}${value === undefined ? '' : `&filter[tagged][0][value]=${value}`}`;

  test('§4.3 filter[tagged] asks for the value that holds, where overriding is allowed and where it is not', async () => {
    await reserve('fixed', true);
    for (const key of ['free', 'fixed']) {
      await own(key, 'mine');
      await inherited(key, 'theirs');
    }
    expect([await found(tagged('free', 'mine')), await found(tagged('free', 'theirs'))]).toEqual([true, false]);
    expect([await found(tagged('fixed', 'mine')), await found(tagged('fixed', 'theirs'))]).toEqual([false, true]);
    expect([await found(tagged('free')), await found(tagged('fixed'))]).toEqual([true, true]);
    expect(await found('search[tags]=free,fixed')).toBe(true);
    expect(await found('search[exclude-tags]=fixed')).toBe(false);
  });
});
