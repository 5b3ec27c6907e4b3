/** What is told of runs, to real receivers: each change of a run once, whatever becomes of servers and receivers meanwhile. */

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { type Receiver, reachable, receiver } from '../../../test/builders/receiver.ts';
import { bodyOf, member, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { move, run } from '../../../test/builders/run.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { useLimits } from '../../../test/limits.ts';
import { workOffClaims, workOnClaims } from '../../core/claims.ts';
import { limits } from '../../core/limits.ts';
import type { QueuedRun } from '../queue/move.ts';
import { pass } from '../queue/outcome.ts';
import type { RunStatus } from '../queue/statuses.ts';
import { deliveries, pauseAfter_s } from './deliver.ts';
import { workspaceTriggers as triggers } from './triggers.ts';

const app = useApp(reachable);
let acme: TestOrganization;
let hook: Receiver;
let workspaceId: string;
let workspaceName: string;
beforeAll(async () => {
  acme = await organization(app);
  hook = await receiver();
});
afterAll(() => hook.close());
beforeEach(async () => {
  await app.store.read`delete from notification_configurations`;
  workspaceId = await workspace(app, acme);
  workspaceName = (await app.get(`workspaces/${workspaceId}`, acme.owner.token)).data.attributes.name;
  hook.answer(200);
});

const kind = 'notification-configurations';
const sender = () => ({ store: app.store, config: app.config, publicUrl: 'https://terrane.example' });
const deliver = () => workOffClaims(deliveries(sender));

/** Enabled, with the trial that this takes forgotten. */
async function configured(attributes: object = {}, to = workspaceId): Promise<string> {
  const given = { 'destination-type': 'generic', enabled: true, name: 'ops', url: hook.url, triggers, ...attributes };
  const { data, text } = await app.post(`workspaces/${to}/${kind}`, acme.owner.token, bodyOf(kind, given));
  if (!data) throw new Error(text);
  hook.received.length = 0;
  return data.id;
}

const told = () => hook.received.map(({ json }) => [json.notifications[0].trigger, json.notifications[0].run_status]);
const responsesOf = async (id: string): Promise<Document[]> =>
  (await app.get(`${kind}/${id}`, acme.owner.token)).data.attributes['delivery-responses'];
const pending = async () => (await app.store.read`select from pending_notifications`).length;
/** As if the pause were over. */
const later = () => app.store.read`update pending_notifications set due_at = now() - interval '1 second'`;

describe('a run', () => {
  test.each<[string, RunStatus[], string[]]>([
    ['rests where somebody has to decide', ['planned'], ['run:needs_attention']],
    ['ends', ['planned_and_finished'], ['run:completed']],
    ['goes on at once, and nobody has anything to decide', ['planned', 'confirmed', 'apply_queued'], []],
  ])('§4.4 is told of where it stays when its plan %s', async (_words, statuses, expected) => {
    await configured({ triggers: ['run:needs_attention', 'run:completed'] });
    const id = await run(app, acme, workspaceId);
    await move(app, id, 'planning');
    const [found] = await app.store.read<QueuedRun[]>`
      select runs.id, runs.workspace_id, runs.plan_id, runs.apply_id from runs where runs.id = ${id}`;
    await app.store.transaction(sql => pass(sql, found!, statuses));
    await deliver();
    expect(told().map(([trigger]) => trigger)).toEqual(expected);
  });

  test('is told of from its creation to its end, in order, each time once', async () => {
    await configured();
    const id = await run(app, acme, workspaceId);
    await move(app, id, 'planning', 'planned');
    await app.post(`runs/${id}/actions/apply`, acme.owner.token, {});
    await move(app, id, 'applying', 'applied');
    expect(await deliver()).toBe(5);
    expect(told()).toEqual([
      ['run:created', 'pending'],
      ['run:planning', 'planning'],
      ['run:needs_attention', 'planned'],
      ['run:applying', 'applying'],
      ['run:completed', 'applied'],
    ]);
    expect(hook.received[0]!.json).toMatchObject({
      payload_version: 1,
      run_id: id,
      run_message: 'A run',
      run_url: `https://terrane.example/app/${acme.name}/workspaces/${workspaceName}/runs/${id}`,
      run_created_by: acme.owner.username,
      workspace_id: workspaceId,
      workspace_name: workspaceName,
      organization_name: acme.name,
    });
    expect([await deliver(), await pending()]).toEqual([0, 0]);
  });

  test('that was canceled has erred, and one that was discarded is complete; who did it is told', async () => {
    await configured({ triggers: ['run:errored', 'run:completed'] });
    const canceled = await run(app, acme, workspaceId);
    await app.post(`runs/${canceled}/actions/cancel`, acme.owner.token, {});
    const discarded = await run(app, acme, workspaceId);
    await move(app, discarded, 'planning', 'planned');
    await app.post(`runs/${discarded}/actions/discard`, acme.owner.token, {});
    await deliver();
    expect(hook.received.map(({ json }) => json.notifications[0])).toMatchObject([
      { trigger: 'run:errored', run_status: 'canceled', message: 'Run Canceled', run_updated_by: acme.owner.username },
      { trigger: 'run:completed', run_status: 'discarded', message: 'Run Discarded' },
    ]);
  });

  test('that only plans, other triggers, and what is disabled tell nobody anything', async () => {
    await configured({ triggers: ['run:applying'] });
    const off = await configured();
    await run(app, acme, workspaceId);
    expect((await app.patch(`${kind}/${off}`, acme.owner.token, bodyOf(kind, { enabled: false }))).status).toBe(200);
    await run(app, acme, workspaceId, { plan_only: true });
    await run(app, acme, workspaceId);
    expect([await deliver(), hook.received]).toEqual([0, []]);
  });

  test('that could not be made, because its transaction ended, is not told of', async () => {
    await configured();
    const id = await run(app, acme, workspaceId);
    await deliver();
    const undone = app.store.transaction(async sql => {
      await sql`insert into pending_notifications (notification_configuration_id, trigger, run_id, details)
        select notification_configurations.id, 'run:planning', ${id}, '{}' from notification_configurations`;
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await deliver()).toBe(0);
  });
});

describe('a receiver', () => {
  test('that refuses is asked again after a pause, four times as long each time, and given up after five', async () => {
    const id = await configured({ triggers: ['run:created'] });
    hook.answer(503, 'not now');
    await run(app, acme, workspaceId);
    const last = limits.notificationAttempts_items.value;
    for (let attempt = 1; attempt <= last; attempt += 1) {
      expect([attempt, await deliver(), await pending()]).toEqual([attempt, 1, attempt < last ? 1 : 0]);
      expect(await deliver()).toBe(0);
      await later();
    }
    expect((await responsesOf(id)).map(({ code, successful }) => [code, successful])).toEqual([
      ...Array(last).fill(['503', 'false']),
      ['200', 'true'],
    ]);
    expect([1, 2, 3, 4].map(pauseAfter_s)).toEqual([15, 60, 240, 960]);
  });

  describe('beside many others', () => {
    useLimits({ notificationsAtOnce_items: 2 });

    test('is sent to as many as a server sends to at once, and the others come behind them', async () => {
      const others = await Promise.all(Array.from({ length: 4 }, () => receiver()));
      for (const { url } of others) await configured({ triggers: ['run:created'], url });
      for (const { received } of others) received.length = 0;
      let release: () => void = () => undefined;
      const gate = new Promise<number>(resolve => (release = () => resolve(200)));
      for (const other of others) other.answer(() => gate);
      await run(app, acme, workspaceId);
      const asked = () => others.filter(({ received }) => received.length > 0).length;
      const delivered = deliver();
      await vi.waitFor(() => expect(asked()).toBe(limits.notificationsAtOnce_items.value), { timeout: 10_000 });
      release();
      await delivered;
      while (await pending()) await deliver();
      expect(asked()).toBe(others.length);
      for (const other of others) other.close();
    });
  });

  test('that is asked by two servers at once gets each message once', async () => {
    await configured({ triggers: ['run:created'] });
    for (let count = 0; count < 6; count += 1) await run(app, acme, workspaceId);
    await Promise.all([deliver(), deliver(), deliver()]);
    while (await pending()) await deliver();
    expect(new Set(hook.received.map(({ json }) => json.run_id)).size).toBe(6);
    expect(hook.received).toHaveLength(6);
  });

  test('gets what a server had begun to send when it died', async () => {
    await configured({ triggers: ['run:created'] });
    await run(app, acme, workspaceId);
    await app.store.read`update pending_notifications set attempts = 1, claimed_until = now() + interval '1 minute'`;
    expect(await deliver()).toBe(0);
    await app.store.read`update pending_notifications set claimed_until = now() - interval '1 second'`;
    expect([await deliver(), told()]).toEqual([1, [['run:created', 'pending']]]);
  });

  test('that is slow holds nobody up, and has one message at a time', async () => {
    const slow = await receiver();
    await configured({ triggers: ['run:created'] });
    const other = await workspace(app, acme);
    await configured({ triggers: ['run:created'], url: slow.url }, other);
    slow.received.length = 0;
    let release: () => void = () => undefined;
    slow.answer(() => new Promise<number>(resolve => (release = () => resolve(200))));
    for (const one of [other, other, workspaceId]) await run(app, acme, one);
    const log = { warn: vi.fn() };
    const end = workOnClaims(deliveries(sender), log, 'a notification could not be sent');
    await vi.waitFor(() => expect([slow.received.length, hook.received.length]).toEqual([1, 1]), { timeout: 10_000 });
    const ended = end();
    release();
    await ended;
    expect([slow.received.length, await pending(), log.warn.mock.calls]).toEqual([1, 1, []]);
    slow.close();
  });

  test('of Slack and of Teams gets their own forms, in which texts of people mean nothing', async () => {
    await configured({ triggers: ['run:created'], 'destination-type': 'slack' });
    await configured({ triggers: ['run:created'], 'destination-type': 'microsoft-teams' });
    await run(app, acme, workspaceId, { message: '<!channel> [click](https://evil.example)' });
    await deliver();
    const [slack, teams] = hook.received.map(({ json }) => json);
    expect(slack.text).toContain(`Run Created in ${acme.name}/${workspaceName}`);
    const [attachment] = slack.attachments;
    expect(attachment.fields[1].value).toBe('&lt;!channel&gt; [click](https://evil.example)');
    const card = teams.attachments[0].content;
    expect(card.body[1].facts[1].value).toBe('<!channel\\> \\[click\\]\\(https://evil.example\\)');
    expect(card.actions[0].url).toContain(`/app/${acme.name}/workspaces/${workspaceName}/runs/`);
  });
});

test('one that is deleted is told nothing more', async () => {
  const id = await configured();
  await run(app, acme, workspaceId);
  await app.delete(`${kind}/${id}`, acme.owner.token);
  expect([await pending(), await deliver()]).toEqual([0, 0]);
});

test('§5 administrators of the workspace alone see it', async () => {
  const id = await configured();
  const someone = await member(app, acme);
  expect((await app.get(`${kind}/${id}`, someone.token)).status).toBe(404);
});
