/** §5 What agents stand on may be deleted under them: their pool, their organization. No run waits for what is not there any more. */
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { askDoor, signedIn, type TestAgent } from '../../../test/builders/agent.ts';
import { bodyOf, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { run } from '../../../test/builders/run.ts';
import { agentPool, workspace } from '../../../test/builders/workspace.ts';

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
