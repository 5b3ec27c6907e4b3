/** §5 What agents stand on may be deleted under them: their pool, their organization. No run waits for what is not there any more. */
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { askDoor, signedIn, type TestAgent } from '../../../test/builders/agent.ts';
import { bodyOf, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { configurationVersion, run } from '../../../test/builders/run.ts';
import { agentPool, workspace } from '../../../test/builders/workspace.ts';
import { storeFault } from '../../core/store/faults.ts';
import { newId } from '../../core/store/ids.ts';
import { insertRun } from '../queue/insert.ts';

const app = useApp();
let acme: TestOrganization;
let owner: string;
beforeAll(async () => {
  acme = await organization(app);
  owner = acme.owner.token;
});

interface Pool {
  id: string;
  agent: TestAgent;
  /** A run that its agents execute; its workspace is in another mode by now, so that nothing names the pool. */
  run: () => Promise<{ id: string; workspaceId: string }>;
}

async function pool(of = acme): Promise<Pool> {
  const id = await agentPool(app, of);
  const body = bodyOf('authentication-tokens', { description: 'agents' });
  const { data } = await app.post(`agent-pools/${id}/authentication-tokens`, of.owner.token, body);
  const begin = async () => {
    const workspaceId = await workspace(app, of);
    const begun = await run(app, of, workspaceId, {}, { execution_mode: 'agent', agent_pool_id: id });
    return { id: begun, workspaceId };
  };
  return { id, agent: await signedIn(app, data.attributes.token), run: begin };
}

const statusOf = async (id: string) => (await app.get(`runs/${id}`, owner)).data.attributes.status;
const remove = async ({ id }: Pool) => (await app.delete(`agent-pools/${id}`, owner)).status;

test('§5 a pool whose agents have something to do stays until that is over, though no workspace names it any more', async () => {
  const pools = await pool();
  const [busy, queued] = [await pools.run(), await pools.run()];
  const job = (await pools.agent.claim())!;
  await job.start();
  expect(await remove(pools)).toBe(409);
  expect(await job.finish({ outcome: 'errored' })).toBe(204);
  expect([await statusOf(busy.id), await statusOf(queued.id), await remove(pools)]).toEqual([
    'errored',
    'plan_queued',
    409,
  ]);
  expect((await app.post(`runs/${queued.id}/actions/cancel`, owner)).status).toBe(202);
  expect([await statusOf(queued.id), await remove(pools)]).toEqual(['canceled', 204]);
  expect((await askDoor(app, 'POST', '/jobs/claim', pools.agent.secret, { wait_s: 0 })).status).toBe(401);
});

test('§5 a run that waits to be confirmed needs its pool, too', async () => {
  const pools = await pool();
  const { id } = await pools.run();
  const job = (await pools.agent.claim())!;
  await job.start();
  await job.leave('plan', 'x');
  expect(await job.finish({ outcome: 'finished', has_changes: true })).toBe(204);
  expect([await statusOf(id), await remove(pools)]).toEqual(['planned', 409]);
  expect((await app.post(`runs/${id}/actions/apply`, owner)).status).toBe(202);
  expect((await pools.agent.claim())!.id).not.toBe(job.id);
});

test('§5 an organization that is deleted ends its agents: who waits gets nothing, who works is nobody any more', async () => {
  const other = await organization(app);
  const pools = await pool(other);
  await pools.run();
  const job = (await pools.agent.claim())!;
  await job.start();
  const waiting = askDoor(app, 'POST', '/jobs/claim', pools.agent.secret, { wait_s: 1 });
  expect((await app.delete(`organizations/${other.name}`, other.owner.token)).status).toBe(204);
  expect((await waiting).status).toBe(204);
  const asked = [
    await job.ask('POST', '/beat'),
    await job.log(0, 'x'),
    await job.leave('plan', 'x'),
    await job.ask('POST', '/finish', { outcome: 'finished' }),
    await askDoor(app, 'POST', '/jobs/claim', pools.agent.secret, { wait_s: 0 }),
  ];
  expect(asked.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
});

test('§5 a run that is being made while its pool is deleted keeps the pool, as one that is there does', async () => {
  const pools = await pool();
  const workspaceId = await workspace(app, acme);
  const version = await configurationVersion(app, acme, workspaceId);
  const origin = {
    organization_id: acme.key,
    workspace_id: workspaceId,
    configuration_version_id: version,
    created_by_id: acme.owner.id,
    source: 'tfe-api',
    terraform_version: '1.9.0',
    execution_mode: 'agent' as const,
    agent_pool_id: pools.id,
  };
  const settings = { message: 'A run', plan_only: false, save_plan: false, auto_apply: false, variables: [] };
  const { id, removal } = await app.store.transaction(async sql => {
    await sql`select from workspaces where workspaces.id = ${workspaceId} for update`;
    const made = await insertRun(sql, app.config, origin, settings);
    const removed = remove(pools);
    // It waits for this transaction, which holds the pool that its run refers to.
    await expect.poll(waitsForTheRow, { interval: 20 }).toBe(true);
    return { id: made, removal: { status: removed } };
  });
  expect(await removal.status).toBe(409);
  expect((await (await pools.agent.claim())!.start()).run).toBe(id);
});

const waitsForTheRow = async () =>
  (
    await app.store.read`
      select from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%agent_pools%' and datname = current_database()`
  ).length > 0;

test('§5 a run whose pool was deleted while it was made is tried again, and is no fault of the server', async () => {
  const workspaceId = await workspace(app, acme);
  const gone = { execution_mode: 'agent' as const, agent_pool_id: newId('apool') };
  const fault = await run(app, acme, workspaceId, {}, gone).catch(storeFault);
  expect(fault).toMatchObject({ faults: [{ name: 'record-busy' }] });
  const [made] = await app.store.read`select from runs where runs.workspace_id = ${workspaceId}`;
  expect(made).toBeUndefined();
});
