/** §5 The agents' door: which token opens what, and what is made of pieces that come twice, too late or not at all. */

import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { askDoor, signedIn, type TestAgent, type TestJob } from '../../../test/builders/agent.ts';
import { bodyOf, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { run } from '../../../test/builders/run.ts';
import { agentPool, workspace } from '../../../test/builders/workspace.ts';
import { limits } from '../../core/limits.ts';
import { agentCalls } from './calls.ts';

const app = useApp();
let acme: TestOrganization;
let poolId: string;
let poolToken: string;
let agent: TestAgent;

beforeAll(async () => {
  acme = await organization(app);
  poolId = await agentPool(app, acme);
  poolToken = await tokenOfPool(poolId);
  agent = await signedIn(app, poolToken, { name: 'one' });
});

async function tokenOfPool(id: string): Promise<string> {
  const body = bodyOf('authentication-tokens', { description: 'agents' });
  return (await app.post(`agent-pools/${id}/authentication-tokens`, acme.owner.token, body)).data.attributes.token;
}

/** A run that agents of the pool execute, begun by the agent. */
async function begun(): Promise<{ id: string; workspaceId: string; job: TestJob; token: string }> {
  const attributes = { 'execution-mode': 'agent', 'agent-pool-id': poolId };
  const workspaceId = await workspace(app, acme);
  await app.patch(`workspaces/${workspaceId}`, acme.owner.token, bodyOf('workspaces', attributes));
  const id = await run(app, acme, workspaceId, {}, { execution_mode: 'agent', agent_pool_id: poolId });
  const job = (await agent.claim())!;
  const { token } = await job.start();
  return { id, workspaceId, job, token };
}

describe('§5 tokens', () => {
  test('each call is opened by its own kind of token alone', async () => {
    const { job, token: runToken } = await begun();
    const own = { pool: poolToken, agent: agent.secret, job: job.token };
    const tokens = { ...own, user: acme.owner.token, run: runToken, wrong: 'a-token-of-nobody', none: null };
    for (const one of agentCalls) {
      for (const [kind, token] of Object.entries(tokens)) {
        if (kind === one.opens) continue;
        const { status } = await askDoor(app, one.method, one.path.replace(':name', 'plan'), token);
        expect([one.operation, kind, status]).toEqual([one.operation, kind, 401]);
      }
    }
    for (const token of Object.values(own)) expect((await app.get('account/details', token)).status).toBe(401);
  });

  test('a revoked token of the pool ends its agents, and signs nobody in', async () => {
    const other = await agentPool(app, acme);
    const token = await tokenOfPool(other);
    const one = await signedIn(app, token);
    expect(await one.claim()).toBe(null);
    await app.store.read`delete from tokens where tokens.agent_pool_id = ${other}`;
    await expect(one.claim()).rejects.toThrow('401');
    await expect(signedIn(app, token)).rejects.toThrow('401');
  });

  test('agents of one pool are handed nothing of another one, nor what the server executes itself', async () => {
    const stranger = await signedIn(app, await tokenOfPool(await agentPool(app, acme)));
    const own = await signedIn(app);
    const workspaceId = await workspace(app, acme);
    const id = await run(app, acme, workspaceId, {}, { execution_mode: 'agent', agent_pool_id: poolId });
    expect([await stranger.claim(), await own.claim()]).toEqual([null, null]);
    const job = (await agent.claim())!;
    expect((await job.start()).run).toBe(id);
    await job.finish({ outcome: 'errored' });
  });

  test('a ticket of the server that was changed signs nobody in', async () => {
    await expect(signedIn(app, 'built-in?expires=99999999999&signature=none')).rejects.toThrow('401');
  });
});

describe('§1 agents', () => {
  const list = async () => (await app.get(`agent-pools/${poolId}/agents`, acme.owner.token)).data;
  const statusOf = async () => (await app.get(`agents/${agent.id}`, acme.owner.token)).data.attributes.status;

  test('are listed with what they do, counted, and deleted only when they have gone', async () => {
    expect(await statusOf()).toBe('busy');
    await app.store.read`update jobs set status = 'over'`;
    expect(await statusOf()).toBe('idle');
    const remove = () => app.delete(`agents/${agent.id}`, acme.owner.token);
    expect((await remove()).status).toBe(412);
    const pool = (await app.get(`agent-pools/${poolId}`, acme.owner.token)).data;
    expect([pool.attributes['agent-count'], (await list()).length]).toEqual([1, 1]);
    const since = (time: string) =>
      app.get(`agent-pools/${poolId}/agents?filter[last-ping-since]=${encodeURIComponent(time)}`, acme.owner.token);
    expect((await since('2020-01-01T00:00:00Z')).data).toHaveLength(1);
    expect((await since('2999-01-01T00:00:00Z')).data).toHaveLength(0);
    expect((await since('yesterday')).status).toBe(400);
    const pingedBefore = (time: string) => app.store.read`
      update agents set last_ping_at = now() - ${time}::text::interval where agents.id = ${agent.id}`;
    await pingedBefore('61 seconds');
    expect(await statusOf()).toBe('unknown');
    await pingedBefore('301 seconds');
    expect(await statusOf()).toBe('errored');
    expect((await remove()).status).toBe(204);
    agent = await signedIn(app, poolToken);
  });

  test('that take leave are exited, and their secret opens nothing any more', async () => {
    const one = await signedIn(app, poolToken);
    expect((await askDoor(app, 'POST', '/exit', one.secret)).status).toBe(204);
    expect((await app.get(`agents/${one.id}`, acme.owner.token)).data.attributes.status).toBe('exited');
    await expect(one.claim()).rejects.toThrow('401');
  });

  test('§1 the entitlement `operations` is true exactly when something can execute', async () => {
    const other = await organization(app);
    const operations = async ({ name, owner }: TestOrganization) =>
      (await app.get(`organizations/${name}/entitlement-set`, owner.token)).data.attributes.operations;
    await app.store.read`delete from agents where agents.agent_pool_id is null`;
    expect([await operations(acme), await operations(other)]).toEqual([true, false]);
    await app.store.read`update agents set last_ping_at = now() - interval '301 seconds'`;
    expect([await operations(acme), await operations(other)]).toEqual([false, false]);
    await signedIn(app);
    expect([await operations(acme), await operations(other)]).toEqual([true, true]);
    agent = await signedIn(app, poolToken);
  });
});

describe('§4.3 a log', () => {
  const read = async (id: string, more = '') => {
    const { attributes } = (await app.get(`runs/${id}/plan`, acme.owner.token)).data;
    const { pathname } = new URL(attributes['log-read-url']);
    return (await app.app.inject({ method: 'GET', url: `${pathname}?${more}` })).body;
  };

  test('grows by pieces at its end: one that comes again changes nothing, and none is taken behind a gap', async () => {
    const { id, job } = await begun();
    expect((await job.log(0, 'one ')).json.length).toBe(4);
    expect((await job.log(0, 'one ')).json.length).toBe(4);
    expect((await job.log(9, 'late')).json.length).toBe(4);
    expect((await job.log(4, 't\u0002w\u0003o ')).json.length).toBe(10);
    expect((await job.log(10, 'three')).json.length).toBe(15);
    expect(await read(id)).toBe('\u0002one t?w?o three');
    await job.finish({ outcome: 'finished' });
    const whole = '\u0002one t?w?o three\u0003';
    expect(await read(id)).toBe(whole);
    for (let limit = 1; limit < 8; limit += 1) {
      let pieces = '';
      for (let offset = 0; offset < whole.length; offset += limit)
        pieces += await read(id, `offset=${offset}&limit=${limit}`);
      expect(pieces).toBe(whole);
    }
    expect(await read(id, 'offset=17&limit=10')).toBe('');
    expect(await read(id, 'offset=9999&limit=10')).toBe('');
  });

  test('takes each piece once when it is sent many times at once', async () => {
    const { id, job } = await begun();
    await Promise.all(Array.from({ length: 8 }, () => job.log(0, 'same')));
    expect(await read(id)).toBe('\u0002same');
    await job.finish({ outcome: 'errored' });
  });
});

describe('§4.3 the files of a run', () => {
  test('go from the plan to readers and to the apply; the plan itself is gone when the run is over', async () => {
    const { id, job } = await begun();
    const planId = (await app.get(`runs/${id}/plan`, acme.owner.token)).data.id;
    expect((await app.get(`plans/${planId}/json-output`, acme.owner.token)).status).toBe(204);
    for (const name of ['plan', 'lock', 'json', 'redacted'] as const) {
      expect((await job.leave(name, `first ${name}`)).status).toBe(204);
      expect((await job.leave(name, `"${name}"`)).status).toBe(204);
    }
    expect((await job.leave('elsewhere' as never, 'x')).status).toBe(404);
    await job.finish({ outcome: 'finished', has_changes: true });
    for (const [form, name] of [
      ['json-output', 'json'],
      ['json-output-redacted', 'redacted'],
    ] as const) {
      const { status, headers } = await app.get(`plans/${planId}/${form}`, acme.owner.token);
      expect(status).toBe(307);
      const { pathname, search } = new URL(headers['location']!);
      expect((await app.app.inject({ method: 'GET', url: pathname + search })).json()).toBe(name);
    }
    await app.post(`runs/${id}/actions/apply`, acme.owner.token, {});
    const apply = (await agent.claim())!;
    await apply.start();
    expect((await apply.ask('GET', '/artifacts/plan')).bytes.toString()).toBe('"plan"');
    expect((await apply.ask('GET', '/artifacts/generated')).status).toBe(404);
    await apply.finish({ outcome: 'finished' });
    const left = await app.store.read`
      select run_artifacts.name from run_artifacts where run_artifacts.run_id = ${id} order by run_artifacts.name`;
    expect(left.map(({ name }) => name)).toEqual(['json', 'redacted']);
  });

  test('come in on the connections for changes: a large one costs those for reading as little as a small one', async () => {
    const { job } = await begun();
    const statements = async (content: string) => {
      const before = app.store.figures().lanes;
      expect((await job.leave('json', content)).status).toBe(204);
      const after = app.store.figures().lanes;
      return [after.read.statements - before.read.statements, after.write.statements - before.write.statements];
    };
    const large = randomBytes(3 * 1024 * 1024).toString('base64');
    const [small, big] = [await statements('"small"'), await statements(large)];
    expect([big[0], big[1]! - small[1]! >= 6]).toEqual([small[0], true]);
  });

  test('an errored state is taken at its own address, also when the job is over', async () => {
    const { id, job } = await begun();
    await job.finish({ outcome: 'finished', has_changes: true });
    await app.post(`runs/${id}/actions/apply`, acme.owner.token, {});
    const apply = (await agent.claim())!;
    const description = await apply.start();
    expect(description.timeout_s).toBe(limits.applyTime_s.value);
    const { pathname, search } = new URL(description.errored_state_url!);
    await apply.finish({ outcome: 'errored' });
    const applyId = (await app.get(`runs/${id}/apply`, acme.owner.token)).data.id;
    expect((await app.get(`applies/${applyId}/errored-state`, acme.owner.token)).status).toBe(404);
    const put = await app.app.inject({
      method: 'PUT',
      url: pathname + search,
      headers: { 'content-type': 'application/octet-stream' },
      payload: '{"serial":1}',
    });
    expect(put.statusCode).toBe(200);
    const { status, headers } = await app.get(`applies/${applyId}/errored-state`, acme.owner.token);
    const address = new URL(headers['location']!);
    const content = await app.app.inject({ method: 'GET', url: address.pathname + address.search });
    expect([status, content.body]).toEqual([307, '{"serial":1}']);
  });

  test('what is no report → 422, and the job goes on', async () => {
    const { job } = await begun();
    for (const report of [{}, { outcome: 'done' }, { outcome: 'finished', resource_additions: -1 }]) {
      expect(await job.finish(report as never)).toBe(422);
    }
    expect(await job.finish({ outcome: 'errored' })).toBe(204);
    expect(await job.finish({ outcome: 'errored' })).toBe(204);
    expect(await job.finish({ outcome: 'finished' })).toBe(410);
  });
});
