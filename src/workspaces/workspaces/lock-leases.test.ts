/** §3 Locks with an end: what may be asked for, and that each ends once, whichever server is faster. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, TestApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { move, run } from '../../../test/builders/run.ts';
import { stateClient, stateOf } from '../../../test/builders/state.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import { openPair, type Pair } from '../../../test/running/pair.ts';
import { limits } from '../../core/limits.ts';
import { startNextRun } from '../../runs/queue/move.ts';
import { endLeases, startLeases } from './lock-leases.ts';

let pair: Pair;
let one: TestApp;
let acme: TestOrganization;
beforeAll(async () => {
  pair = await openPair();
  one = pair.one;
  acme = await organization(one);
});
afterAll(() => pair.close());

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const lock = (id: string, body: unknown, token = acme.owner.token): Promise<Answer> =>
  one.post(`workspaces/${id}/actions/lock`, token, body);
const shown = async (id: string) => (await pair.two.get(`workspaces/${id}`, acme.owner.token)).data;
const lockOf = ({ attributes, relationships }: Answer['data']) => [
  attributes.locked,
  attributes['locked-at'],
  attributes['lock-expires-at'],
  relationships['locked-by'].data?.id ?? null,
];

/** A locked workspace whose lock's time has come. */
async function overdue(): Promise<string> {
  const id = await workspace(one, acme);
  expect((await lock(id, { reason: 'a while', 'lock-expires-at': inDays(1) })).status).toBe(200);
  await one.store.read`
    update workspaces set lock_expires_at = now() - interval '1 second', revision = default where workspaces.id = ${id}`;
  return id;
}

const eventsOf = (id: string) => one.store.read`
  select audit_events.action, audit_events.actor_type, audit_events.actor_name, audit_events.changes
  from audit_events where audit_events.resource_id = ${id} order by audit_events.occurred_at, audit_events.id`;

test('§3 a lock says when it was taken, and without an end it has none', async () => {
  const id = await workspace(one, acme);
  expect(lockOf(await shown(id))).toEqual([false, null, null, null]);
  const before = Date.now();
  const { data } = await lock(id, { reason: 'work' });
  const [isLocked, at, until] = lockOf(data);
  expect([isLocked, until]).toEqual([true, null]);
  expect(Math.abs(Date.parse(at) - before)).toBeLessThan(3_600_000);
  expect((await one.post(`workspaces/${id}/actions/unlock`, acme.owner.token)).status).toBe(200);
  expect(lockOf(await shown(id))).toEqual([false, null, null, null]);
});

test('§3 an end is read from a bare body and from a document', async () => {
  const end = inDays(2);
  for (const body of [{ 'lock-expires-at': end }, bodyOf('workspaces', { reason: 'r', 'lock-expires-at': end })]) {
    const id = await workspace(one, acme);
    const { data } = await lock(id, body);
    expect([data.attributes.locked, data.attributes['lock-expires-at']]).toEqual([true, end]);
  }
  const { data } = await lock(await workspace(one, acme), { 'lock-expires-at': null });
  expect([data.attributes.locked, data.attributes['lock-expires-at']]).toEqual([true, null]);
});

test('§3 an end that is past, too far or no time → 422 at its place, and nothing is locked', async () => {
  const id = await workspace(one, acme);
  for (const end of [
    inDays(-1),
    inDays(limits.lockLease_days.value + 1),
    '0001-01-01T00:00:00Z',
    'tomorrow',
    5,
    '2026-13-45T99:00:00Z',
  ]) {
    const bare = await lock(id, { 'lock-expires-at': end });
    expect([end, bare.status, bare.pointers]).toEqual([end, 422, ['/lock-expires-at']]);
    const document = await lock(id, bodyOf('workspaces', { 'lock-expires-at': end }));
    expect([document.status, document.pointers]).toEqual([422, ['/data/attributes/lock-expires-at']]);
  }
  const { problems } = await lock(id, { 'lock-expires-at': 'tomorrow' });
  expect(problems).toEqual([expect.stringContaining('must be a time such as 2026-01-31T12:00:00Z')]);
  expect(lockOf(await shown(id))).toEqual([false, null, null, null]);
});

