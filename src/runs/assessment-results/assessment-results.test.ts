/** §4.2 `assessments-enabled`: each workspace that wants it is looked at once a day, below everything else, and nothing is applied. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { signedIn, type TestAgent, type TestJob } from '../../../test/builders/agent.ts';
import { type Receiver, reachable, receiver } from '../../../test/builders/receiver.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { configurationVersion, run } from '../../../test/builders/run.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import { workOffClaims } from '../../core/claims.ts';
import { endLostJobs } from '../door/watch.ts';
import { deliveries } from '../notification-configurations/deliver.ts';
import { assessWhatIsDue } from './assess.ts';

const app = useApp({ ...reachable, TERRANE_EDITION: 'hosted' });
let acme: TestOrganization;
let agent: TestAgent;
beforeAll(async () => {
  acme = await organization(app);
  agent = await signedIn(app);
});
beforeEach(async () => {
  await app.store.read`delete from runs`;
  await app.store.read`update workspaces set assessments_enabled = false`;
});

const assessed = () => assessWhatIsDue(app.store, app.config);
const document = async (id: string) => (await app.get(`workspaces/${id}`, acme.owner.token)).data;
const resultOf = async (id: string) => {
  const answer = await app.get(`workspaces/${id}?include=current_assessment_result`, acme.owner.token);
  return answer.document.included?.[0];
};
const change = (id: string, columns: Record<string, unknown>) =>
  app.store.read`update workspaces set ${app.store.read(columns)}, revision = default where workspaces.id = ${id}`;
const aDayLater = (id: string) => change(id, { assessed_at: new Date(Date.now() - 86_401_000).toISOString() });

/** A workspace that manages something and wants to be looked at. */
async function managing(attributes: object = { 'assessments-enabled': true }): Promise<string> {
  const id = await workspace(app, acme);
  await configurationVersion(app, acme, id);
  const version = `sv-${id.slice(3)}`;
  await app.store.read`
    insert into state_versions (id, workspace_id, position, status, intermediate, awaits_json, serial, md5, created_by_id)
    values (${version}, ${id}, 1, 'finalized', false, false, 1, 'x', ${acme.owner.id})`;
  await change(id, { current_state_version_id: version, resource_count: 3 });
  await app.patch(`workspaces/${id}`, acme.owner.token, bodyOf('workspaces', attributes));
  return id;
}

const nothing = {
  resources_drifted: 0,
  resources_undrifted: 3,
  checks_passed: 1,
  checks_failed: 0,
  checks_errored: 0,
  checks_unknown: 0,
};

/** The next job, begun, which is one of an assessment. */
async function begun(): Promise<TestJob> {
  const job = (await agent.claim())!;
  const { is_assessment, refresh_only, phase, is_structured } = await job.start();
  expect({ is_assessment, refresh_only, phase, is_structured }).toEqual({
    is_assessment: true,
    refresh_only: true,
    phase: 'plan',
    is_structured: true,
  });
  return job;
}

async function found(id: string, counts: Partial<typeof nothing> = {}): Promise<void> {
  await aDayLater(id);
  expect(await assessed()).toEqual([id]);
  const job = await begun();
  await job.log(0, 'looked at\n');
  await job.leave('json', '{"resource_drift":[]}');
  await job.leave('schemas', '{"provider_schemas":{}}');
  expect(await job.finish({ outcome: 'finished', assessment: { ...nothing, ...counts } })).toBe(204);
}

describe('is begun', () => {
  test('once a day, by one of several servers', async () => {
    const id = await managing();
    expect((await Promise.all([assessed(), assessed(), assessed()])).flat()).toEqual([id]);
    expect(await assessed()).toEqual([]);
    await (await begun()).finish({ outcome: 'finished', assessment: nothing });
    expect(await assessed()).toEqual([]);
    await aDayLater(id);
    expect(await assessed()).toEqual([id]);
  });

  test('where the organization enforces it, whatever the workspace says; in the hosted edition alone', async () => {
    const id = await managing({ 'assessments-enabled': false });
    expect(await assessed()).toEqual([]);
    const enforce = (value: boolean) =>
      app.patch(
        `organizations/${acme.name}`,
        acme.owner.token,
        bodyOf('organizations', { 'assessments-enforced': value }),
      );
    await enforce(true);
    expect(await assessWhatIsDue(app.store, { ...app.config, edition: 'self-hosted' })).toEqual([]);
    expect(await assessed()).toContain(id);
    await enforce(false);
  });

  test.each([
    ['it is locked', { locked: true, locked_by_type: 'users', locked_by_id: 'user-somebody' }],
    ['it manages nothing', { resource_count: 0 }],
    ['it has no configuration', { current_configuration_version_id: null }],
    ['its last run erred', { current_run_status: 'errored' }],
    ['a run is on', { current_run_status: 'planned' }],
    ['it keeps its state only', { execution_mode: 'local', overwrites_execution_mode: true }],
  ])('not while %s', async (_why, columns) => {
    const id = await managing();
    await change(id, columns);
    expect(await assessed()).toEqual([]);
  });

  test('behind everything else: plans that nobody can apply are handed out before it', async () => {
    await managing();
    await assessed();
    await run(app, acme, await workspace(app, acme), { plan_only: true });
    const [first, second] = [(await agent.claim())!, (await agent.claim())!];
    expect([(await first.start()).is_assessment, (await second.start()).is_assessment]).toEqual([false, true]);
  });
});

