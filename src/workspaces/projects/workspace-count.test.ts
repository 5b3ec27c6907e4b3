/** The `workspace-count` of projects comes from counters: they are what counting would find, also after many at once. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { project, projectAccess, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import { asked, openPair, type Pair } from '../../../test/running/pair.ts';
import { drawsFor } from '../../commands/seed/draws.ts';

const rounds = asked('TERRANE_TEST_COUNT_ROUNDS', 2);

let pair: Pair;
let acme: TestOrganization;
let token: string;
let projects: [string, string, string];
beforeAll(async () => {
  pair = await openPair();
});
afterAll(() => pair.close());
beforeEach(async () => {
  acme = await organization(pair.one);
  token = acme.owner.token;
  projects = [await project(pair.one, acme), await project(pair.one, acme), acme.projectId];
});

const inProject = (id: string) => ({ project: { data: { type: 'projects', id } } });
const create = (index: number, name: string, projectId: string) =>
  pair
    .either(index)
    .post(`organizations/${acme.name}/workspaces`, token, bodyOf('workspaces', { name }, inProject(projectId)));
const moveOne = (index: number, id: string, projectId: string) =>
  pair.either(index).patch(`workspaces/${id}`, token, bodyOf('workspaces', {}, inProject(projectId)));
const moveAll = (index: number, ids: readonly string[], projectId: string) =>
  pair.either(index).post(`projects/${projectId}/relationships/workspaces`, token, {
    data: ids.map(id => ({ type: 'workspaces', id })),
  });

/** What each project shows, and the total of the organization's list. */
async function shown(by = token): Promise<{ counts: number[]; total: number }> {
  const answers = await Promise.all(projects.map(id => pair.one.get(`projects/${id}`, by)));
  const list = await pair.one.get(`organizations/${acme.name}/workspaces?page[size]=1`, by);
  return {
    counts: answers.map(({ data }) => data?.attributes['workspace-count']),
    total: list.document.meta.pagination['total-count'],
  };
}

async function counted(): Promise<{ counts: number[]; total: number }> {
  const rows = await pair.one.store.read<{ project_id: string; total: number }[]>`
    select workspaces.project_id, count(*) as total from workspaces
    where workspaces.organization_id = ${acme.key} group by workspaces.project_id`;
  const totals = new Map(rows.map(row => [row.project_id, row.total]));
  return {
    counts: projects.map(id => totals.get(id) ?? 0),
    total: rows.reduce((sum, row) => sum + row.total, 0),
  };
}

test('§2.2 creating, moving by either way, and deleting are counted; a move to where it is already is not', async () => {
  const [one, other] = projects;
  const { data } = await create(0, 'first', one);
  const ids = [data.id, await workspace(pair.one, acme, { project_id: one })];
  expect(await shown()).toEqual({ counts: [2, 0, 0], total: 2 });
  await moveOne(0, ids[0]!, other);
  expect(await shown()).toEqual({ counts: [1, 1, 0], total: 2 });
  await moveOne(0, ids[0]!, other);
  await moveAll(0, ids, other);
  await moveAll(0, ids, other);
  expect(await shown()).toEqual({ counts: [0, 2, 0], total: 2 });
  await pair.one.patch(`workspaces/${ids[0]}`, token, bodyOf('workspaces', { description: 'stays' }));
  expect((await moveAll(0, [ids[0]!, 'ws-missing'], one)).status).toBe(403);
  await pair.one.delete(`workspaces/${ids[0]}`, token);
  expect((await pair.one.post(`workspaces/${ids[1]}/actions/safe-delete`, token)).status).toBe(204);
  expect(await shown()).toEqual({ counts: [0, 0, 0], total: 0 });
});

test('§2.2 a refused creation is not counted', async () => {
  await create(0, 'taken', projects[0]);
  expect((await create(0, 'taken', projects[1])).status).toBe(422);
  expect(await shown()).toEqual({ counts: [1, 0, 0], total: 1 });
});

test('§5.4 who sees one workspace of a project counts one; whose team has the project counts them all', async () => {
  const ids = [];
  for (let number = 0; number < 3; number += 1) {
    ids.push(await workspace(pair.one, acme, { project_id: projects[0] }));
  }
  const [few, whole] = [await team(pair.one, acme), await team(pair.one, acme)];
  await workspaceAccess(pair.one, few, ids[1]!, 'read');
  await projectAccess(pair.one, whole, projects[0], 'read');
  const countOf = async (teamId: string) => {
    const someone = await member(pair.one, acme, teamId);
    return (await pair.one.get(`projects/${projects[0]}`, someone.token)).data.attributes['workspace-count'];
  };
  expect([await countOf(few), await countOf(whole)]).toEqual([1, 3]);
});

test('§2.2 moves to and fro at once all succeed, and the counters know where each workspace is', async () => {
  const [one, other] = projects;
  const here = await Promise.all(Array.from({ length: 5 }, () => workspace(pair.one, acme, { project_id: one })));
  const there = await Promise.all(Array.from({ length: 5 }, () => workspace(pair.one, acme, { project_id: other })));
  for (let round = 0; round < 5 * rounds; round += 1) {
    const [first, second] = round % 2 ? [one, other] : [other, one];
    const answers = await Promise.all([
      ...here.map((id, index) => moveOne(index, id, first)),
      moveAll(0, there.slice(0, 3), second),
      moveAll(1, there.slice(2), second),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([...Array(5).fill(200), 204, 204]);
    expect(await shown()).toEqual(await counted());
  }
});

test(`§2.2 creations, moves and deletions at once leave counters that are exact, in ${rounds} rounds`, async () => {
  const draws = drawsFor('workspace counts');
  let ids: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [kept, going] = [ids.slice(5), ids.slice(0, 5)];
    const answers = await Promise.all([
      ...Array.from({ length: 15 }, (_, index) => create(index, `ws-${round}-${index}`, draws.pick(projects))),
      ...ids.map((id, index) => moveOne(index, id, draws.pick(projects))),
      ...projects.map((id, index) => moveAll(index, kept, id)),
      ...going.map((id, index) => pair.either(index).delete(`workspaces/${id}`, token)),
    ]);
    for (const { status } of answers) expect([200, 201, 204, 403, 404]).toContain(status);
    ids = [...kept, ...answers.filter(({ status }) => status === 201).map(({ data }) => data.id)];
    const found = await counted();
    expect(found.total).toBe(ids.length);
    expect(await shown()).toEqual(found);
  }
});
