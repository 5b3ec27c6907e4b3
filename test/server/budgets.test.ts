/** How many statements a request costs: counted, since durations differ from machine to machine. */
import { beforeAll, expect, test } from 'vitest';
import { seed } from '../../src/commands/seed/seed.ts';
import { keepRows } from '../../src/workspaces/workspaces/kept.ts';
import { useApp } from '../app.ts';
import { bodyOf, organization, person, type TestOrganization } from '../builders/records.ts';

const app = useApp();
let acme: TestOrganization;
let workspaceId: string;
let workspaceName: string;

beforeAll(async () => {
  acme = await organization(app, { name: 'acme', owner: await person(app, { username: 'admin' }) });
  await seed(app.store, acme.owner, { organization: 'acme', workspaces: 120, teams: 30, seed: 'budgets' });
  const { data } = await app.get('organizations/acme/workspaces?page[size]=1', acme.owner.token);
  [workspaceId, workspaceName] = [data[0].id, data[0].attributes.name];
});

/** The statements of one GET that answers 200, authentication included. */
async function statementsOf(path: string): Promise<string[]> {
  let status = 0;
  const statements = await app.statementsOf(async () => {
    status = (await app.get(path, acme.owner.token)).status;
  });
  expect(status).toBe(200);
  return statements;
}

test('show by id and by name → 2 statements, authentication included, whether it was read before or not', async () => {
  for (const path of [`workspaces/${workspaceId}`, `organizations/acme/workspaces/${workspaceName}`]) {
    keepRows(app.store.read, 1000);
    expect(await statementsOf(path)).toHaveLength(2);
    expect(await statementsOf(path)).toHaveLength(2);
  }
});

test('show of a workspace that changed since this server read it → 3 statements, once', async () => {
  await statementsOf(`workspaces/${workspaceId}`);
  await app.patch(`workspaces/${workspaceId}`, acme.owner.token, bodyOf('workspaces', { description: 'changed' }));
  expect(await statementsOf(`workspaces/${workspaceId}`)).toHaveLength(3);
  expect(await statementsOf(`workspaces/${workspaceId}`)).toHaveLength(2);
});

const list = 'organizations/acme/workspaces';
const filters =
  'search[name]=a&filter[tagged][0][key]=env&filter[tagged][1][key]=region&search[exclude-tags]=gpu&sort=-latest-change-at';

test('a list page with filters, sort and two includes → at most 6 statements, whatever the page size', async () => {
  for (const size of [1, 20, 100]) {
    keepRows(app.store.read, 1000);
    const statements = await statementsOf(`${list}?${filters}&include=organization,locked_by&page[size]=${size}`);
    expect(statements.length).toBeGreaterThan(3);
    expect(statements.length).toBeLessThanOrEqual(6);
  }
});

test('a list page that includes projects, whose documents count → one statement more', async () => {
  const statements = await statementsOf(`${list}?${filters}&include=organization,project`);
  expect(statements.length).toBeLessThanOrEqual(7);
});

test('a list page without anything → 4 statements, 3 when its workspaces were read before', async () => {
  for (const size of [1, 100]) {
    keepRows(app.store.read, 1000);
    expect(await statementsOf(`${list}?page[size]=${size}`)).toHaveLength(4);
    expect(await statementsOf(`${list}?page[size]=${size}`)).toHaveLength(3);
  }
});

test('a page of teams → at most 4 statements, whatever the page size', async () => {
  for (const size of [1, 30]) {
    const statements = await statementsOf(`organizations/acme/teams?q=a&page[size]=${size}`);
    expect(statements.length).toBeLessThanOrEqual(4);
  }
});

test('show team → 2 statements, authentication included', async () => {
  const { data } = await app.get('organizations/acme/teams?page[size]=1', acme.owner.token);
  expect(await statementsOf(`teams/${data[0].id}`)).toHaveLength(2);
});