describe('is begun by somebody', () => {
  const assess = (id: string, token = acme.owner.token) => app.post(`workspaces/${id}/actions/assess`, token);

  test('at once, also where it is switched off, and once at a time → 200, then 409', async () => {
    const id = await managing({ 'assessments-enabled': false });
    const answers = await Promise.all([assess(id), assess(id), assess(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 200)!.data).toMatchObject({ type: 'workspaces', id });
    await (await begun()).finish({ outcome: 'finished', assessment: nothing });
    expect((await resultOf(id)).attributes.succeeded).toBe(true);
    expect((await assess(id)).status).toBe(200);
  });

  test.each([
    ['it is locked', { locked: true, locked_by_type: 'users', locked_by_id: 'user-somebody' }],
    ['it manages nothing', { resource_count: 0 }],
    ['it has no configuration', { current_configuration_version_id: null }],
    ['its last run erred', { current_run_status: 'errored' }],
    ['a run is on', { current_run_status: 'planned' }],
    ['it keeps its state only', { execution_mode: 'local', overwrites_execution_mode: true }],
  ])('not while %s → 409, and nothing is begun', async (_why, columns) => {
    const id = await managing();
    await change(id, columns);
    const { status, problems } = await assess(id);
    expect([status, problems[0]]).toEqual([409, expect.stringContaining('cannot be assessed now')]);
    expect(await app.store.read`select from runs where runs.workspace_id = ${id}`).toHaveLength(0);
  });

  test('§5.4 workspace admins alone: whoever may only write, or knows nothing of it, finds nothing there', async () => {
    const id = await managing();
    const teamId = await team(app, acme);
    await workspaceAccess(app, teamId, id, 'write');
    const { token } = await member(app, acme, teamId);
    const stranger = (await organization(app)).owner.token;
    expect([(await assess(id, token)).status, (await assess(id, stranger)).status]).toEqual([404, 404]);
  });
});

describe('has found', () => {
  test('what its document and the workspace say; its files are for admins', async () => {
    const id = await managing();
    await found(id, { resources_drifted: 1, resources_undrifted: 2 });
    const result = await resultOf(id);
    expect(result.attributes).toMatchObject({
      drifted: true,
      succeeded: true,
      'error-msg': null,
      'resources-drifted': 1,
      'resources-undrifted': 2,
      'checks-passed': 1,
      'all-checks-succeeded': true,
    });
    expect((await document(id)).attributes['last-assessment-result-at']).toBe(result.attributes['created-at']);
    const teamId = await team(app, acme);
    await workspaceAccess(app, teamId, id, 'write');
    const { token } = await member(app, acme, teamId);
    const address = `assessment-results/${result.id}`;
    expect((await app.get(address, token)).data.links).toEqual({ self: `/api/v2/${address}` });
    expect(Object.keys(result.links)).toEqual(['self', 'json-output', 'json-schema', 'log-output']);
    const files = ['json-output', 'json-schema', 'log-output'];
    const texts = await Promise.all(
      files.map(async name => (await app.get(`${address}/${name}`, acme.owner.token)).text),
    );
    expect(texts).toEqual(['{"resource_drift":[]}', '{"provider_schemas":{}}', 'looked at\n']);
    for (const name of files) expect((await app.get(`${address}/${name}`, token)).status).toBe(404);
  });

  test('nothing that any list of runs shows, and nothing that could be applied', async () => {
    const id = await managing();
    await aDayLater(id);
    await assessed();
    const [hidden] = await app.store.read<{ id: string; plan_id: string; apply_id: string | null }[]>`
      select runs.id, runs.plan_id, runs.apply_id from runs where runs.is_assessment`;
    const { token } = acme.owner;
    expect(hidden!.apply_id).toBe(null);
    for (const list of [
      `workspaces/${id}/runs`,
      `organizations/${acme.name}/runs`,
      `organizations/${acme.name}/runs/queue`,
    ])
      expect([list, (await app.get(list, token)).data]).toEqual([list, []]);
    expect((await app.get(`organizations/${acme.name}/capacity`, token)).data.attributes).toEqual({
      pending: 0,
      running: 0,
    });
    const events = await app.store.read<{ id: string }[]>`
      select run_events.id from run_events where run_events.run_id = ${hidden!.id} limit 1`;
    expect((await app.get(`run-events/${events[0]!.id}`, token)).status).toBe(404);
    for (const address of [`runs/${hidden!.id}`, `runs/${hidden!.id}/plan`, `plans/${hidden!.plan_id}`])
      expect((await app.get(address, token)).status).toBe(404);
    expect((await app.post(`runs/${hidden!.id}/actions/cancel`, token)).status).toBe(404);
    expect((await document(id)).relationships['current-run'].data).toBe(null);
  });

  test('that it could not look: an error of the engine, or an agent that was lost; the figures of the workspace stay', async () => {
    const id = await managing();
    await assessed();
    await (await begun()).finish({ outcome: 'errored', reason: 'The plan failed: the engine ended with 1.' });
    const first = await resultOf(id);
    expect(first.attributes).toMatchObject({
      succeeded: false,
      'error-msg': 'The plan failed: the engine ended with 1.',
    });
    await aDayLater(id);
    await assessed();
    await begun();
    await app.store.read`update jobs set seen_at = jobs.seen_at - interval '301 seconds'`;
    await endLostJobs(app.store);
    expect((await resultOf(id)).attributes['error-msg']).toContain('was not heard of any more');
    expect((await document(id)).attributes['run-failures'] ?? 0).toBe(0);
  });

  test('is kept with the one before, and no more of them', async () => {
    const id = await managing();
    for (const resources_drifted of [1, 2, 3]) await found(id, { resources_drifted });
    const kept = await app.store.read<{ resources_drifted: number }[]>`
      select assessment_results.resources_drifted from assessment_results
      where assessment_results.workspace_id = ${id} order by assessment_results.created_at`;
    expect(kept.map(one => one.resources_drifted)).toEqual([2, 3]);
    const [left] = await app.store.read`
      select (select count(*) from runs where runs.workspace_id = ${id}) as runs,
        (select count(*) from blobs where blobs.workspace_id = ${id}) as blobs`;
    expect(left).toEqual({ runs: 2, blobs: 4 });
  });
});

describe('makes way for a run', () => {
  test('that begins: one that waits is gone, one at work is asked to stop, and it is begun anew behind the run', async () => {
    const id = await managing();
    await assessed();
    const first = await run(app, acme, id);
    expect(await assessed()).toEqual([]);
    const job = (await agent.claim())!;
    expect((await job.start()).is_assessment).toBe(false);
    await job.finish({ outcome: 'finished', has_changes: false });
    expect((await app.get(`runs/${first}`, acme.owner.token)).data.attributes.status).toBe('planned_and_finished');
    expect(await assessed()).toEqual([id]);
    const assessing = await begun();
    await run(app, acme, id);
    expect((await assessing.ask('POST', '/beat')).json).toEqual({ signal: 'interrupt' });
    await assessing.finish({ outcome: 'canceled' });
    expect(await resultOf(id)).toBe(undefined);
  });
});

test('§4.4 whoever wants to know is told of drift, failed checks and failures when they begin, and not each day again', async () => {
  const hook: Receiver = await receiver();
  try {
    const id = await managing();
    const triggers = ['assessment:drifted', 'assessment:check_failure', 'assessment:failed'];
    const given = { 'destination-type': 'generic', enabled: true, name: 'ops', url: hook.url, triggers };
    const kind = 'notification-configurations';
    await app.post(`workspaces/${id}/${kind}`, acme.owner.token, bodyOf(kind, given));
    hook.received.length = 0;
    await found(id);
    await found(id, { resources_drifted: 2, checks_failed: 1 });
    await found(id, { resources_drifted: 2, checks_failed: 1 });
    await aDayLater(id);
    await assessed();
    await (await begun()).finish({ outcome: 'errored' });
    await workOffClaims(
      deliveries(() => ({ store: app.store, config: app.config, publicUrl: 'https://terrane.example' })),
    );
    expect(hook.received.map(({ json }) => json.trigger)).toEqual(triggers);
    const [drifted] = hook.received.map(({ json }) => json);
    expect(drifted).toMatchObject({
      payload_version: '2',
      trigger_scope: 'assessment',
      details: {
        workspace_id: id,
        new_assessment_result: { drifted: true, resources_drifted: 2, checks_failed: 1, all_checks_succeeded: false },
        prior_assessment_result: { drifted: false, resources_drifted: 0 },
      },
    });
  } finally {
    await hook.close();
  }
});
