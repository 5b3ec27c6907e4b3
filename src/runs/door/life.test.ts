/** §2.2 `current-run`: what becomes of runs when agents execute them, told by the calls that agents make. */
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { signedIn, type TestAgent, type TestJob } from '../../../test/builders/agent.ts';
import { organization, type TestOrganization } from '../../../test/builders/records.ts';
import { run } from '../../../test/builders/run.ts';
import { workspace } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let agent: TestAgent;

beforeAll(async () => {
  acme = await organization(app);
  agent = await signedIn(app);
});

const show = async (id: string) => (await app.get(`runs/${id}`, acme.owner.token)).data;
const statusOf = async (id: string) => (await show(id)).attributes.status;
const act = (id: string, action: string) => app.post(`runs/${id}/actions/${action}`, acme.owner.token, {});
const workspaceOf = async (id: string) => (await app.get(`workspaces/${id}`, acme.owner.token)).data;

async function next(): Promise<TestJob> {
  const job = await agent.claim();
  if (!job) throw new Error('There is no job.');
  return job;
}

/** Begins with the next job, and ends it as reported. */
async function done(outcome: 'finished' | 'errored' | 'canceled' = 'finished', has_changes = true): Promise<void> {
  const job = await next();
  await job.start();
  expect(await job.finish({ outcome, has_changes })).toBe(204);
}

async function newRun(given: object = {}): Promise<{ id: string; workspaceId: string }> {
  const workspaceId = await workspace(app, acme);
  return { id: await run(app, acme, workspaceId, given), workspaceId };
}

describe('§2.2 a plan', () => {
  test('is planning from its start, and rests when there is something to apply', async () => {
    const { id, workspaceId } = await newRun();
    const job = await next();
    expect(await statusOf(id)).toBe('plan_queued');
    const described = await job.start();
    expect(described).toMatchObject({
      phase: 'plan',
      run: id,
      workspace: { id: workspaceId },
      errored_state_url: null,
    });
    expect(await statusOf(id)).toBe('planning');
    const counts = { resource_additions: 1, resource_changes: 2, resource_destructions: 3, resource_imports: 4 };
    expect(await job.finish({ outcome: 'finished', has_changes: true, ...counts })).toBe(204);
    const { attributes } = await show(id);
    expect([attributes.status, attributes['has-changes'], attributes.actions['is-confirmable']]).toEqual([
      'planned',
      true,
      true,
    ]);
    const plan = (await app.get(`runs/${id}/plan`, acme.owner.token)).data.attributes;
    expect(plan).toMatchObject({
      status: 'finished',
      'has-changes': true,
      'resource-additions': 1,
      'resource-changes': 2,
      'resource-destructions': 3,
      'resource-imports': 4,
      'execution-details': { mode: 'remote' },
    });
    await act(id, 'discard');
  });

  test.each([
    ['without changes', {}, false, 'planned_and_finished'],
    ['that nobody can apply', { plan_only: true }, true, 'planned_and_finished'],
    ['that is kept for later', { save_plan: true }, true, 'planned_and_saved'],
    ['that applies itself', { auto_apply: true }, true, 'apply_queued'],
    ['without changes that is applied all the same', { allow_empty_apply: true }, false, 'apply_queued'],
  ])('%s', async (_name, given, hasChanges, expected) => {
    const { id } = await newRun(given);
    await done('finished', hasChanges);
    expect(await statusOf(id)).toBe(expected);
    if (expected === 'apply_queued') await done();
    if (expected === 'planned_and_saved') await act(id, 'discard');
  });

  test('that errs ends its run, and lets the next one begin', async () => {
    const { id, workspaceId } = await newRun();
    const behind = await run(app, acme, workspaceId);
    await done('errored');
    expect([await statusOf(id), await statusOf(behind)]).toEqual(['errored', 'plan_queued']);
    await done('finished', false);
  });
});

