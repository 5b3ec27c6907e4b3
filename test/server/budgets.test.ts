/** How many statements a request costs: counted, since durations differ from machine to machine. */
import { beforeAll, expect, test } from 'vitest';
import { seed } from '../../src/commands/seed/seed.ts';
import { useApp } from '../app.ts';
import { bodyOf, member, organization, person, type TestOrganization } from '../builders/records.ts';

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

test('show by id and by name → 1 statement, authentication included, whether it was read before or not', async () => {
  for (const path of [`workspaces/${workspaceId}`, `organizations/acme/workspaces/${workspaceName}`]) {
    app.store.read.kept!.forget();
    expect(await statementsOf(path)).toHaveLength(1);
    expect(await statementsOf(path)).toHaveLength(1);
  }
});

test('show of a workspace that changed since this server read it → 2 statements, once', async () => {
  await statementsOf(`workspaces/${workspaceId}`);
  // On another server: one that changed it itself has read it.
  await app.store.watch`update workspaces set revision = default where workspaces.id = ${workspaceId}`;
  expect(await statementsOf(`workspaces/${workspaceId}`)).toHaveLength(2);
  expect(await statementsOf(`workspaces/${workspaceId}`)).toHaveLength(1);
});

test('the first request of a caller → 1 statement more, which says who it is', async () => {
  const { token } = await member(app, acme);
  const first = await app.statementsOf(() => app.get(`organizations/acme`, token));
  const second = await app.statementsOf(() => app.get(`organizations/acme`, token));
  expect([first.length, second.length]).toEqual([2, 1]);
});

const list = 'organizations/acme/workspaces';
const filters =
  'search[name]=a&filter[tagged][0][key]=env&filter[tagged][1][key]=region&search[exclude-tags]=gpu&sort=-latest-change-at';

test('a list page with filters, sort and two includes → 4 statements, 5 when its workspaces are new to this server', async () => {
  for (const size of [1, 20, 100]) {
    app.store.read.kept!.forget();
    const path = `${list}?${filters}&include=organization,locked_by&page[size]=${size}`;
    // Of the two includes one has no records here, and costs nothing.
    expect((await statementsOf(path)).length).toBeLessThanOrEqual(5);
    expect((await statementsOf(path)).length).toBeLessThanOrEqual(4);
  }
});

test('a list page that includes projects, whose documents count → one statement more', async () => {
  const path = `${list}?${filters}&include=organization,project`;
  await statementsOf(path);
  expect((await statementsOf(path)).length).toBeLessThanOrEqual(5);
});

test('a list page without anything → 3 statements, 2 when its workspaces were read before', async () => {
  for (const size of [1, 100]) {
    app.store.read.kept!.forget();
    expect(await statementsOf(`${list}?page[size]=${size}`)).toHaveLength(3);
    expect(await statementsOf(`${list}?page[size]=${size}`)).toHaveLength(2);
  }
});

test('a page of teams → 2 statements, whatever the page size', async () => {
  for (const size of [1, 30]) {
    expect(await statementsOf(`organizations/acme/teams?q=a&page[size]=${size}`)).toHaveLength(2);
  }
});

test('show team → 1 statement, authentication included', async () => {
  const { data } = await app.get('organizations/acme/teams?page[size]=1', acme.owner.token);
  expect(await statementsOf(`teams/${data[0].id}`)).toHaveLength(1);
});

test('a change of a workspace → 4 statements in 3 round trips, by who was shown it before 3 in 2, and a new one 8 in 4', async () => {
  const attributes = { name: 'counted', description: 'made' };
  const made = await app.tripsOf(() => app.post(list, acme.owner.token, bodyOf('workspaces', attributes)));
  expect(made).toEqual({ statements: 10, trips: 4 });
  const change = (description: string) =>
    app.patch(`workspaces/${workspaceId}`, acme.owner.token, bodyOf('workspaces', { description }));
  app.store.read.kept!.forget();
  expect(await app.tripsOf(() => change('w'))).toEqual({ statements: 6, trips: 3 });
  // The next ones find the row as the one before left it, and so does whoever reads it then.
  for (const description of ['x', 'y'])
    expect(await app.tripsOf(() => change(description))).toEqual({ statements: 5, trips: 2 });
  expect(await statementsOf(`workspaces/${workspaceId}`)).toHaveLength(1);
});

test('a lock → 3 statements in 2 round trips by who was shown the workspace before', async () => {
  await statementsOf(`workspaces/${workspaceId}`);
  const lock = () => app.post(`workspaces/${workspaceId}/actions/lock`, acme.owner.token, {});
  // And the two that begin and end the transaction.
  expect(await app.tripsOf(lock)).toEqual({ statements: 5, trips: 2 });
});
