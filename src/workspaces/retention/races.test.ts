/** §4.7 Several servers at once, servers that die, and people who change what is about to go. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { stateClient, stateOf } from '../../../test/builders/state.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { newId } from '../../core/store/ids.ts';
import { deleteBatch } from './delete.ts';
import { runRetention } from './job.ts';
import { LeaseLostError, releaseLease, renewLease, takeLease } from './lease.ts';

const app = useApp();
let acme: TestOrganization;
let id: string;
beforeEach(async () => {
  await app.store.read`delete from data_retention_policies`;
  await app.store.read`update leases set holder_id = null, expires_at = null`;
  acme = await organization(app);
  id = await workspace(app, acme);
  const policy = bodyOf('data-retention-policy-delete-olders', { 'delete-older-than-n-days': 30 });
  await app.post(`organizations/${acme.name}/relationships/data-retention-policy`, acme.owner.token, policy);
});

const kind = 'state-versions';
const patience = { timeout: 10_000, interval: 5 };

/** State versions, the last one current, a month and a day old. */
async function oldStates(count: number, workspaceId = id): Promise<string[]> {
  const client = stateClient(app, workspaceId, acme.owner.token);
  await client.lock();
  const ids: string[] = [];
  for (let serial = 1; serial <= count; serial += 1)
    ids.push((await client.push(stateOf({ serial }), { serial })).data.id);
  await client.unlock();
  await app.store.read`
    update state_versions set created_at = now() - interval '31 days' where state_versions.id = any(${ids})`;
  return ids;
}

const holder = async () =>
  (await app.store.read<{ holder_id: string | null }[]>`select leases.holder_id from leases`)[0]!.holder_id;
const expire = () => app.store.read`update leases set expires_at = clock_timestamp() - interval '1 second'`;
const withContent = async (ids: string[]) => {
  const found = await app.store.read<{ id: string }[]>`
    select state_versions.id from state_versions
    where state_versions.id = any(${ids}) and state_versions.blob_id is not null
    order by state_versions.position`;
  return found.map(row => row.id);
};
const eventsOf = async (ids: string[]) => {
  const found = await app.store.read<{ resource_id: string; request_id: string }[]>`
    select audit_events.resource_id, audit_events.request_id from audit_events
    where audit_events.actor_type = 'system' and audit_events.resource_id = any(${ids})`;
  return found;
};

