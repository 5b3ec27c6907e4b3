/** Runs that are shown to run tasks: each waits for what they say, goes on or stops, and none waits for ever. */

import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { signedIn, type TestAgent } from '../../../test/builders/agent.ts';
import { type Receiver, reachable, receiver } from '../../../test/builders/receiver.ts';
import { bodyOf, organization, randomName, type TestOrganization } from '../../../test/builders/records.ts';
import { configurationVersion, run } from '../../../test/builders/run.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { useLimits } from '../../../test/limits.ts';
import { workOffClaims } from '../../core/claims.ts';
import { limits } from '../../core/limits.ts';
import { askingTasks, endOverdue } from './ask.ts';

const app = useApp(reachable);
let acme: TestOrganization;
let agent: TestAgent;
let hook: Receiver;
let workspaceId: string;
beforeAll(async () => {
  acme = await organization(app);
  agent = await signedIn(app);
  hook = await receiver();
});
afterAll(() => hook.close());
beforeEach(async () => {
  // What other tests left to be done.
  await app.store.read`delete from jobs`;
  await app.store.read`delete from task_stages`;
  hook.received.length = 0;
  workspaceId = await workspace(app, acme);
  hook.answer(200);
});

const publicUrl = 'https://terrane.example';
const ask = () => workOffClaims(askingTasks(() => ({ store: app.store, config: app.config, publicUrl })));
const show = async (path: string): Promise<Document> => (await app.get(path, acme.owner.token)).data;
const statusOf = async (id: string): Promise<string> => (await show(`runs/${id}`)).attributes.status;

async function attach(stages: string[], level = 'mandatory', attributes: object = {}): Promise<string> {
  const given = { name: randomName('task'), url: hook.url, category: 'task', ...attributes };
  const made = await app.post(`organizations/${acme.name}/tasks`, acme.owner.token, bodyOf('tasks', given));
  const task = { task: { data: { type: 'tasks', id: made.data.id } } };
  const body = bodyOf('workspace-tasks', { 'enforcement-level': level, stages }, task);
  await app.post(`workspaces/${workspaceId}/tasks`, acme.owner.token, body);
  hook.received.length = 0;
  return made.data.id;
}

const stagesOf = async (runId: string): Promise<[string, string][]> =>
  (await show(`runs/${runId}/task-stages`)).map(({ attributes }: Document) => [attributes.stage, attributes.status]);

/** As the task that was asked, with what it was given. */
function report(asked: Document, status: string, more: object = {}, token = asked.access_token) {
  const path = asked.task_result_callback_url.replace(`${publicUrl}/api/v2/`, '');
  return app.patch(path, token, bodyOf('task-results', { status, ...more }));
}

async function plan(
  report: { outcome: 'finished'; has_changes: boolean } = { outcome: 'finished', has_changes: true },
) {
  const job = (await agent.claim())!;
  await job.start();
  await job.leave('json', '{"resource_changes":[]}');
  await job.finish(report);
}

async function apply() {
  const job = (await agent.claim())!;
  await job.start();
  await job.finish({ outcome: 'finished' });
}

