/** §2.2, §8: the performance figures of a workspace. */
import { beforeAll, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { signedIn } from '../../../test/builders/agent.ts';
import { organization, type TestOrganization } from '../../../test/builders/records.ts';
import { move, run } from '../../../test/builders/run.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import type { RunStatus } from './statuses.ts';

const app = useApp();
let acme: TestOrganization;

beforeAll(async () => {
  acme = await organization(app);
});

const names = [
  'apply-duration-average',
  'plan-duration-average',
  'policy-check-failures',
  'run-failures',
  'workspace-kpis-runs-count',
];
const figures = async (id: string) => {
  const { attributes } = (await app.get(`workspaces/${id}`, acme.owner.token)).data;
  return names.map(name => attributes[name]);
};

/** A run that took these milliseconds to plan and to apply, brought to its end. */
async function finished(workspaceId: string, end: RunStatus, plan?: number, apply?: number): Promise<string> {
  const sql = app.store.read;
  const id = await run(app, acme, workspaceId);
  const back = (milliseconds: number) => sql`clock_timestamp() - ${`${milliseconds} milliseconds`}::text::interval`;
  if (plan !== undefined) {
    await move(app, id, 'planning', 'planned');
    await sql`
      update plans set started_at = plans.finished_at - ${`${plan} milliseconds`}::text::interval
      where plans.run_id = ${id}`;
  }
  if (apply !== undefined) {
    await move(app, id, 'confirmed', 'apply_queued', 'applying');
    await sql`update applies set started_at = ${back(apply)} where applies.run_id = ${id}`;
  }
  await move(app, id, end);
  return id;
}

test('§2.2 null before the first run that errored or was applied', async () => {
  const id = await workspace(app, acme);
  expect(await figures(id)).toEqual([null, null, null, null, null]);
  await finished(id, 'discarded', 1000);
  await finished(id, 'canceled');
  expect(await figures(id)).toEqual([null, null, null, null, null]);
});

test('§2.2 averages are whole milliseconds over the runs that went through the phase; failures are counted', async () => {
  const id = await workspace(app, acme);
  await finished(id, 'errored', 1000);
  expect(await figures(id)).toEqual([null, 1000, 0, 1, 1]);
  await finished(id, 'applied', 4001, 60_000);
  const [apply, ...others] = await figures(id);
  expect(others).toEqual([2501, 0, 1, 2]);
  expect(Number.isInteger(apply)).toBe(true);
  // The end of an apply is the moment of the test, so its duration is not exactly known.
  expect(Math.floor(apply / 10_000)).toBe(6);
});

test('§2.2 a failed policy check is a failure of its own count', async () => {
  const id = await workspace(app, acme);
  const runId = await run(app, acme, id);
  await move(app, runId, 'planning', 'policy_checking');
  await app.store.read`update runs set failed_policy_check = true where runs.id = ${runId}`;
  await move(app, runId, 'errored');
  const [, , policy, failures, count] = await figures(id);
  expect([policy, failures, count]).toEqual([1, 1, 1]);
});

test('§8 metrics/window: the last 30 runs count, older ones no more', async () => {
  const id = await workspace(app, acme);
  for (let made = 0; made < 3; made += 1) await finished(id, 'errored');
  for (let made = 0; made < 28; made += 1) await finished(id, 'applied');
  const [, , , failures, count] = await figures(id);
  expect([failures, count]).toEqual([2, 30]);
});

test('§2.2 the list shows the figures of each workspace', async () => {
  const id = await workspace(app, acme, { name: 'figures-in-the-list' });
  await finished(id, 'errored', 500);
  const { data } = await app.get(`organizations/${acme.name}/workspaces?search[name]=figures-in-the`, acme.owner.token);
  expect(names.map(name => data[0].attributes[name])).toEqual([null, 500, 0, 1, 1]);
});

test('§2.2 the figures of a workspace equal what its last 30 runs say, as agents have reported them', async () => {
  const workspaceId = await workspace(app, acme);
  const agent = await signedIn(app);
  for (let count = 0; count < 33; count += 1) {
    await run(app, acme, workspaceId, { auto_apply: true, plan_only: count === 7 });
    const fails = count % 4 === 0 ? 'plan' : count % 5 === 0 ? 'apply' : null;
    for (const phase of ['plan', 'apply']) {
      const job = await agent.claim();
      if (!job) break;
      await job.start();
      // As if it had taken its time.
      const column = phase === 'plan' ? 'plans' : 'applies';
      await app.store.read`
        update ${app.store.read(column)} as phase set started_at = phase.started_at - interval '1 second' * ${count + 1}::integer
        where phase.status = 'running'`;
      await job.finish({ outcome: fails === phase ? 'errored' : 'finished', has_changes: true });
    }
  }
  const { data } = await app.get(`workspaces/${workspaceId}/runs?page[size]=100`, acme.owner.token);
  const counted = data.filter((one: Document) => ['applied', 'errored'].includes(one.attributes.status)).slice(0, 30);
  const took = async (id: string, phase: 'plan' | 'apply') => {
    const [found] = await app.store.read<{ ms: number | null }[]>`
      select (extract(epoch from phase.finished_at - phase.started_at) * 1000)::double precision as ms
      from ${app.store.read(phase === 'plan' ? 'plans' : 'applies')} as phase where phase.run_id = ${id}`;
    return found!.ms;
  };
  const average = async (phase: 'plan' | 'apply') => {
    const all = await Promise.all(counted.map((one: Document) => took(one.id, phase)));
    const known = all.filter(one => one !== null);
    return Math.round(known.reduce((sum, one) => sum + one, 0) / known.length);
  };
  const failures = counted.filter((one: Document) => one.attributes.status === 'errored').length;
  expect([counted.length, failures > 5]).toEqual([30, true]);
  const expected = [await average('apply'), await average('plan'), 0, failures, 30];
  expect(await figures(workspaceId)).toEqual(expected);
});
