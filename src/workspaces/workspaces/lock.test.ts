import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, useApp } from '../../../test/app.ts';
import {
  member,
  organization,
  serviceTokenOf,
  type TestOrganization,
  team,
  tokenOf,
} from '../../../test/builders/records.ts';
import { run } from '../../../test/builders/run.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import type { Holder } from '../../core/access/actor.ts';
import { newId } from '../../core/store/ids.ts';
import { row } from '../../core/store/store.ts';
import { forceUnlock, lock, unlock } from './lock.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const act = (action: string, id: string, token: string, body?: unknown): Promise<Answer> =>
  app.post(`workspaces/${id}/actions/${action}`, token, body);
const lockedBy = (answer: Answer) => answer.data.relationships['locked-by'].data;
const isLocked = async (id: string) => (await app.get(`workspaces/${id}`, acme.owner.token)).data.attributes.locked;

/** A state version straight in the database; returns its id. */
async function version(workspaceId: string, members: Record<string, unknown>): Promise<string> {
  const id = newId('sv');
  const [last] = await app.store.read`
    select coalesce(max(position), 0) + 1 as position from state_versions where workspace_id = ${workspaceId}`;
  await app.store.read`
    insert into state_versions ${row(app.store.read, {
      id,
      workspace_id: workspaceId,
      position: last!['position'],
      intermediate: true,
      awaits_json: false,
      serial: 1,
      md5: '0'.repeat(32),
      created_by_id: acme.owner.id,
      ...members,
    })}`;
  return id;
}

describe('the rows of §3', () => {
  const me: Holder = { type: 'users', id: 'user-me' };
  const other: Holder = { type: 'users', id: 'user-other' };
  const mine = { holder: me, reason: 'work', expiresAt: null };

  test('lock: open → locked with the reason; locked → refused, whoever holds it', () => {
    expect(lock(null, me, 'work')).toEqual(mine);
    expect(lock(mine, me, 'again')).toBe('workspace-locked-already');
    expect(lock(mine, other, '')).toBe('workspace-locked-already');
  });

  test('unlock: own lock and nothing pending → open; every other case is refused by name', () => {
    expect(unlock(mine, me, null)).toBeNull();
    expect(unlock(mine, me, 'finalized')).toBeNull();
    expect(unlock(mine, other, null)).toBe('workspace-locked-by-other');
    expect(unlock(mine, { type: 'teams', id: me.id }, null)).toBe('workspace-locked-by-other');
    expect(unlock(mine, other, 'pending')).toBe('workspace-locked-by-other');
    expect(unlock(mine, me, 'pending')).toBe('state-version-pending');
    expect(unlock(null, me, 'pending')).toBe('workspace-not-locked');
  });

  test('force-unlock: locked → open; open → refused', () => {
    expect(forceUnlock(mine)).toBeNull();
    expect(forceUnlock(null)).toBe('workspace-not-locked');
  });
});

describe('lock', () => {
  test('§3 lock/free: locked, with the reason and who locked it', async () => {
    const id = await workspace(app, acme);
    const answer = await act('lock', id, acme.owner.token, { reason: 'migration' });
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({ id, attributes: { locked: true, 'locked-reason': 'migration' } });
    expect(answer.data.relationships['locked-by']).toEqual({
      data: { type: 'users', id: acme.owner.id },
      links: { related: `/api/v2/users/${acme.owner.id}` },
    });
    const shown = await app.get(`workspaces/${id}?include=locked_by`, acme.owner.token);
    expect(shown.document.included).toMatchObject([{ type: 'users', id: acme.owner.id }]);
  });

  test('§4.4 the reason stands alone or in a document of whatever type, and is empty when nothing is said', async () => {
    const bodies: [unknown, string][] = [
      [undefined, ''],
      [{}, ''],
      [{ reason: null }, ''],
      [{ data: null }, ''],
      [{ data: { type: '', attributes: { reason: 'in a document' } } }, 'in a document'],
      [{ data: { type: 'workspaces', attributes: {} } }, ''],
      [{ data: { attributes: { reason: 'without a type' } } }, 'without a type'],
    ];
    for (const [body, reason] of bodies) {
      const answer = await act('lock', await workspace(app, acme), acme.owner.token, body);
      expect([answer.status, answer.data.attributes['locked-reason']]).toEqual([200, reason]);
    }
  });

  test('§4.4 a reason that is no text, and one that is too long → 422 at its place', async () => {
    const id = await workspace(app, acme);
    const wrong = await act('lock', id, acme.owner.token, { reason: 7 });
    expect([wrong.status, wrong.pointers]).toEqual([422, ['/reason']]);
    const long = await act('lock', id, acme.owner.token, { data: { attributes: { reason: 'x'.repeat(4097) } } });
    expect([long.status, long.pointers]).toEqual([422, ['/data/attributes/reason']]);
    expect(await isLocked(id)).toBe(false);
  });

  test('§3 lock/held, §7 lock/409: locked already → 409, by whoever asks, and nothing changes', async () => {
    const id = await workspace(app, acme);
    const other = await member(app, acme, acme.ownersTeamId);
    await act('lock', id, acme.owner.token, { reason: 'first' });
    for (const token of [acme.owner.token, other.token]) {
      const answer = await act('lock', id, token, { reason: 'second' });
      expect(answer.status).toBe(409);
      expect(answer.problems).toEqual(['Unable to lock workspace. The workspace is already locked.']);
    }
    const shown = await app.get(`workspaces/${id}`, acme.owner.token);
    expect([shown.data.attributes['locked-reason'], lockedBy(shown).id]).toEqual(['first', acme.owner.id]);
  });

  test('§7 lock/404, §7 unlock/404: without the lock permission the 404 of a missing workspace', async () => {
    const planners = await team(app, acme);
    const planner = await member(app, acme, planners);
    const id = await workspace(app, acme);
    await workspaceAccess(app, planners, id, 'plan');
    for (const action of ['lock', 'unlock', 'force-unlock']) {
      const refused = await act(action, id, planner.token);
      const missing = await act(action, 'ws-0000000000000000', planner.token);
      expect([refused.status, refused.text]).toEqual([404, missing.text]);
    }
  });

  test('§5.4 workspace-locking of a custom access locks and unlocks, and no more', async () => {
    const lockers = await team(app, acme);
    const locker = await member(app, acme, lockers);
    const id = await workspace(app, acme);
    await workspaceAccess(app, lockers, id, { 'workspace-locking': true });
    expect((await act('lock', id, locker.token)).status).toBe(200);
    expect((await act('force-unlock', id, locker.token)).status).toBe(404);
    expect((await act('unlock', id, locker.token)).status).toBe(200);
  });
});

