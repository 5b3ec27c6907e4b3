import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { binding, project, projectAccess, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let owner: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
  acme = await organization(app);
  owner = acme.owner.token;
  const times = { Alpha: 1, beta: 2, Gamma_ray: 3, 'Gamma ray': 4 };
  for (const [name, minute] of Object.entries(times)) {
    ids[name] = await project(app, acme, { name, created_at: `2030-01-01T00:0${minute}:00Z` });
  }
  await binding(app, acme, { projectId: ids['Alpha']! }, 'env', 'prod');
  await binding(app, acme, { projectId: ids['Alpha']! }, 'owner', 'net');
  await binding(app, acme, { projectId: ids['beta']! }, 'env', 'test');
  const other = await organization(app);
  await project(app, other, { name: 'Alpha' });
});

const list = (query: string, token = owner) => app.get(`organizations/${acme.name}/projects?${query}`, token);
const names = async (query: string, token = owner) =>
  (await list(query, token)).data.map((one: { attributes: { name: string } }) => one.attributes.name);

test('by name whatever its case, unless a sort is asked for', async () => {
  expect(await names('')).toEqual(['Alpha', 'beta', 'Default Project', 'Gamma ray', 'Gamma_ray']);
  const sorted = await names('sort=name');
  expect(sorted[0]).toBe('Alpha');
  expect(await names('sort=-name')).toEqual([...sorted].reverse());
  const refused = await list('sort=size');
  expect([refused.status, refused.pointers]).toEqual([400, ['sort']]);
});

test('§1 pages, and a page past the end', async () => {
  const first = await list('page[size]=2');
  expect(first.data).toHaveLength(2);
  expect(first.document.meta.pagination).toMatchObject({ 'total-count': 5, 'total-pages': 3, 'next-page': 2 });
  const past = await list('page[size]=2&page[number]=999');
  expect([past.status, past.data]).toEqual([200, []]);
  expect(past.document.meta.pagination).toMatchObject({ 'current-page': 999, 'total-count': 5 });
});

test('q finds a part of the name, whatever its case; its wildcards match themselves', async () => {
  expect(await names('q=GAMMA')).toEqual(['Gamma ray', 'Gamma_ray']);
  expect(await names('q=a_r')).toEqual(['Gamma_ray']);
  expect(await names('q=%25')).toEqual([]);
});

test('filter[names] finds whole names, whatever their case, and wins over q', async () => {
  expect(await names('filter[names]=ALPHA, Beta,missing')).toEqual(['Alpha', 'beta']);
  expect(await names('filter[names]=alpha&q=beta')).toEqual(['Alpha']);
  expect(await names('filter[names]=alph')).toEqual([]);
});

test('filter[tagged] joins pairs by AND; an empty value matches any', async () => {
  expect(await names('filter[tagged][0][key]=env')).toEqual(['Alpha', 'beta']);
  expect(await names('filter[tagged][0][key]=env&filter[tagged][0][value]=')).toEqual(['Alpha', 'beta']);
  expect(await names('filter[tagged][0][key]=env&filter[tagged][0][value]=prod')).toEqual(['Alpha']);
  expect(await names('filter[tagged][0][key]=env&filter[tagged][1][key]=owner')).toEqual(['Alpha']);
  const refused = await list('filter[tagged][0][value]=prod');
  expect([refused.status, refused.pointers]).toEqual([400, ['filter[tagged][0][key]']]);
});

test('meta.status-counts tells all that may be read, and those that match', async () => {
  const answer = await list('q=gamma&page[size]=1');
  expect(answer.document.meta['status-counts']).toEqual({ total: 5, matching: 2 });
  expect(answer.document.meta.pagination['total-count']).toBe(2);
});

test('§5 only what the caller may read is listed and counted', async () => {
  const teamId = await team(app, acme);
  await projectAccess(app, teamId, ids['Alpha']!, 'read');
  await workspaceAccess(app, teamId, await workspace(app, acme, { project_id: ids['beta']! }), 'read');
  const reader = await member(app, acme, teamId);
  const answer = await list('', reader.token);
  expect(await names('', reader.token)).toEqual(['Alpha', 'beta']);
  expect(answer.document.meta['status-counts']).toEqual({ total: 2, matching: 2 });
  expect(await names('', (await member(app, acme)).token)).toEqual([]);
  const outsider = await organization(app);
  expect((await list('', outsider.owner.token)).status).toBe(404);
});

test('filter[permissions] keeps the projects in which the caller may do it', async () => {
  const teamId = await team(app, acme);
  await projectAccess(app, teamId, ids['Alpha']!, 'read');
  await projectAccess(app, teamId, ids['beta']!, 'maintain');
  await projectAccess(app, teamId, ids['Gamma ray']!, 'admin');
  const someone = await member(app, acme, teamId);
  expect(await names('filter[permissions][create-workspace]=true', someone.token)).toEqual(['beta', 'Gamma ray']);
  expect(await names('filter[permissions][update]=true', someone.token)).toEqual(['Gamma ray']);
  expect(await names('filter[permissions][update]=false', someone.token)).toHaveLength(3);
  expect(await names('filter[permissions][update]=true')).toHaveLength(5);
  const refused = await list('filter[permissions][update]=maybe');
  expect([refused.status, refused.pointers]).toEqual([400, ['filter[permissions][update]']]);
});

test('a page takes four statements, authentication included, whatever its size', async () => {
  const statements = await app.statementsOf(() => list('page[size]=100&q=a'));
  expect(statements).toHaveLength(4);
});