test('a run waits at each of its four stages, and goes on once the task has passed it', async () => {
  await attach(['pre_plan', 'post_plan', 'pre_apply', 'post_apply'], 'mandatory', { 'hmac-key': 'a key' });
  const id = await run(app, acme, workspaceId);
  expect([await statusOf(id), await agent.claim()]).toEqual(['pre_plan_running', null]);
  expect(await stagesOf(id)).toEqual([
    ['pre_plan', 'running'],
    ['post_plan', 'pending'],
    ['pre_apply', 'pending'],
    ['post_apply', 'pending'],
  ]);
  const next = async () => {
    expect(await ask()).toBe(1);
    return hook.received.pop()!;
  };
  const first = await next();
  const digest = createHmac('sha512', 'a key').update(first.text).digest('hex');
  expect(first.headers['x-tfc-task-signature']).toBe(digest);
  expect(first.json).toMatchObject({
    payload_version: 1,
    stage: 'pre_plan',
    run_id: id,
    workspace_id: workspaceId,
    organization_name: acme.name,
    is_speculative: false,
    task_result_enforcement_level: 'mandatory',
    capabilities: { outcomes: false },
  });
  expect(first.json).not.toHaveProperty('plan_json_api_url');
  const passed = await report(first.json, 'passed', { message: 'Fine', url: 'https://scan.example/1' });
  expect([passed.status, passed.data.attributes]).toMatchObject([
    200,
    { status: 'passed', message: 'Fine', url: 'https://scan.example/1', stage: 'pre_plan' },
  ]);
  expect(await statusOf(id)).toBe('plan_queued');
  await plan();
  expect([await statusOf(id), (await show(`runs/${id}/plan`)).attributes.status]).toEqual([
    'post_plan_running',
    'finished',
  ]);
  await report((await next()).json, 'passed');
  expect((await show(`runs/${id}`)).attributes).toMatchObject({
    status: 'post_plan_completed',
    actions: { 'is-confirmable': true, 'is-discardable': true },
  });
  await app.post(`runs/${id}/actions/apply`, acme.owner.token, {});
  expect(await statusOf(id)).toBe('pre_apply_running');
  await report((await next()).json, 'passed');
  expect(await statusOf(id)).toBe('apply_queued');
  await apply();
  expect([await statusOf(id), (await show(`runs/${id}/apply`)).attributes.status]).toEqual([
    'post_apply_running',
    'finished',
  ]);
  // Advice that comes too late to stop anything.
  await report((await next()).json, 'failed');
  expect(await statusOf(id)).toBe('applied');
  expect((await stagesOf(id)).map(([, status]) => status)).toEqual(['passed', 'passed', 'passed', 'passed']);
  const { attributes } = await show(`workspaces/${workspaceId}`);
  expect(attributes.locked).toBe(false);
});

test('stages and results are there as soon as the run is, and are included with it', async () => {
  const task = await attach(['post_plan']);
  await attach(['post_plan'], 'advisory');
  const id = await run(app, acme, workspaceId);
  const { data, document } = await app.get(`runs/${id}?include=task_stages`, acme.owner.token);
  const [stage] = document.included;
  expect(data.relationships['task-stages'].data).toEqual([{ type: 'task-stages', id: stage.id }]);
  const read = await app.get(`task-stages/${stage.id}?include=task_results,policy_evaluations`, acme.owner.token);
  expect(read.document.included.map(({ attributes }: Document) => attributes.status)).toEqual(['pending', 'pending']);
  expect(read.document.included[0].attributes).toMatchObject({
    'task-id': task,
    'workspace-task-enforcement-level': 'mandatory',
  });
});

describe('a refusal', () => {
  test('of a mandatory task stops the run, and what came after it is unreachable', async () => {
    await attach(['pre_plan', 'pre_apply']);
    const id = await run(app, acme, workspaceId);
    await ask();
    await report(hook.received[0]!.json, 'failed', { message: 'No' });
    expect([await statusOf(id), await stagesOf(id)]).toEqual([
      'errored',
      [
        ['pre_plan', 'failed'],
        ['pre_apply', 'unreachable'],
      ],
    ]);
    const events = await show(`runs/${id}/run-events`);
    expect(events.map(({ attributes }: Document) => attributes.action)).toContain('pre_plan_failed');
  });

  test('of an advisory task is shown, and the run goes on by itself', async () => {
    await attach(['post_plan'], 'advisory');
    const id = await run(app, acme, workspaceId, { auto_apply: true });
    await plan();
    await ask();
    await report(hook.received[0]!.json, 'failed');
    expect(await statusOf(id)).toBe('apply_queued');
  });

  test('waits for the other tasks of its stage', async () => {
    await attach(['pre_plan']);
    await attach(['pre_plan']);
    const id = await run(app, acme, workspaceId);
    await ask();
    await report(hook.received[0]!.json, 'failed');
    expect(await statusOf(id)).toBe('pre_plan_running');
    await report(hook.received[1]!.json, 'passed');
    expect(await statusOf(id)).toBe('errored');
  });
});