test('§3 a lock past its end ends once, whichever of two servers is faster, with one event of the system', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, overdue));
  const untouched = await workspace(one, acme);
  await lock(untouched, { 'lock-expires-at': inDays(1) });
  const ended = await Promise.all(
    Array.from({ length: 6 }, (_, index) => endLeases(pair.either(index).store, startNextRun)),
  );
  expect(ended.reduce((sum, count) => sum + count, 0)).toBe(ids.length);
  for (const id of ids) {
    expect(lockOf(await shown(id))).toEqual([false, null, null, null]);
    const events = (await eventsOf(id)).filter(({ action }) => action === 'workspaces.end-lock-lease');
    expect(events).toMatchObject([{ actor_type: 'system', actor_name: 'Lock leases' }]);
    expect(events[0]!['changes']).toMatchObject({ locked: [true, false], locked_by_id: [acme.owner.id, null] });
  }
  expect((await shown(untouched)).attributes.locked).toBe(true);
  expect(await endLeases(one.store, startNextRun)).toBe(0);
});

test('§3 the end of a lock and its unlock at once: one of them, and the workspace is open', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await overdue();
    const [unlocked, ended] = await Promise.all([
      one.post(`workspaces/${id}/actions/unlock`, acme.owner.token),
      endLeases(pair.two.store, startNextRun),
    ]);
    expect([unlocked.status, ended]).toBeOneOf([
      [200, 0],
      [409, 1],
    ]);
    expect((await shown(id)).attributes.locked).toBe(false);
  }
});

test('§3 the state written under a lock with an end stays, and the run that waited takes the workspace', async () => {
  const id = await workspace(one, acme);
  await lock(id, { 'lock-expires-at': inDays(1) });
  const client = stateClient(one, id, acme.owner.token);
  const state = stateOf({ serial: 1, resources: 2, outputs: {} });
  expect((await client.push(state, { serial: 1 })).status).toBe(201);
  const waiting = await run(one, acme, id);
  await one.store.read`
    update workspaces set lock_expires_at = now() - interval '1 second', revision = default where workspaces.id = ${id}`;
  expect(await endLeases(one.store, startNextRun)).toBe(1);
  const { attributes, relationships } = await shown(id);
  expect(relationships['locked-by'].data).toEqual({ type: 'runs', id: waiting });
  expect([attributes['locked-at'], attributes['lock-expires-at']]).toEqual([expect.any(String), null]);
  expect(attributes['resource-count']).toBe(2);
  await move(one, waiting, 'planning', 'planned', 'discarded');
  expect(lockOf(await shown(id))).toEqual([false, null, null, null]);
});

test('§3 a workspace that cannot be unlocked keeps no other one waiting', async () => {
  const [bad, good] = [await overdue(), await overdue()];
  const faults: string[] = [];
  const failing = async (_sql: unknown, id: string) => {
    if (id === bad) throw new Error('not this one');
  };
  expect(await endLeases(one.store, failing, { onFault: (_fault, id) => faults.push(id) })).toBe(1);
  expect([faults, (await shown(bad)).attributes.locked, (await shown(good)).attributes.locked]).toEqual([
    [bad],
    true,
    false,
  ]);
  expect(await endLeases(one.store, startNextRun)).toBe(1);
});

test('§3 while a server serves, locks end without anybody asking', async () => {
  const id = await overdue();
  const stop = startLeases(one.store, startNextRun, { warn: () => undefined });
  try {
    await expect.poll(async () => (await shown(id)).attributes.locked, { timeout: 20_000 }).toBe(false);
  } finally {
    await stop();
  }
});

test('§5.4 who may not lock learns nothing about the form of a lock', async () => {
  const readers = await team(one, acme);
  const reader = await member(one, acme, readers);
  const id = await workspace(one, acme);
  await workspaceAccess(one, readers, id, 'read');
  expect((await lock(id, { 'lock-expires-at': 'tomorrow' }, reader.token)).status).toBe(404);
});
