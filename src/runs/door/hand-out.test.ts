/** §2.2 Who is handed which job: their order, races for them, and jobs whose agent falls silent. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { signedIn, type TestAgent } from '../../../test/builders/agent.ts';
import { organization, type TestOrganization } from '../../../test/builders/records.ts';
import { move, run } from '../../../test/builders/run.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { handOut } from './hand-out.ts';
import { waitingAgents } from './waiting.ts';
import { endLostJobs, watchJobs } from './watch.ts';

const app = useApp();
let acme: TestOrganization;
let rival: TestOrganization;
let agent: TestAgent;

beforeAll(async () => {
  acme = await organization(app);
  rival = await organization(app);
});
beforeEach(async () => {
  await app.store.read`delete from jobs`;
  agent = await signedIn(app);
});

const newRun = async (of: TestOrganization, given: object = {}) => run(app, of, await workspace(app, of), given);
const statusOf = async (id: string) => (await app.get(`runs/${id}`, acme.owner.token)).data.attributes.status;
const silentFor = (time: string) =>
  app.store.read`update jobs set seen_at = jobs.seen_at - ${time}::text::interval where jobs.status <> 'over'`;

async function handedOut(): Promise<string[]> {
  const runs: string[] = [];
  for (let job = await agent.claim(); job; job = await agent.claim()) runs.push((await job.start()).run);
  return runs;
}

test('§2.2 applies go before plans, and both before plans that nobody can apply', async () => {
  const speculative = await newRun(acme, { plan_only: true });
  const plan = await newRun(acme);
  const apply = await newRun(acme);
  await move(app, apply, 'planning', 'planned', 'confirmed', 'apply_queued');
  await app.store.read`delete from jobs where jobs.run_id = ${apply} and jobs.phase = 'plan'`;
  expect(await handedOut()).toEqual([apply, plan, speculative]);
});

test('§2.2 an organization with many jobs does not keep another one waiting', async () => {
  const many = [await newRun(acme), await newRun(acme), await newRun(acme)];
  const single = await newRun(rival);
  expect(await handedOut()).toEqual([many[0], single, many[1], many[2]]);
});

test('§2.2 of many agents that ask at once each gets another job, and none is handed out twice', async () => {
  const runs = await Promise.all(Array.from({ length: 12 }, () => newRun(acme)));
  const agents = await Promise.all(Array.from({ length: 20 }, () => signedIn(app)));
  const jobs = (await Promise.all(agents.map(one => one.claim(2)))).filter(job => job !== null);
  const begun = await Promise.all(jobs.map(job => job.start()));
  expect(begun.map(one => one.run).sort()).toEqual(runs.sort());
});

test('§2.2 of organizations whose agents ask at once, each gets its share of the jobs that one look hands out', async () => {
  const many = [await newRun(acme), await newRun(acme), await newRun(acme), await newRun(acme)];
  const few = [await newRun(rival), await newRun(rival)];
  const hashes = Array.from({ length: 4 }, () => randomBytes(32));
  const handed = await handOut(
    app.store.read,
    hashes.map(hash => ({ agentId: agent.id, poolId: null, hasGit: false, hash })),
  );
  const taken = await app.store.read<{ run_id: string }[]>`
    select jobs.run_id from jobs where jobs.id = any(${handed.map(({ job }) => job)})`;
  expect(taken.map(({ run_id }) => run_id).sort()).toEqual([...many.slice(0, 2), ...few].sort());
});

test('§2.2 an agent that has gone away while it waited is handed nothing', async () => {
  const waiting = waitingAgents(app.store);
  const gone = new AbortController();
  const asked = waiting.forJob(
    { agentId: agent.id, poolId: null, hasGit: false, hash: randomBytes(32) },
    20_000,
    gone.signal,
  );
  gone.abort();
  const id = await newRun(acme);
  expect(await asked).toBe(null);
  expect((await (await agent.claim())!.start()).run).toBe(id);
  const another = waiting.forJob(
    { agentId: agent.id, poolId: null, hasGit: false, hash: randomBytes(32) },
    20_000,
    new AbortController().signal,
  );
  waiting.close();
  expect(await another).toBe(null);
});

test('§2.2 an agent that waits is called when there is a job', async () => {
  const waiting = agent.claim(20);
  const id = await newRun(acme);
  expect((await (await waiting)!.start()).run).toBe(id);
});

describe('§2.2 an agent that falls silent', () => {
  test('before it began: the job goes to the next one, and the first is refused', async () => {
    const id = await newRun(acme);
    const first = (await agent.claim())!;
    await silentFor('50 seconds');
    await endLostJobs(app.store);
    expect(await agent.claim()).toBe(null);
    await silentFor('11 seconds');
    await endLostJobs(app.store);
    const second = (await agent.claim())!;
    await expect(first.start()).rejects.toThrow('401');
    expect((await second.start()).run).toBe(id);
  });

  test('in the middle: its run errs, says why, and lets its workspace go; nothing is done twice', async () => {
    const id = await newRun(acme);
    const job = (await agent.claim())!;
    await job.start();
    await silentFor('290 seconds');
    expect(await endLostJobs(app.store)).toEqual([]);
    await silentFor('11 seconds');
    const ended = await Promise.all([endLostJobs(app.store), endLostJobs(app.store)]);
    expect(ended.flat()).toEqual([id]);
    expect(await statusOf(id)).toBe('errored');
    const events = (await app.get(`runs/${id}/run-events`, acme.owner.token)).data;
    const lost = events.find((one: { attributes: { action: string } }) => one.attributes.action === 'agent_lost');
    expect(lost.attributes.description).toContain('not heard of');
    expect(await job.finish({ outcome: 'finished' })).toBe(410);
    expect(await agent.claim()).toBe(null);
  });

  test('and comes back within the time goes on as if nothing had been', async () => {
    const id = await newRun(acme);
    const job = (await agent.claim())!;
    await job.start();
    await silentFor('200 seconds');
    expect((await job.ask('POST', '/beat')).status).toBe(200);
    await silentFor('200 seconds');
    expect(await endLostJobs(app.store)).toEqual([]);
    expect(await job.finish({ outcome: 'finished', has_changes: false })).toBe(204);
    expect(await statusOf(id)).toBe('planned_and_finished');
  });

  test('while nobody could hear it has the time to be heard: a server that was away for long ends only runs of lost agents', async () => {
    const [alive, lost] = [await newRun(acme), await newRun(acme)];
    const job = (await agent.claim())!;
    await job.start();
    await (await agent.claim())!.start();
    await silentFor('20 minutes');
    const end = watchJobs(app.store, { warn: () => undefined }, { interval_ms: 50, hearing_ms: 1000 });
    try {
      await sleep(300);
      expect((await job.ask('POST', '/beat')).status).toBe(200);
      await expect.poll(() => statusOf(lost), { timeout: 10_000 }).toBe('errored');
      expect(await statusOf(alive)).toBe('planning');
    } finally {
      await end();
    }
    await job.finish({ outcome: 'finished', has_changes: false });
  });

  test('for so long that it is taken for lost has to sign in anew', async () => {
    await app.store.read`update agents set last_ping_at = now() - interval '301 seconds' where agents.id = ${agent.id}`;
    await expect(agent.claim()).rejects.toThrow('401');
  });
});
