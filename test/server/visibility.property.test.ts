/** §5: a list is what show answers 200 to, for the same caller; so are its total, its pages and its filters. */
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { type Document, useApp } from '../app.ts';
import { type BuiltGraph, buildGraph, type GraphCaller, permissionGraph } from '../cast/permission-graph.ts';

const app = useApp();
const { fewMatches_items: few, keptPages_items: kept } = limits;
const usual = [few.value, kept.value] as const;
afterEach(() => {
  [few.value, kept.value] = usual;
});
const runs = { numRuns: 12, interruptAfterTimeLimit: 60_000 };

test('§5.4 for any permissions, lists hold what show answers 200 to, whatever the page and the filter', {
  timeout: 180_000,
}, async () => {
  const sizes = fc.integer({ min: 1, max: 6 });
  // How many are looked up one by one, and how many are found beforehand for the pages to come.
  const [fews, keeps] = [fc.constantFrom(1, 1000), fc.constantFrom(0, 4, 200)];
  const property = fc.asyncProperty(permissionGraph, sizes, fews, keeps, async (graph, size, fewest, keptAhead) => {
    [few.value, kept.value] = [fewest, keptAhead];
    const built = await buildGraph(app, graph);
    for (const caller of built.callers) {
      const { token } = caller;
      const workspaces = await shown('workspaces', idsOf(built.workspaces), token);
      const projects = await shown('projects', built.projectIds, token);
      const teams = await shown('teams', [...idsOf(built.teams), built.acme.ownersTeamId], token);
      expect(idsOf(workspaces)).toEqual(workspacesOf(built, caller));
      expect(idsOf(teams)).toEqual(teamsOf(built, caller));
      await expectWorkspaceLists(built, token, size, workspaces);
      await expectList(`organizations/${built.acme.name}/projects`, token, size, projects);
      await expectTeamList(built, token, size, teams);
      expectCounts(projects, workspaces);
    }
  });
  await fc.assert(property, runs);
});

const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id);

/** §5.4: all for owners and teams that read all; else those that a team of the caller has access to, by any record. */
function workspacesOf({ workspaces, teams, grants }: BuiltGraph, caller: GraphCaller): string[] {
  const own = teams.filter(({ id }) => caller.teamIds.includes(id));
  if (caller.isOwner || own.some(({ readsAllWorkspaces }) => readsAllWorkspaces)) return idsOf(workspaces);
  const open = grants.filter(({ teamId }) => caller.teamIds.includes(teamId)).map(({ to }) => to);
  return idsOf(workspaces.filter(({ id, projectId }) => open.includes(id) || open.includes(projectId)));
}

/** §5.3: all for owners; else the visible ones and the caller's own. The owners team is a secret one. */
function teamsOf({ teams, acme }: BuiltGraph, caller: GraphCaller): string[] {
  const seen = teams.filter(({ id, isVisible }) => caller.isOwner || isVisible || caller.teamIds.includes(id));
  return [...idsOf(seen), ...(caller.isOwner ? [acme.ownersTeamId] : [])];
}

/** What show answers 200 to, by its documents. */
async function shown(type: string, ids: readonly string[], token: string): Promise<Document[]> {
  const answers = await Promise.all(ids.map(id => app.get(`${type}/${id}`, token)));
  expect(answers.filter(({ status }) => status !== 200 && status !== 404)).toEqual([]);
  return answers.filter(({ status }) => status === 200).map(({ data }) => data);
}

async function listed(path: string, token: string, size: number, query: Record<string, string> = {}) {
  const found: Document[] = [];
  const totals = new Set<number>();
  const included: Document[] = [];
  for (let number: number | null = 1; number !== null; ) {
    const page = { 'page[size]': String(size), 'page[number]': String(number) };
    const answer = await app.get(`${path}?${new URLSearchParams({ ...query, ...page })}`, token);
    expect(answer.status).toBe(200);
    found.push(...answer.data);
    included.push(...(answer.document.included ?? []));
    totals.add(answer.document.meta.pagination['total-count']);
    number = answer.document.meta.pagination['next-page'];
  }
  return { found, included, totals: [...totals] };
}

const byId = (documents: readonly Document[]) => Object.fromEntries(documents.map(document => [document.id, document]));