describe('unlock', () => {
  test('§3 unlock/own: open again, without reason and holder', async () => {
    const id = await workspace(app, acme);
    await act('lock', id, acme.owner.token, { reason: 'work' });
    const answer = await act('unlock', id, acme.owner.token);
    expect(answer.status).toBe(200);
    expect(answer.data.attributes).toMatchObject({ locked: false, 'locked-reason': null });
    expect(answer.data.relationships['locked-by']).toEqual({ data: null });
  });

  test('§3 unlock/own: the latest final intermediate state version becomes the current one', async () => {
    const id = await workspace(app, acme);
    await act('lock', id, acme.owner.token);
    await version(id, { status: 'finalized' });
    const skipped = await version(id, { status: 'pending' });
    const latest = await version(id, { status: 'finalized', resource_count: 3 });
    const answer = await act('unlock', id, acme.owner.token);
    expect(answer.data.relationships['current-state-version'].data).toEqual({ type: 'state-versions', id: latest });
    expect(answer.data.attributes['resource-count']).toBe(3);
    const states = await app.store.read`
      select status, intermediate from state_versions where workspace_id = ${id} order by position`;
    expect(states.map(state => [state['status'], state['intermediate']])).toEqual([
      ['finalized', false],
      ['discarded', false],
      ['finalized', false],
    ]);
    expect(skipped).not.toBe(latest);
  });

  test('§3 unlock/other, §7 unlock/409-other: 409 that names the user, for owners too, and it stays locked', async () => {
    const id = await workspace(app, acme);
    await act('lock', id, acme.owner.token);
    const other = await member(app, acme, acme.ownersTeamId);
    const answer = await act('unlock', id, other.token);
    expect(answer.status).toBe(409);
    expect(answer.problems).toEqual([
      `Unable to unlock workspace. The workspace is locked by User ${acme.owner.username} and may not be unlocked except by them.`,
    ]);
    expect(await isLocked(id)).toBe(true);
  });

  test('§3 a lock of a team is the lock of all its tokens, and of nobody else', async () => {
    const writers = await team(app, acme, { name: 'writers' });
    const id = await workspace(app, acme);
    await workspaceAccess(app, writers, id, 'write');
    const one = await serviceTokenOf(app, acme, writers);
    const another = await serviceTokenOf(app, acme, writers, { description: 'another' });
    expect(lockedBy(await act('lock', id, one))).toEqual({ type: 'teams', id: writers });
    const refused = await act('unlock', id, acme.owner.token);
    expect([refused.status, refused.problems[0]]).toEqual([409, expect.stringContaining('is locked by Team writers')]);
    expect((await act('unlock', id, another)).status).toBe(200);
  });

  test('§3 a lock of a run is opened by nobody, and the refusal names the run', async () => {
    const id = await workspace(app, acme, { locked: true, locked_by_type: 'runs', locked_by_id: 'run-1234' });
    const answer = await act('unlock', id, acme.owner.token);
    expect([answer.status, answer.problems[0]]).toEqual([409, expect.stringContaining('is locked by Run run-1234')]);
    expect((await act('lock', id, acme.owner.token)).status).toBe(409);
  });

  test('§3 what works for the run that holds the lock finds it its own, and leaves it to the run', async () => {
    const tokenFor = async (id: string) => {
      const run_id = await run(app, acme, id);
      return { run_id, token: await tokenOf(app, { kind: 'run', user_id: acme.owner.id, run_id, run_phase: 'apply' }) };
    };
    const open = await workspace(app, acme);
    const first = await tokenFor(open);
    const sql = app.store.read;
    await sql`
      update workspaces set locked = true, locked_by_type = 'runs', locked_by_id = ${first.run_id}, revision = default
      where workspaces.id = ${open}`;
    for (const action of ['lock', 'unlock']) {
      const answer = await act(action, open, first.token);
      expect([answer.status, lockedBy(answer)]).toEqual([200, { type: 'runs', id: first.run_id }]);
    }
    // Another run finds it held, and one without a lock takes it as any caller does.
    const second = await tokenFor(open);
    expect((await act('lock', open, second.token)).status).toBe(409);
    expect((await act('unlock', open, second.token)).status).toBe(409);
    const free = await workspace(app, acme);
    const third = await tokenFor(free);
    await sql`
      update workspaces set locked = false, locked_by_type = null, locked_by_id = null, locked_reason = null,
        revision = default
      where workspaces.id = ${free}`;
    expect(lockedBy(await act('lock', free, third.token))).toEqual({ type: 'runs', id: third.run_id });
  });

  test("§7 lock/404: the organization's token may not lock, since the state that a command line makes then would be refused", async () => {
    const token = await serviceTokenOf(app, acme);
    const id = await workspace(app, acme);
    const permissions = async () => (await app.get(`workspaces/${id}`, token)).data.attributes.permissions;
    expect(await permissions()).toMatchObject({ 'can-lock': false, 'can-unlock': false, 'can-force-unlock': true });
    expect((await act('lock', id, token)).status).toBe(404);
    expect(await isLocked(id)).toBe(false);
    await act('lock', id, acme.owner.token);
    expect((await act('unlock', id, token)).status).toBe(404);
    expect((await act('force-unlock', id, token)).status).toBe(200);
  });

  test('§5.3 the refusal names no secret team to someone who may not see it', async () => {
    const hidden = await team(app, acme, { name: 'hidden' });
    const lockers = await team(app, acme);
    const locker = await member(app, acme, lockers);
    const id = await workspace(app, acme);
    for (const one of [hidden, lockers]) await workspaceAccess(app, one, id, 'write');
    await act('lock', id, await serviceTokenOf(app, acme, hidden));
    expect((await act('unlock', id, locker.token)).problems[0]).toContain(`is locked by Team ${hidden} `);
  });

  test('§3 unlock/pending, §7 unlock/503: the latest intermediate version is pending → 503, it stays locked', async () => {
    const id = await workspace(app, acme);
    await act('lock', id, acme.owner.token);
    const early = await version(id, { status: 'finalized' });
    await version(id, { status: 'pending' });
    const answer = await act('unlock', id, acme.owner.token);
    expect([answer.status, answer.problems[0]]).toEqual([
      503,
      expect.stringContaining('latest state version is still pending'),
    ]);
    expect(await isLocked(id)).toBe(true);
    const forced = await act('force-unlock', id, acme.owner.token);
    expect([forced.status, forced.data.relationships['current-state-version'].data.id]).toEqual([200, early]);
  });

  test('§3 unlock/free, §7 unlock/409-free: open already → 409, and the text is none of a lock held', async () => {
    const answer = await act('unlock', await workspace(app, acme), acme.owner.token);
    expect(answer.status).toBe(409);
    expect(answer.text).not.toMatch(/is locked by|still pending/);
  });
});

describe('force-unlock', () => {
  test('§3 force-unlock/held: an admin opens the lock of anybody, also of a run', async () => {
    const admins = await team(app, acme);
    const admin = await member(app, acme, admins);
    for (const locked_by_type of ['users', 'runs']) {
      const id = await workspace(app, acme, { locked: true, locked_by_type, locked_by_id: 'run-or-user' });
      await workspaceAccess(app, admins, id, 'admin');
      const answer = await act('force-unlock', id, admin.token);
      expect([answer.status, answer.data.attributes.locked, lockedBy(answer)]).toEqual([200, false, null]);
    }
  });

  test('§7 force-unlock/404: who may write but is no admin gets 404, and it stays locked', async () => {
    const writers = await team(app, acme);
    const writer = await member(app, acme, writers);
    const id = await workspace(app, acme);
    await workspaceAccess(app, writers, id, 'write');
    await act('lock', id, writer.token);
    expect((await act('force-unlock', id, writer.token)).status).toBe(404);
    expect(await isLocked(id)).toBe(true);
  });

  test('§3 force-unlock/free, §7 force-unlock/409: open already → 409', async () => {
    expect((await act('force-unlock', await workspace(app, acme), acme.owner.token)).status).toBe(409);
  });
});
