import { beforeAll, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { configurationVersion, move, run } from '../../../test/builders/run.ts';
import { agentPool, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import { newId } from '../../core/store/ids.ts';

const app = useApp();
let acme: TestOrganization;
let billing: string;
let network: string;
const named: Record<string, string> = {};

beforeAll(async () => {
  acme = await organization(app);
  billing = await workspace(app, acme, { name: 'billing' });
  network = await workspace(app, acme, { name: 'network' });
  named['destroyed'] = await run(app, acme, billing, { is_destroy: true, message: 'Take it down' });
  await move(app, named['destroyed'], 'planning', 'planned');
  named['waiting'] = await run(app, acme, billing, { message: '100% sure' });
  named['speculative'] = await run(app, acme, billing, { plan_only: true });
  named['saved'] = await run(app, acme, network, { save_plan: true });
  named['refreshed'] = await run(app, acme, network, { refresh_only: true, allow_empty_apply: true });
  await move(app, named['refreshed'], 'planning', 'planned', 'confirmed', 'applying', 'applied');
});

const names = (data: Document) =>
  data.map(({ id }: { id: string }) => Object.keys(named).find(name => named[name] === id) ?? id);
const inWorkspace = async (id: string, query: string) =>
  names((await app.get(`workspaces/${id}/runs?${query}`, acme.owner.token)).data);
const inOrganization = async (query: string, token = acme.owner.token) =>
  names((await app.get(`organizations/${acme.name}/runs?${query}`, token)).data);

test('a workspace lists its runs, newest first, counted', async () => {
  const { document } = await app.get(`workspaces/${billing}/runs?page[size]=2`, acme.owner.token);
  expect(names(document.data)).toEqual(['speculative', 'waiting']);
  expect(document.meta.pagination).toMatchObject({ 'total-count': 3, 'next-page': 2 });
});

test('an organization lists runs page by page without totals', async () => {
  const page = (number: number) =>
    app.get(`organizations/${acme.name}/runs?page[size]=3&page[number]=${number}`, acme.owner.token);
  const [first, second, third] = [await page(1), await page(2), await page(3)];
  expect(first!.document.meta).toEqual({
    pagination: { 'current-page': 1, 'page-size': 3, 'prev-page': null, 'next-page': 2 },
  });
  expect(Object.keys(first!.document.links)).toEqual(['self', 'first', 'prev', 'next']);
  expect(second!.document.meta.pagination).toMatchObject({ 'prev-page': 1, 'next-page': null });
  expect([...names(first!.data), ...names(second!.data)].sort()).toEqual(Object.keys(named).sort());
  expect(third!.data).toEqual([]);
});

describe('filters', () => {
  test.each([
    ['filter[status]=pending,applied', ['refreshed', 'waiting']],
    ['filter[source]=tfe-ui', []],
    ['filter[source]=tfe-api&filter[status]=planned', ['destroyed']],
    ['filter[operation]=plan_only', ['speculative']],
    ['filter[operation]=save_plan,destroy', ['saved', 'destroyed']],
    ['filter[operation]=plan_and_apply', ['waiting']],
    ['filter[operation]=refresh_only', ['refreshed']],
    ['filter[operation]=empty_apply', ['refreshed']],
    ['filter[status_group]=final', ['refreshed']],
    ['filter[status_group]=non_final', ['saved', 'speculative', 'waiting', 'destroyed']],
    ['filter[status_group]=discardable', ['waiting', 'destroyed']],
    ['filter[workspace_names]=network', ['refreshed', 'saved']],
    ['filter[timeframe]=year&filter[status]=applied', ['refreshed']],
    ['filter[timeframe]=1999', []],
    ['filter[agent_pool_names]=nowhere', []],
    ['search[basic]=take', ['destroyed']],
    ['search[basic]=100%25', ['waiting']],
    ['search[user]=nobody', []],
    ['search[commit]=abc', []],
  ])('%s → %j', async (query, expected) => {
    expect((await inOrganization(query)).sort()).toEqual([...expected].sort());
  });

  test('search[basic] finds a run by its id, search[user] by who created it', async () => {
    expect(await inOrganization(`search[basic]=${named['saved']}`)).toEqual(['saved']);
    expect(await inWorkspace(billing, `search[user]=${acme.owner.username}`)).toHaveLength(3);
  });

  test('search[commit] and search[user] find what came from a repository', async () => {
    const id = await workspace(app, acme);
    const [version, sql] = [await configurationVersion(app, acme, id), app.store.read];
    const ingress = { 'commit-sha': 'abc1234', 'sender-username': 'Octavia' };
    await sql`
      update configuration_versions set ingress_attributes = ${sql.json(ingress)}, ingress_attributes_id = ${newId('ia')}
      where configuration_versions.id = ${version}`;
    const runId = await run(app, acme, id);
    await sql`update runs set configuration_version_id = ${version} where runs.id = ${runId}`;
    for (const query of ['search[commit]=ABC12', 'search[user]=octavia', 'search[basic]=abc1']) {
      expect([query, await inWorkspace(id, query)]).toEqual([query, [runId]]);
    }
    expect(await inWorkspace(id, 'search[commit]=bc1')).toEqual([]);
    await move(app, runId, 'canceled');
  });

  test('filter[agent_pool_names] finds what the agents of a pool execute', async () => {
    const poolId = await agentPool(app, acme);
    const id = await workspace(app, acme);
    const runId = await run(app, acme, id);
    await app.store.read`update runs set agent_pool_id = ${poolId} where runs.id = ${runId}`;
    const [pool] = await app.store.read`select agent_pools.name from agent_pools where agent_pools.id = ${poolId}`;
    expect(await inOrganization(`filter[agent_pool_names]=other,${pool!['name']}`)).toEqual([runId]);
    const queueOf = async (names: string) => {
      const path = `organizations/${acme.name}/runs/queue?filter[agent_pool_names]=${names}&include=workspace`;
      const { document } = await app.get(path, acme.owner.token);
      const included = (document.included ?? []).map((one: Document) => one.id);
      return [document.data.map((one: Document) => one.id), included, document.meta.pagination['total-count']];
    };
    expect(await queueOf(pool!['name'])).toEqual([[runId], [id], 1]);
    expect(await queueOf('nowhere')).toEqual([[], [], 0]);
    await move(app, runId, 'canceled');
  });

  test('filter[configuration_version][id] finds the runs that are made of one', async () => {
    const made = await app.get(`runs/${named['waiting']}`, acme.owner.token);
    const version = made.data.relationships['configuration-version'].data.id;
    expect(await inWorkspace(billing, `filter[configuration_version][id]=cv-none,${version}`)).toEqual(['waiting']);
    expect(await inWorkspace(network, `filter[configuration_version][id]=${version}`)).toEqual([]);
  });

  test.each(['filter[operation]=plan', 'filter[status_group]=done', 'filter[timeframe]=soon'])(
    '%s → 400 at the parameter',
    async query => {
      const { status, pointers } = await app.get(`organizations/${acme.name}/runs?${query}`, acme.owner.token);
      expect([status, pointers]).toEqual([400, [query.split('=')[0]]]);
    },
  );
});

describe('the queue', () => {
  test('lists what waits in its order, with positions, and capacity counts it', async () => {
    const { document } = await app.get(`organizations/${acme.name}/runs/queue`, acme.owner.token);
    const positions = document.data.map((one: Document) => [names([one])[0], one.attributes['position-in-queue']]);
    expect(positions).toEqual([
      ['waiting', 1],
      ['speculative', 2],
      ['saved', 3],
    ]);
    expect(document.meta.pagination['total-count']).toBe(3);
    const capacity = () => app.get(`organizations/${acme.name}/capacity`, acme.owner.token);
    expect((await capacity()).data).toMatchObject({ id: acme.name, attributes: { pending: 3, running: 0 } });
    await move(app, named['speculative']!, 'planning');
    expect((await capacity()).data.attributes).toEqual({ pending: 2, running: 1 });
    const shown = await app.get(`organizations/${acme.name}/runs/queue?page[size]=1`, acme.owner.token);
    expect([names(shown.data), shown.data[0].attributes['position-in-queue']]).toEqual([['speculative'], 0]);
  });
});

describe('§5.4 only what the caller may read', () => {
  test('is listed and counted, of one organization and of one workspace', async () => {
    const teamId = await team(app, acme);
    await workspaceAccess(app, teamId, network, 'read');
    const { token } = await member(app, acme, teamId);
    expect((await inOrganization('', token)).sort()).toEqual(['refreshed', 'saved']);
    const queue = await app.get(`organizations/${acme.name}/runs/queue`, token);
    expect([names(queue.data), queue.document.meta.pagination['total-count']]).toEqual([['saved'], 1]);
    expect((await app.get(`workspaces/${billing}/runs`, token)).status).toBe(404);
    const lone = await member(app, acme);
    expect(await inOrganization('', lone.token)).toEqual([]);
  });
});

test('include shows each record once; an unknown path → 400', async () => {
  const paths = 'workspace,plan,apply,configuration_version.ingress_attributes,created_by,run_events,task_stages';
  const { document } = await app.get(`workspaces/${network}/runs?include=${paths}`, acme.owner.token);
  const types = document.included.map(({ type }: { type: string }) => type);
  expect([...new Set(types)].sort()).toEqual([
    'applies',
    'configuration-versions',
    'plans',
    'run-events',
    'users',
    'workspaces',
  ]);
  expect(types.filter((type: string) => type === 'workspaces')).toHaveLength(1);
  const refused = await app.get(`runs/${named['saved']}?include=plan.run`, acme.owner.token);
  expect([refused.status, refused.document.errors[0].title]).toEqual([400, 'invalid include parameter']);
});

test('a page of runs takes 2 statements, and with three includes 5, whatever its size', async () => {
  for (const size of [1, 20]) {
    const path = `workspaces/${billing}/runs?page[size]=${size}`;
    expect(await app.statementsOf(() => app.get(path, acme.owner.token))).toHaveLength(2);
    const more = `${path}&include=plan,created_by,run_events`;
    expect(await app.statementsOf(() => app.get(more, acme.owner.token))).toHaveLength(5);
  }
  expect(await app.statementsOf(() => app.get(`runs/${named['saved']}`, acme.owner.token))).toHaveLength(1);
});

test('§2.2 a queue of many thousands is numbered once: page and places come whatever their number', {
  timeout: 90_000,
}, async () => {
  const of = await organization(app);
  const first = await run(app, of, await workspace(app, of));
  const sql = app.store.read;
  // Each of them is counted by a trigger: all at once they take longer than a statement may, on a busy machine.
  for (let from = 1; from < 20_000; from += 2000) {
    await sql`
      insert into runs
      select copied.* from runs
      cross join generate_series(${from}::integer, ${from + 1999}::integer) as numbers (number)
      cross join lateral jsonb_populate_record(runs, jsonb_build_object(
        'id', 'run-' || numbers.number, 'plan_id', 'plan-' || numbers.number, 'position', runs.position + numbers.number,
        'created_at', runs.created_at + numbers.number * interval '1 second'
      )) as copied
      where runs.id = ${first}`;
  }
  const last = await app.get(`organizations/${of.name}/runs/queue?page[size]=2&page[number]=10000`, of.owner.token);
  expect(last.document.meta.pagination['total-count']).toBe(20_001);
  expect(last.data.map((one: Document) => [one.id, one.attributes['position-in-queue']])).toEqual([
    ['run-19998', 19_999],
    ['run-19999', 20_000],
  ]);
  const newest = await app.get(`organizations/${of.name}/runs?page[size]=1`, of.owner.token);
  expect(newest.data[0].attributes['position-in-queue']).toBe(20_001);
});