describe('without a word', () => {
  test('a task that cannot be asked is asked four times, and then unreachable', async () => {
    await attach(['pre_plan']);
    hook.answer(503);
    const id = await run(app, acme, workspaceId);
    for (let attempt = 1; attempt <= limits.taskAttempts_items.value; attempt += 1) {
      expect([attempt, await statusOf(id), await ask()]).toEqual([attempt, 'pre_plan_running', 1]);
      await app.store.read`update task_results set due_at = now() - interval '1 second'`;
    }
    expect([await statusOf(id), await ask()]).toEqual(['errored', 0]);
    const [stage] = await show(`runs/${id}/task-stages`);
    const result = await show(`task-results/${stage.relationships['task-results'].data[0].id}`);
    expect(result.attributes).toMatchObject({ status: 'unreachable', message: expect.stringContaining('503') });
  });

  test('one that brings no result in time has erred; until then it may say that it is at work', async () => {
    await attach(['pre_plan']);
    const id = await run(app, acme, workspaceId);
    await ask();
    const [asked] = hook.received;
    await app.store.read`update task_results set expires_at = now() + interval '1 second'`;
    await report(asked!.json, 'running', { message: 'Looking' });
    const [found] = await app.store.read`
      select task_results.expires_at > now() + ${limits.taskTime_s.value - 60} * interval '1 second' as is_renewed from task_results
      where task_results.id = ${asked!.json.task_result_id}`;
    expect([found!['is_renewed'], await endOverdue(app.store)]).toEqual([true, 0]);
    await app.store.read`update task_results set expires_at = now() - interval '1 second'`;
    expect(await endOverdue(app.store)).toBe(1);
    expect(await statusOf(id)).toBe('errored');
    expect((await report(asked!.json, 'passed')).status).toBe(401);
  });

  test('one that says for ever that it is at work has erred in the end', async () => {
    await attach(['pre_plan']);
    await run(app, acme, workspaceId);
    await ask();
    const [asked] = hook.received;
    const whole_s = limits.taskWholeTime_s.value;
    await app.store.read`update task_results set started_at = now() - ${whole_s - 30} * interval '1 second'`;
    await report(asked!.json, 'running');
    const [found] = await app.store.read`
      select task_results.expires_at <= now() + interval '31 seconds' as is_last from task_results
      where task_results.id = ${asked!.json.task_result_id}`;
    expect(found!['is_last']).toBe(true);
  });

  describe('of many at once', () => {
    useLimits({ tasksAtOnce_items: 2 });

    test('a server asks so many, and the others behind them', async () => {
      for (let count = 0; count < 4; count += 1) await attach(['pre_plan']);
      await run(app, acme, workspaceId);
      const { claim, most } = askingTasks(() => ({ store: app.store, config: app.config, publicUrl }));
      expect([(await claim(most)).length, (await claim(most)).length]).toEqual([
        limits.tasksAtOnce_items.value,
        limits.tasksAtOnce_items.value,
      ]);
    });
  });

  test('what a dead server had claimed is asked by another one', async () => {
    await attach(['pre_plan']);
    await run(app, acme, workspaceId);
    await app.store.read`
      update task_results set claimed_until = now() + interval '1 minute', attempts = 1
      where task_results.status = 'pending' and task_results.due_at is not null`;
    expect(await ask()).toBe(0);
    await app.store.read`update task_results set claimed_until = now() - interval '1 second'`;
    expect(await ask()).toBe(1);
  });

  test('a run that is canceled while it waits ends at once, and lets the workspace go', async () => {
    await attach(['pre_plan']);
    const id = await run(app, acme, workspaceId);
    await ask();
    const [asked] = hook.received;
    expect((await app.post(`runs/${id}/actions/cancel`, acme.owner.token, {})).status).toBe(202);
    expect([await statusOf(id), await stagesOf(id)]).toEqual(['canceled', [['pre_plan', 'canceled']]]);
    expect((await report(asked!.json, 'passed')).status).toBe(401);
    expect((await show(`workspaces/${workspaceId}`)).attributes.locked).toBe(false);
  });
});

