/** Kept totals: a server that counted before answers what a server answers that never did. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, TestApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  type Person,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { move, run } from '../../../test/builders/run.ts';
import { binding, project, projectAccess, tag, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import { openPair, type Pair } from '../../../test/running/pair.ts';

let pair: Pair;
let one: TestApp;
let two: TestApp;
let acme: TestOrganization;
let reader: Person;
let readers: string;
let platform: string;
let own: string;
const ids: string[] = [];
beforeAll(async () => {
  pair = await openPair();
  ({ one, two } = pair);
  acme = await organization(one);
  readers = await team(one, acme);
  reader = await member(one, acme, readers);
  platform = await project(one, acme);
  own = await project(one, acme);
  for (const name of ['api', 'app', 'area', 'web']) ids.push(await workspace(one, acme, { name, project_id: own }));
  ids.push(await workspace(one, acme, { name: 'alone' }));
  await projectAccess(one, readers, own, 'read');
  for (const id of ids.slice(0, 3)) await tag(one, acme, id, 'blue');
  await binding(one, acme, { projectId: own }, 'env', 'prod');
});
afterAll(() => pair.close());

const list = () => `organizations/${acme.name}/workspaces`;
const queries = [
  'page[size]=1',
  'search[name]=a&page[size]=1',
  'search[tags]=blue&page[size]=1',
  'search[exclude-tags]=blue&page[size]=1',
  'filter[tagged][0][key]=env&filter[tagged][0][value]=prod&page[size]=1',
  'filter[locked]=false&page[size]=1',
  'filter[execution-mode]=remote&page[size]=1',
];
const callers = () => [acme.owner.token, reader.token];

async function answers(app: TestApp): Promise<string[]> {
  const found: string[] = [];
  for (const token of callers()) {
    for (const query of queries) {
      const { status, text } = await app.get(`${list()}?${query}`, token);
      expect([query, status]).toEqual([query, 200]);
      found.push(text);
    }
  }
  return found;
}

/** That a change shows in some answer of the server that kept all of them, and in all as it shows elsewhere. */
async function expectNoticed(name: string, change: () => Promise<unknown>): Promise<void> {
  const before = await answers(one);
  expect(await answers(one), name).toEqual(before);
  await change();
  two.store.pages.forget();
  const after = await answers(one);
  expect(after, name).toEqual(await answers(two));
  expect(after, name).not.toEqual(before);
}

const accepted = (answer: Answer): Answer => {
  if (answer.status >= 300) throw new Error(answer.text);
  return answer;
};
const by = (method: string, path: string, body?: unknown) => async () =>
  accepted(await two.call(method, path, { token: acme.owner.token, body }));
const some = (type: string, ...given: string[]) => ({ data: given.map(id => ({ type, id })) });

test('§1 a total is counted once, and holds for the pages of whoever asks the same', async () => {
  const counting = /matching as materialized/;
  const statements = async (token: string, query: string) =>
    (await one.statementsOf(() => one.get(`${list()}?${query}`, token))).filter(text => counting.test(text)).length;
  for (const [token, query] of [
    [acme.owner.token, 'search[name]=a'],
    [reader.token, 'sort=-name'],
  ] as const) {
    const counts = [];
    for (const page of [1, 1, 2, 3]) counts.push(await statements(token, `${query}&page[size]=1&page[number]=${page}`));
    expect(counts).toEqual([1, 0, 0, 0]);
  }
});

test('§1 of many who ask for the same at once, one counts', async () => {
  const counting = /matching as materialized/;
  const atOnce = () => Promise.all(Array.from({ length: 16 }, () => one.get(`${list()}?sort=-name`, reader.token)));
  const change = by('PATCH', `workspaces/${ids[3]}`, bodyOf('workspaces', { description: 'of the whole' }));
  for (const before of [async () => one.store.pages.forget(), change]) {
    await before();
    const statements = await one.statementsOf(atOnce);
    expect(statements.filter(text => counting.test(text))).toHaveLength(1);
  }
});

test('§1, §4.3 what changes workspaces changes the totals that were counted before', async () => {
  const patch = (path: string, type: string, attributes: object) => by('PATCH', path, bodyOf(type, attributes));
  const named = { data: [{ type: 'tags', attributes: { name: 'blue' } }] };
  await expectNoticed('made', by('POST', list(), bodyOf('workspaces', { name: 'another' })));
  await expectNoticed('name', patch(`workspaces/${ids[3]}`, 'workspaces', { name: 'area-of-the-web' }));
  await expectNoticed('mode', patch(`workspaces/${ids[1]}`, 'workspaces', { 'execution-mode': 'local' }));
  await expectNoticed('tag', by('POST', `workspaces/${ids[3]}/relationships/tags`, named));
  await expectNoticed('no tag', by('DELETE', `workspaces/${ids[0]}/relationships/tags`, named));
  await expectNoticed('lock', by('POST', `workspaces/${ids[0]}/actions/lock`, {}));
  await expectNoticed('unlock', by('POST', `workspaces/${ids[0]}/actions/unlock`));
  await expectNoticed('run', async () => move(two, await run(two, acme, ids[2]!), 'planning', 'planned'));
  await expectNoticed('gone', by('DELETE', `workspaces/${ids[1]}`));
});

test('§2.2, §2.3 what changes their places does, too', async () => {
  const bindings = (value: string) => ({
    data: {
      type: 'projects',
      relationships: { 'tag-bindings': { data: [{ type: 'tag-bindings', attributes: { key: 'env', value } }] } },
    },
  });
  await expectNoticed('inherited tag', by('PATCH', `projects/${own}`, bindings('test')));
  await expectNoticed('inherited tag back', by('PATCH', `projects/${own}`, bindings('prod')));
  const mode = { 'default-execution-mode': 'local', 'setting-overwrites': { 'default-execution-mode': true } };
  await expectNoticed('mode', by('PATCH', `projects/${own}`, bodyOf('projects', mode)));
  const usual = bodyOf('organizations', { 'default-execution-mode': 'local' });
  await expectNoticed('usual mode', by('PATCH', `organizations/${acme.name}`, usual));
  const move = by('POST', `projects/${platform}/relationships/workspaces`, some('workspaces', ids[0]!));
  await expectNoticed('out of sight', move);
});

test('§5.4 what changes who may see them does, too, at once', async () => {
  const access = async (path: string) =>
    (await two.get(path, acme.owner.token)).data.map(({ id }: { id: string }) => id)[0];
  await expectNoticed('a workspace more', () => workspaceAccess(two, readers, ids[4]!, 'read'));
  await expectNoticed('a project more', () => projectAccess(two, readers, platform, 'read'));
  const ofWorkspace = await access(`team-workspaces?filter[workspace][id]=${ids[4]}`);
  await expectNoticed('a workspace less', by('DELETE', `team-workspaces/${ofWorkspace}`));
  const ofProject = await access(`team-projects?filter[project][id]=${own}`);
  await expectNoticed('a project less', by('DELETE', `team-projects/${ofProject}`));
  const others = await team(two, acme);
  await workspaceAccess(two, others, ids[4]!, 'read');
  const membership = await two.get(
    `organizations/${acme.name}/organization-memberships?q=${reader.username}`,
    acme.owner.token,
  );
  const joined = some('organization-memberships', membership.data[0].id);
  await expectNoticed('another team', by('POST', `teams/${others}/relationships/organization-memberships`, joined));
  await expectNoticed('no team', by('DELETE', `teams/${others}`));
});