describe('§2.2 an apply', () => {
  test('runs once it is confirmed; then the workspace is free and counts it', async () => {
    const { id, workspaceId } = await newRun();
    await done();
    expect((await act(id, 'apply')).status).toBe(202);
    const job = await next();
    const { phase, errored_state_url } = await job.start();
    expect([phase, typeof errored_state_url]).toEqual(['apply', 'string']);
    expect([await statusOf(id), (await workspaceOf(workspaceId)).attributes.locked]).toEqual(['applying', true]);
    await job.finish({ outcome: 'finished', resource_additions: 5 });
    const { relationships, attributes } = await show(id);
    expect([attributes.status, relationships['confirmed-by'].data.id]).toEqual(['applied', acme.owner.id]);
    const { locked, 'workspace-kpis-runs-count': count } = (await workspaceOf(workspaceId)).attributes;
    expect([locked, count]).toEqual([false, 1]);
    const apply = (await app.get(`runs/${id}/apply`, acme.owner.token)).data.attributes;
    expect([apply.status, apply['resource-additions']]).toEqual(['finished', 5]);
  });

  test('discards the saved plans of its workspace, and makes its own provisional version current', async () => {
    const { id: elsewhere } = await newRun({ save_plan: true });
    await done();
    const { id, workspaceId } = await newRun({ save_plan: true });
    await done();
    const other = await run(app, acme, workspaceId, { save_plan: true });
    await done();
    const before = await workspaceOf(workspaceId);
    const version = (await show(id)).relationships['configuration-version'].data.id;
    const sql = app.store.read;
    await sql`update configuration_versions set provisional = true where configuration_versions.id = ${version}`;
    await sql`update workspaces set current_configuration_version_id = null, revision = default
      where workspaces.id = ${workspaceId}`;
    await act(id, 'apply');
    expect((await workspaceOf(workspaceId)).relationships['current-run'].data.id).toBe(id);
    await done();
    const statuses = await Promise.all([id, other, elsewhere].map(statusOf));
    expect(statuses).toEqual(['applied', 'discarded', 'planned_and_saved']);
    const after = (await workspaceOf(workspaceId)).relationships['current-configuration-version'].data;
    expect(after.id).toBe(version);
    expect(before.relationships['current-configuration-version'].data.id).not.toBe(version);
  });
});

describe('§5.4 cancel', () => {
  test('of a run at work tells its agent, and ends it when the agent says so', async () => {
    const { id } = await newRun();
    const job = await next();
    await job.start();
    expect((await job.ask('POST', '/beat')).json).toEqual({ signal: null });
    await act(id, 'cancel');
    expect((await job.ask('POST', '/beat')).json).toEqual({ signal: 'interrupt' });
    expect((await job.log(0, 'Interrupted')).json).toEqual({ length: 11, signal: 'interrupt' });
    expect(await statusOf(id)).toBe('planning');
    await job.finish({ outcome: 'canceled' });
    expect(await statusOf(id)).toBe('canceled');
  });

  test('of an apply that was done by then leaves it applied', async () => {
    const { id } = await newRun({ auto_apply: true });
    await done();
    const job = await next();
    await job.start();
    await act(id, 'cancel');
    await job.finish({ outcome: 'finished' });
    expect(await statusOf(id)).toBe('applied');
  });

  test('of a job that was taken and not begun: whoever took it learns that there is nothing to do', async () => {
    const { id } = await newRun();
    const job = await next();
    await act(id, 'cancel');
    expect(await statusOf(id)).toBe('canceled');
    await expect(job.start()).rejects.toThrow('410');
  });

  test('by force ends the run at once; its agent, and what its engine still writes, are refused', async () => {
    const { id, workspaceId } = await newRun();
    const job = await next();
    const { token } = await job.start();
    expect((await app.get(`workspaces/${workspaceId}`, token)).status).toBe(200);
    await act(id, 'cancel');
    const sql = app.store.read;
    await sql`update runs set force_cancel_available_at = now() - interval '1 second' where runs.id = ${id}`;
    expect((await act(id, 'force-cancel')).status).toBe(202);
    const { attributes } = await show(id);
    expect(attributes.status).toBe('canceled');
    for (const [method, path] of [
      ['POST', '/beat'],
      ['PATCH', '/log?offset=0'],
      ['PUT', '/artifacts/plan'],
    ] as const) {
      expect([path, (await job.ask(method, path, method === 'POST' ? undefined : Buffer.from('x'))).status]).toEqual([
        path,
        410,
      ]);
    }
    expect(await job.finish({ outcome: 'finished', has_changes: true })).toBe(410);
    expect((await app.get(`workspaces/${workspaceId}`, token)).status).toBe(401);
    expect((await workspaceOf(workspaceId)).attributes.locked).toBe(false);
  });
});
