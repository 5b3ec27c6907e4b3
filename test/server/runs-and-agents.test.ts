/** §5 Who means harm: tokens of agents try every address of the interface, a run tries what is not its own, and jobs that are over try theirs. */
import { beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/http/endpoints.ts';
import { agentCalls } from '../../src/runs/door/calls.ts';
import { useApp } from '../app.ts';
import { askDoor, signedIn, type TestAgent, type TestJob } from '../builders/agent.ts';
import { bodyOf, organization, type TestOrganization } from '../builders/records.ts';
import { run } from '../builders/run.ts';
import { agentPool, workspace } from '../builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let agent: TestAgent;
let poolToken: string;
let job: TestJob;
let runToken: string;
/** Of the job's own run and workspace, by the parameters of paths. */
let own: Record<string, string>;

beforeAll(async () => {
  acme = await organization(app);
  const poolId = await agentPool(app, acme);
  const described = bodyOf('authentication-tokens', { description: 'agents' });
  const made = await app.post(`agent-pools/${poolId}/authentication-tokens`, acme.owner.token, described);
  poolToken = made.data.attributes.token;
  agent = await signedIn(app, poolToken);
  const workspaceId = await workspace(app, acme);
  const inPool = { execution_mode: 'agent', agent_pool_id: poolId } as const;
  const runId = await run(app, acme, workspaceId, {}, inPool);
  job = (await agent.claim())!;
  runToken = (await job.start()).token;
  const { data } = await app.get(`workspaces/${workspaceId}`, acme.owner.token);
  const parts = (await app.get(`runs/${runId}`, acme.owner.token)).data.relationships;
  own = {
    organization_name: acme.name,
    workspace_id: workspaceId,
    workspace_name: data.attributes.name,
    run_id: runId,
    plan_id: parts.plan.data.id,
    apply_id: parts.apply.data.id,
    agent_pool_id: poolId,
    agent_id: agent.id,
    project_id: data.relationships.project.data.id,
    configuration_version_id: parts['configuration-version'].data.id,
    username: acme.owner.username,
    user_id: acme.owner.id,
  };
});

const addressed = endpoints
  .filter(({ signed, isOpen }) => !signed && !isOpen)
  .flatMap(one => one.paths.map(path => ({ one, path })));
const filled = (path: string) => path.slice(1).replaceAll(/:(\w+)/g, (_all, name: string) => own[name] ?? 'none');
const ask = (method: string, path: string, token: string) => {
  const address = filled(path);
  if (method === 'GET') return app.get(address, token);
  if (method === 'DELETE') return app.delete(address, token);
  return method === 'PATCH' ? app.patch(address, token, { data: {} }) : app.post(address, token, { data: {} });
};

describe('§5 tokens of agents', () => {
  test('of a pool, of an agent and of a job open nothing of the interface for people', async () => {
    for (const { one, path } of addressed) {
      for (const token of [poolToken, agent.secret, job.token])
        expect([one.operation, path, (await ask(one.method, path, token)).status]).toEqual([one.operation, path, 401]);
    }
  });

  test('of a job that is over open nothing of it any more', async () => {
    const pool = own['agent_pool_id']!;
    const inPool = { execution_mode: 'agent', agent_pool_id: pool } as const;
    await run(app, acme, await workspace(app, acme), {}, inPool);
    const other = (await agent.claim())!;
    const { token } = await other.start();
    await other.finish({ outcome: 'finished', has_changes: false });
    for (const one of agentCalls.filter(({ opens, operation }) => opens === 'job' && operation !== 'jobs.finish')) {
      const path = `${one.path.replace(':name', 'plan')}${one.operation === 'jobs.append-log' ? '?offset=0' : ''}`;
      const { status } = await askDoor(
        app,
        one.method,
        path,
        other.token,
        one.method === 'GET' ? undefined : Buffer.from(''),
      );
      expect([one.operation, status]).toEqual([one.operation, 410]);
    }
    expect((await app.get(`organizations/${acme.name}`, token)).status).toBe(401);
  });
});

test('§4.5 the token of a run opens the few addresses that its engine needs, and of them its own workspace alone', async () => {
  const opened = new Set<string>();
  for (const { one, path } of addressed) {
    const { status } = await ask(one.method, path, runToken);
    if (one.isForRuns) opened.add(one.operation);
    // A query that lacks what it must have is refused before anybody is asked who wants it.
    else
      expect([one.operation, path, (one.refusesRuns ? [403] : [404, 400]).includes(status)]).toEqual([
        one.operation,
        path,
        true,
      ]);
  }
  expect([...opened].sort()).toEqual([
    'entitlement-sets.show',
    'organizations.show',
    'state-version-outputs.list',
    'state-version-outputs.list-current',
    'state-version-outputs.show',
    'state-versions.create',
    'state-versions.show',
    'state-versions.show-current',
    'workspaces.lock',
    'workspaces.show',
    'workspaces.unlock',
  ]);
  const foreign = await workspace(app, acme);
  own = { ...own, workspace_id: foreign, workspace_name: 'another' };
  for (const { one, path } of addressed.filter(({ one, path }) => one.isForRuns && path.includes(':workspace_')))
    expect([path, (await ask(one.method, path, runToken)).status]).toEqual([path, 404]);
});

test('§4.5 a run that tries to make a workspace, as its command line does for a state that it may not read, is told why not', async () => {
  for (const name of [acme.name, 'nobody-here']) {
    const answer = await app.post(
      `organizations/${name}/workspaces`,
      runToken,
      bodyOf('workspaces', { name: 'source' }),
    );
    expect([answer.status, answer.problems]).toEqual([403, [expect.stringMatching(/does not share its state/)]]);
  }
});
