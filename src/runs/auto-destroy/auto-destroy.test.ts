/** §4.2 `auto-destroy-at`: workspaces whose time has come are destroyed, once, by one of several servers. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { signedIn, type TestAgent } from '../../../test/builders/agent.ts';
import { bodyOf, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { configurationVersion } from '../../../test/builders/run.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { destroyWhatIsDue } from './auto-destroy.ts';

const app = useApp();
let acme: TestOrganization;
let agent: TestAgent;
beforeAll(async () => {
  acme = await organization(app);
  agent = await signedIn(app);
});
beforeEach(async () => {
  await app.store.read`delete from jobs`;
});

const show = async (id: string) => (await app.get(`workspaces/${id}`, acme.owner.token)).data.attributes;
const change = (id: string, attributes: object) =>
  app.patch(`workspaces/${id}`, acme.owner.token, bodyOf('workspaces', attributes));
const destroyed = () => destroyWhatIsDue(app.store, app.config);
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

/** A workspace with a state of so many resources, made then. */
async function withState(resources: number, madeAt: string): Promise<string> {
  const id = await workspace(app, acme);
  await configurationVersion(app, acme, id);
  const sql = app.store.read;
  const version = `sv-${id.slice(3)}`;
  await sql`
    insert into state_versions (id, workspace_id, position, status, intermediate, awaits_json, serial, md5, created_by_id,
      created_at)
    values (${version}, ${id}, 1, 'finalized', false, false, 1, 'x', ${acme.owner.id}, ${madeAt})`;
  await sql`
    update workspaces set current_state_version_id = ${version}, resource_count = ${resources}, revision = default
    where workspaces.id = ${id}`;
  return id;
}

/** Ends what was begun. */
async function end(outcome: 'finished' | 'errored', has_changes = true): Promise<void> {
  for (let job = await agent.claim(); job; job = await agent.claim()) {
    await job.start();
    await job.finish({ outcome, has_changes });
  }
}

test('§4.2 at its time: a run that destroys is begun once, and applied without approval', async () => {
  const id = await withState(1, anHourAgo());
  await change(id, { 'auto-destroy-at': inAnHour() });
  expect((await show(id))['auto-destroy-status']).toBe('scheduled');
  expect(await destroyed()).toEqual([]);
  await change(id, { 'auto-destroy-at': anHourAgo() });
  const begun = await Promise.all([destroyed(), destroyed(), destroyed()]);
  const [run] = begun.flat();
  expect(begun.flat()).toHaveLength(1);
  expect((await show(id))['auto-destroy-status']).toBe('executing');
  const { attributes } = (await app.get(`runs/${run}`, acme.owner.token)).data;
  expect(attributes).toMatchObject({ 'is-destroy': true, 'auto-apply': true, status: 'plan_queued' });
  await end('finished');
  expect(await destroyed()).toEqual([]);
  expect(await show(id)).toMatchObject({ 'auto-destroy-status': null, 'auto-destroy-at': null });
});

test('§4.2 one that fails, or cannot be made, is shown as errored until another time is set', async () => {
  const [failing, forbidden] = [await withState(1, anHourAgo()), await withState(1, anHourAgo())];
  await change(failing, { 'auto-destroy-at': anHourAgo() });
  await change(forbidden, { 'auto-destroy-at': anHourAgo(), 'allow-destroy-plan': false });
  expect(await destroyed()).toHaveLength(1);
  await end('errored');
  expect(await destroyed()).toEqual([]);
  for (const id of [failing, forbidden]) {
    expect(await show(id)).toMatchObject({ 'auto-destroy-status': 'errored', 'auto-destroy-at': null });
  }
  await change(failing, { 'auto-destroy-at': inAnHour() });
  expect((await show(failing))['auto-destroy-status']).toBe('scheduled');
});

test('§4.2 after inactivity: each new state moves the time on, and without resources there is none', async () => {
  const [idle, busy, empty] = [
    await withState(1, new Date(Date.now() - 3 * 3_600_000).toISOString()),
    await withState(1, anHourAgo()),
    await withState(0, anHourAgo()),
  ];
  for (const id of [idle, busy, empty]) await change(id, { 'auto-destroy-activity-duration': '2h' });
  const runs = await destroyed();
  expect(runs).toHaveLength(1);
  expect((await show(idle))['auto-destroy-status']).toBe('executing');
  const due = Date.parse((await show(busy))['auto-destroy-at']) - Date.now();
  expect(Math.round(due / 60_000)).toBe(60);
  expect(await show(empty)).toMatchObject({ 'auto-destroy-status': null, 'auto-destroy-at': null });
  await end('finished');
  const sql = app.store.read;
  await sql`update workspaces set resource_count = 0, revision = default where workspaces.id = ${idle}`;
  expect(await destroyed()).toEqual([]);
  expect(await show(idle)).toMatchObject({ 'auto-destroy-at': null, 'auto-destroy-activity-duration': '2h' });
});

test('§4.2 people are told a day before, half a day before, and what became of it, each once', async () => {
  const [id, forbidden] = [await withState(1, anHourAgo()), await withState(1, anHourAgo())];
  const triggers = ['workspace:auto_destroy_reminder', 'workspace:auto_destroy_run_results'];
  for (const one of [id, forbidden]) {
    const body = bodyOf('notification-configurations', {
      'destination-type': 'email',
      enabled: true,
      name: 'operations',
      triggers,
    });
    await app.post(`workspaces/${one}/notification-configurations`, acme.owner.token, body);
  }
  const told = async () => {
    const rows = await app.store.read<{ workspace_id: string; message: string }[]>`
      with told as (delete from pending_notifications returning *)
      select notification_configurations.workspace_id, told.details ->> 'message' as message from told
      join notification_configurations on notification_configurations.id = told.notification_configuration_id
      order by told.position`;
    return rows.map(({ workspace_id, message }) => [workspace_id, message]);
  };
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  for (const [hours, expected] of [
    [25, []],
    [23, [[id, 'Auto Destroy In Less Than 24 Hours']]],
    [11, [[id, 'Auto Destroy In Less Than 12 Hours']]],
  ] as const) {
    await change(id, { 'auto-destroy-at': inHours(hours) });
    await Promise.all([destroyed(), destroyed()]);
    await destroyed();
    expect([hours, await told()]).toEqual([hours, expected]);
  }
  await change(id, { 'auto-destroy-at': anHourAgo() });
  await change(forbidden, { 'auto-destroy-at': anHourAgo(), 'allow-destroy-plan': false });
  await destroyed();
  expect(await told()).toEqual([[forbidden, 'Auto Destroy Failed']]);
  await end('finished');
  await Promise.all([destroyed(), destroyed()]);
  expect(await told()).toEqual([[id, 'Auto Destroy Succeeded']]);
});