/** Every record once, the same document as show's, and the true total on every page. */
async function expectList(
  path: string,
  token: string,
  size: number,
  expected: readonly Document[],
  query: Record<string, string> = {},
): Promise<Document[]> {
  const { found, totals, included } = await listed(path, token, size, query);
  expect({ query, documents: byId(found) }).toEqual({ query, documents: byId(expected) });
  expect([found.length, totals]).toEqual([expected.length, [expected.length]]);
  return included;
}

async function expectTeamList({ acme }: BuiltGraph, token: string, size: number, expected: readonly Document[]) {
  const { found, totals } = await listed(`organizations/${acme.name}/teams`, token, size);
  expect(idsOf(found).sort()).toEqual(idsOf(expected).sort());
  expect(totals).toEqual([expected.length]);
}

async function expectWorkspaceLists(built: BuiltGraph, token: string, size: number, visible: readonly Document[]) {
  const path = `organizations/${built.acme.name}/workspaces`;
  const bindings = await effectiveBindings(built);
  const bound = ({ id }: Document) => bindings.get(id) ?? {};
  const tags = (one: Document) => [...one.attributes['tag-names'], ...Object.keys(bound(one))];
  const name = (one: Document): string => one.attributes.name.toLowerCase();
  const inProject = (id: string) => (one: Document) => one.relationships.project.data.id === id;
  const lastProject = built.projectIds.at(-1)!;
  const filters: [Record<string, string>, (one: Document) => boolean][] = [
    [{}, () => true],
    [{ sort: '-latest-change-at' }, () => true],
    [{ 'search[name]': 'A' }, one => name(one).includes('a')],
    [{ 'search[name]': '_' }, one => name(one).includes('_')],
    [{ 'search[wildcard-name]': 'b*' }, one => name(one).startsWith('b')],
    [{ 'search[tags]': 'red' }, one => tags(one).includes('red')],
    [{ 'search[tags]': 'red,blue' }, one => tags(one).includes('red') && tags(one).includes('blue')],
    [{ 'search[exclude-tags]': 'green,red' }, one => !tags(one).includes('green') && !tags(one).includes('red')],
    [{ 'filter[tagged][0][key]': 'blue' }, one => 'blue' in bound(one)],
    [{ 'filter[tagged][0][key]': 'red', 'filter[tagged][0][value]': 'east' }, one => bound(one)['red'] === 'east'],
    [{ 'filter[project][id]': lastProject }, inProject(lastProject)],
    [
      { 'filter[project][id]': built.acme.projectId, 'search[name]': 'b' },
      one => inProject(built.acme.projectId)(one) && name(one).includes('b'),
    ],
  ];
  for (const [query, holds] of filters) {
    await expectList(path, token, size, visible.filter(holds), query);
    await expectList(path, token, size, visible.filter(holds), query);
  }
  const included = await expectList(path, token, size, visible, { include: 'project,organization' });
  for (const { type, id } of included) {
    const place = type === 'organizations' ? `organizations/${id}` : `projects/${id}`;
    expect([place, (await app.get(place, token)).status]).toEqual([place, 200]);
  }
}

/** §2.3: the direct bindings, and those of the project under other keys; by workspace. */
async function effectiveBindings({ acme }: BuiltGraph): Promise<Map<string, Record<string, string>>> {
  const rows = await app.store.read<{ id: string; key: string; value: string }[]>`
    select workspaces.id, bindings.key, bindings.value from workspaces
    join (
      select project_tag_bindings.project_id as of_id, project_tag_bindings.key, project_tag_bindings.value, 1 as place
      from project_tag_bindings
      union all
      select workspace_tag_bindings.workspace_id, workspace_tag_bindings.key, workspace_tag_bindings.value, 2
      from workspace_tag_bindings
    ) as bindings on bindings.of_id in (workspaces.id, workspaces.project_id)
    where workspaces.organization_id = ${acme.key}
    order by bindings.place, workspaces.id, bindings.key`;
  const bindings = new Map<string, Record<string, string>>();
  for (const { id, key, value } of rows) bindings.set(id, { ...bindings.get(id), [key]: value });
  return bindings;
}

/** A project counts no workspace that the caller does not see. */
function expectCounts(projects: readonly Document[], workspaces: readonly Document[]): void {
  const counts = projects.map(({ id, attributes }) => [id, attributes['workspace-count']]);
  const seen = projects.map(({ id }) => [
    id,
    workspaces.filter(({ relationships }) => relationships.project.data.id === id).length,
  ]);
  expect(counts).toEqual(seen);
}