describe("a task's token", () => {
  test('reads the run, its plan and its configuration, and brings its own result alone', async () => {
    await attach(['post_plan']);
    await attach(['post_plan']);
    const id = await run(app, acme, workspaceId);
    await plan();
    await ask();
    const [one, other] = hook.received.map(({ json }) => json);
    const token = one.access_token;
    const status = async (path: string) => (await app.get(path, token)).status;
    expect([
      await status(`runs/${id}`),
      await status(one.plan_json_api_url.replace(`${publicUrl}/api/v2/`, '')),
      await status(`configuration-versions/${one.configuration_version_id}`),
      await status(`task-results/${one.task_result_id}`),
    ]).toEqual([200, 307, 200, 200]);
    const { headers } = await app.get(`plans/${(await show(`runs/${id}/plan`)).id}/json-output`, token);
    const fetched = await app.call(
      'GET',
      new URL(headers['location']!).pathname + new URL(headers['location']!).search,
    );
    expect([fetched.status, fetched.text]).toEqual([200, '{"resource_changes":[]}']);
    const elsewhere = await run(app, acme, await workspace(app, acme));
    const sibling = await run(app, acme, workspaceId);
    for (const path of [
      `runs/${elsewhere}`,
      `runs/${sibling}`,
      `workspaces/${workspaceId}`,
      `workspaces/${workspaceId}/vars`,
      `organizations/${acme.name}`,
      `workspaces/${workspaceId}/current-state-version`,
    ]) {
      expect([path, await status(path)]).toEqual([path, 404]);
    }
    expect((await report(other, 'passed', {}, token)).status).toBe(404);
    expect((await app.post(`runs/${id}/actions/cancel`, token, {})).status).toBe(404);
    expect((await report(one, 'passed', {}, acme.owner.token)).status).toBe(404);
    expect((await report(one, 'passed')).status).toBe(200);
    expect((await report(one, 'passed')).status).toBe(401);
  });
});

test('of two results at once for the last task, one counts, and the run goes on once', async () => {
  await attach(['pre_plan']);
  for (let round = 0; round < 5; round += 1) {
    const id = await run(app, acme, workspaceId);
    await ask();
    const { json } = hook.received.pop()!;
    const answers = await Promise.all(['passed', 'failed', 'passed'].map(status => report(json, status)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const isOver = (await statusOf(id)) === 'errored';
    if (!isOver) expect(await statusOf(id)).toBe('plan_queued');
    if (!isOver) await app.post(`runs/${id}/actions/cancel`, acme.owner.token, {});
  }
});

test('a task that is switched off, or was taken away, holds no run up', async () => {
  const task = await attach(['pre_plan']);
  await app.patch(`tasks/${task}`, acme.owner.token, bodyOf('tasks', { enabled: false }));
  expect(await statusOf(await run(app, acme, workspaceId))).toBe('plan_queued');
  const other = await workspace(app, acme);
  await configurationVersion(app, acme, other);
  await app.delete(`tasks/${task}`, acme.owner.token);
  expect(await statusOf(await run(app, acme, other))).toBe('plan_queued');
});

test('a run whose task is deleted while it waits is stopped, and says so', async () => {
  const task = await attach(['pre_plan']);
  const id = await run(app, acme, workspaceId);
  await app.delete(`tasks/${task}`, acme.owner.token);
  await ask();
  expect(await statusOf(id)).toBe('errored');
});

test('a run that only plans is shown to tasks, too, and told that it is one', async () => {
  await attach(['post_plan', 'pre_apply']);
  const id = await run(app, acme, workspaceId, { plan_only: true });
  await plan();
  await ask();
  expect(hook.received[0]!.json).toMatchObject({ stage: 'post_plan', is_speculative: true });
  await report(hook.received[0]!.json, 'passed');
  expect([await statusOf(id), await stagesOf(id)]).toEqual(['planned_and_finished', [['post_plan', 'passed']]]);
});