describe('the lease', () => {
  test('§4.7 of many who reach for it at once one gets it, and others once it is given back', async () => {
    const jobs = Array.from({ length: 20 }, () => newId('job'));
    const taken = await Promise.all(jobs.map(job => takeLease(app.store.read, job)));
    const winners = jobs.filter((_job, index) => taken[index]);
    expect(winners).toEqual([await holder()]);
    await releaseLease(app.store.read, newId('job'), false);
    expect(await holder()).toBe(winners[0]);
    expect(await takeLease(app.store.read, winners[0]!)).toBe(false);
    await releaseLease(app.store.read, winners[0]!, false);
    expect(await takeLease(app.store.read, newId('job'))).toBe(true);
  });

  test('§4.7 a holder that died is replaced once the lease has expired, by one alone', async () => {
    const [dead, ...heirs] = Array.from({ length: 9 }, () => newId('job'));
    expect(await takeLease(app.store.read, dead!)).toBe(true);
    expect(await takeLease(app.store.read, heirs[0]!)).toBe(false);
    await expire();
    const taken = await Promise.all(heirs.map(heir => takeLease(app.store.read, heir)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    await expect(renewLease(app.store.read, dead!)).rejects.toBeInstanceOf(LeaseLostError);
  });

  test('§4.7 one that was renewed does not expire', async () => {
    const job = newId('job');
    await takeLease(app.store.read, job);
    await expire();
    await renewLease(app.store.read, job);
    expect(await takeLease(app.store.read, newId('job'))).toBe(false);
  });

  test('§4.7 nobody takes it over, or waits for it, while a batch is under way, however long that lasts', async () => {
    const job = newId('job');
    await takeLease(app.store.read, job);
    await expire();
    await app.store.transaction(async sql => {
      await renewLease(sql, job);
      // Others still see the lease as it was before: expired.
      expect(await takeLease(app.store.read, newId('job'))).toBe(false);
    });
    expect(await holder()).toBe(job);
  });

  test('§4.7 whoever comes back after another took over deletes nothing more', async () => {
    const ids = await oldStates(2);
    const [late, heir] = [newId('job'), newId('job')];
    await takeLease(app.store.read, late);
    await expire();
    await takeLease(app.store.read, heir);
    await expect(deleteBatch(app.store, app.config, late, kind, id)).rejects.toBeInstanceOf(LeaseLostError);
    expect(await withContent(ids)).toEqual(ids);
    expect(await deleteBatch(app.store, app.config, heir, kind, id)).toEqual({ deleted: 1, isMore: false });
  });
});

describe('runs of the job', () => {
  test('§4.7 many at once delete each thing once, and one alone deletes at a time', async () => {
    const workspaces = await Promise.all([1, 2, 3].map(() => workspace(app, acme)));
    const all: string[] = [];
    const olds: string[] = [];
    for (const workspaceId of workspaces) {
      const ids = await oldStates(4, workspaceId);
      all.push(...ids);
      olds.push(...ids.slice(0, -1));
    }
    const results = await Promise.all(Array.from({ length: 6 }, () => runRetention(app.store, app.config)));
    // Whoever came while another was at it did nothing; the first one did all.
    const deleted = results.flatMap(result => (result ? [result.deleted[kind]] : []));
    expect(deleted.reduce((sum, one) => sum + one, 0)).toBe(olds.length);
    const events = await eventsOf(all);
    expect(events.map(event => event.resource_id).sort()).toEqual([...olds].sort());
    expect(new Set(events.map(event => event.request_id)).size).toBe(1);
    expect(await withContent(all)).toHaveLength(3);
    expect(await holder()).toBeNull();
  });

  test('§4.7 while another holds the lease a run does nothing', async () => {
    const ids = await oldStates(2);
    await takeLease(app.store.read, newId('job'));
    expect(await runRetention(app.store, app.config)).toBeNull();
    expect(await withContent(ids)).toEqual(ids);
    await expire();
    expect((await runRetention(app.store, app.config))!.deleted[kind]).toBe(1);
  });

  test('§4.7 two servers that both believe to hold the lease delete each thing once', async () => {
    const ids = await oldStates(5);
    const [first, second] = [newId('job'), newId('job')];
    await takeLease(app.store.read, first);
    const settled = await Promise.allSettled([
      deleteBatch(app.store, app.config, first, kind, id),
      expire().then(() => takeLease(app.store.read, second)),
      deleteBatch(app.store, app.config, second, kind, id),
    ]);
    expect(settled.some(({ status }) => status === 'fulfilled')).toBe(true);
    await releaseLease(app.store.read, first, false);
    await releaseLease(app.store.read, second, false);
    await runRetention(app.store, app.config);
    expect((await eventsOf(ids)).map(event => event.resource_id).sort()).toEqual(ids.slice(0, 4).sort());
  });

  test('§4.7 a run that is told to stop ends between batches and gives the lease back', async () => {
    const ids = await oldStates(3);
    expect((await runRetention(app.store, app.config, { isStopped: () => true }))!.deleted[kind]).toBe(0);
    expect(await withContent(ids)).toEqual(ids);
    expect(await holder()).toBeNull();
  });
});

describe('at the same moment', () => {
  test('§4.7 a version that is becoming current is left alone, and its workspace is not waited for', async () => {
    const [old, before] = await oldStates(2);
    await app.store.transaction(async sql => {
      await sql`update workspaces set current_state_version_id = ${old!}, revision = default where workspaces.id = ${id}`;
      const result = await runRetention(app.store, app.config);
      expect(result).toEqual({ deleted: { 'state-versions': 0, 'configuration-versions': 0 }, postponed: 1 });
    });
    expect((await runRetention(app.store, app.config))!.deleted[kind]).toBe(1);
    expect(await withContent([old!, before!])).toEqual([old]);
  });

  test('§4.7 whatever the order, the current version always has its content', async () => {
    const ids = await oldStates(3);
    const client = stateClient(app, id, acme.owner.token);
    await client.lock();
    const rollBack = (to: string) =>
      app.patch(`workspaces/${id}/state-versions`, acme.owner.token, {
        data: {
          type: 'state-versions',
          relationships: { 'rollback-state-version': { data: { type: 'state-versions', id: to } } },
        },
      });
    const [answers] = await Promise.all([
      Promise.all([rollBack(ids[0]!), client.push(stateOf({ serial: 9 }), { serial: 9 }), rollBack(ids[1]!)]),
      runRetention(app.store, app.config),
      runRetention(app.store, app.config),
    ]);
    // A version that was gone before it could be rolled back to is refused.
    for (const { status } of answers) expect([201, 422]).toContain(status);
    await client.unlock();
    await vi.waitFor(async () => expect((await runRetention(app.store, app.config))?.postponed).toBe(0), patience);
    const current = (await client.current()).data;
    expect(current.attributes.status).toBe('finalized');
    expect(await withContent([current.id])).toEqual([current.id]);
  });

  test('§4.7 a policy that never deletes, once answered, is kept to by a run that had found the workspace before', async () => {
    const ids = await oldStates(2);
    const job = newId('job');
    await takeLease(app.store.read, job);
    const never = bodyOf('data-retention-policy-dont-deletes', {});
    await app.post(`workspaces/${id}/relationships/data-retention-policy`, acme.owner.token, never);
    expect(await deleteBatch(app.store, app.config, job, kind, id)).toEqual({ deleted: 0, isMore: false });
    expect(await withContent(ids)).toEqual(ids);
  });
});
