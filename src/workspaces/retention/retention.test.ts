/** §4.7 What the policies say is deleted, and nothing else. Ages are made by setting `created_at` back. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { TestApp } from '../../../test/app.ts';
import { useApp } from '../../../test/app.ts';
import { bodyOf, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { run } from '../../../test/builders/run.ts';
import { stateClient, stateOf, transfer } from '../../../test/builders/state.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { fingerprint } from '../../../test/nets/rows.ts';
import { policyInEffect } from '../../organizations/data-retention-policies/data-retention-policy.ts';
import { batchSize } from './delete.ts';
import { type Due, everythingDue } from './due.ts';
import { runRetention } from './job.ts';

const app = useApp();
let acme: TestOrganization;
let id: string;
beforeEach(async () => {
  // What one test leaves due is nothing to the next one.
  await app.store.read`delete from data_retention_policies`;
  acme = await organization(app);
  id = await workspace(app, acme);
});

const gone = 'backing_data_permanently_deleted';
const token = () => acme.owner.token;
const statusOf = async (path: string) => (await app.get(path, token())).data.attributes.status;
const retain = (holder: string, days: number | null) =>
  app.post(
    `${holder}/relationships/data-retention-policy`,
    token(),
    days === null
      ? bodyOf('data-retention-policy-dont-deletes', {})
      : bodyOf('data-retention-policy-delete-olders', { 'delete-older-than-n-days': days }),
  );
const due = async () => {
  const found: Due[] = [];
  for await (const version of everythingDue(app.store)) found.push(version);
  return found;
};
const sweep = () => runRetention(app.store, app.config);

/** As many state versions, the last one current, all of them as old as said. */
async function states(count: number, days: number, workspaceId = id): Promise<string[]> {
  const client = stateClient(app, workspaceId, token());
  await client.lock();
  const ids: string[] = [];
  for (let serial = 1; serial <= count; serial += 1) {
    const state = stateOf({ serial, outputs: { secret: { value: `s${serial}`, type: 'string', sensitive: true } } });
    ids.push((await client.push(state, { serial })).data.id);
  }
  await client.unlock();
  await setBack(app, 'state_versions', ids, days);
  return ids;
}

async function configurations(count: number, days: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const body = bodyOf('configuration-versions', { 'auto-queue-runs': false });
    const { data } = await app.post(`workspaces/${id}/configuration-versions`, token(), body);
    expect((await transfer(app, 'PUT', data.attributes['upload-url'], Buffer.from('archive'))).status).toBe(200);
    ids.push(data.id);
  }
  await setBack(app, 'configuration_versions', ids, days);
  return ids;
}

async function setBack({ store: { read: sql } }: TestApp, table: string, ids: string[], days: number): Promise<void> {
  await sql`
    update ${sql(table)} set created_at = now() - make_interval(days => ${days}) where id = any(${ids})`;
}

const contents = async (workspaceId = id) => {
  const [row] = await app.store.read<{ blobs: number; outputs: number }[]>`
    select (select count(*) from blobs where blobs.workspace_id = ${workspaceId}) as blobs,
      (select count(*) from state_version_outputs
        join state_versions on state_versions.id = state_version_outputs.state_version_id
        where state_versions.workspace_id = ${workspaceId}) as outputs`;
  return { ...row! };
};

describe('what goes', () => {
  test('§4.7 state older than the days goes for good, with its outputs; younger and current state stays', async () => {
    const [old, young, current] = await states(3, 31);
    await setBack(app, 'state_versions', [young!], 29);
    await retain(`workspaces/${id}`, 30);
    const address = (await app.get(`state-versions/${old}`, token())).data.attributes['hosted-state-download-url'];
    expect(await sweep()).toEqual({ deleted: { 'state-versions': 1, 'configuration-versions': 0 }, postponed: 0 });
    const { attributes, relationships } = (await app.get(`state-versions/${old}`, token())).data;
    expect([attributes.status, attributes['hosted-state-download-url']]).toEqual([gone, null]);
    expect(relationships.outputs.data).toEqual([]);
    expect((await transfer(app, 'GET', address)).status).toBe(404);
    expect(await statusOf(`state-versions/${young}`)).toBe('finalized');
    expect(await statusOf(`state-versions/${current}`)).toBe('finalized');
    expect(await contents()).toEqual({ blobs: 2, outputs: 2 });
    expect((await sweep())!.deleted['state-versions']).toBe(0);
  });

  test('§4.7 configurations go likewise; the current one stays', async () => {
    const [old, current] = await configurations(2, 31);
    await retain(`workspaces/${id}`, 30);
    expect((await sweep())!.deleted['configuration-versions']).toBe(1);
    expect(await statusOf(`configuration-versions/${old}`)).toBe(gone);
    expect((await app.get(`configuration-versions/${old}/download`, token())).status).toBe(404);
    expect(await statusOf(`configuration-versions/${current}`)).toBe('uploaded');
    expect((await contents()).blobs).toBe(1);
  });

  test('§4.7 more than a batch of them goes in one run', async () => {
    await states(batchSize + 3, 31);
    await retain(`workspaces/${id}`, 30);
    expect((await sweep())!.deleted['state-versions']).toBe(batchSize + 2);
    expect((await contents()).blobs).toBe(1);
  });

  test('§4.7 hidden content goes too, and cannot be brought back', async () => {
    const [old] = await states(2, 31);
    await app.post(`state-versions/${old}/actions/soft_delete_backing_data`, token());
    await retain(`workspaces/${id}`, 30);
    await sweep();
    expect(await statusOf(`state-versions/${old}`)).toBe(gone);
    expect((await app.post(`state-versions/${old}/actions/restore_backing_data`, token())).status).toBe(400);
  });

  test("§4.7 an organization's policy applies to its workspaces without their own, and to nobody else's", async () => {
    const own = await workspace(app, acme);
    const never = await workspace(app, acme);
    const rival = await organization(app);
    const [[old], [kept], [forever]] = [await states(2, 31), await states(2, 31, own), await states(2, 31, never)];
    await retain(`organizations/${acme.name}`, 30);
    await retain(`workspaces/${own}`, 40);
    await retain(`workspaces/${never}`, null);
    acme = rival;
    id = await workspace(app, rival);
    const [foreign] = await states(2, 31);
    expect((await due()).map(version => version.id)).toEqual([old]);
    expect((await sweep())!.deleted['state-versions']).toBe(1);
    const [left] = await app.store.read`
      select array_agg(state_versions.id order by state_versions.id) as ids from state_versions
      where state_versions.id = any(${[old!, kept!, forever!, foreign!]}) and state_versions.blob_id is not null`;
    expect(left!['ids']).toEqual([kept, forever, foreign].sort());
  });

  test('§4.7 the policy is the one that is shown as in effect', async () => {
    for (const [general, own] of [
      [9, undefined],
      [9, 12],
      [9, null],
      [null, 12],
      [null, undefined],
    ] as const) {
      const workspaceId = await workspace(app, acme);
      await states(2, 60, workspaceId);
      await retain(`organizations/${acme.name}`, general);
      if (own !== undefined) await retain(`workspaces/${workspaceId}`, own);
      const holder = { organization_id: acme.key, workspace_id: workspaceId };
      const shown = (await policyInEffect(app.store.read, holder, acme.name))!.delete_older_than_n_days;
      const found = (await due()).filter(version => version.workspace_id === workspaceId);
      expect(found.map(version => version.delete_older_than_n_days)).toEqual(shown === null ? [] : [shown]);
    }
  });
});

describe('what stays', () => {
  test('§4.7 a policy that never deletes keeps everything, as having none does', async () => {
    await states(2, 4000);
    expect(await due()).toEqual([]);
    await retain(`workspaces/${id}`, null);
    expect(await due()).toEqual([]);
    await sweep();
    expect((await contents()).blobs).toBe(2);
  });

  test('§4.7 state that will be current when the lock goes', async () => {
    const client = stateClient(app, id, token());
    await client.lock();
    const announced = (await client.announce(stateOf())).data;
    await transfer(app, 'PUT', announced.attributes['hosted-state-upload-url'], stateOf());
    await setBack(app, 'state_versions', [announced.id], 31);
    await retain(`workspaces/${id}`, 30);
    await sweep();
    expect(await statusOf(`state-versions/${announced.id}`)).toBe('finalized');
    await client.unlock();
    await sweep();
    expect((await client.current()).data.id).toBe(announced.id);
  });

  test('§4.7 the configuration of a run that has not finished, also of a run elsewhere', async () => {
    const [old] = await configurations(2, 31);
    const runId = await run(app, acme, await workspace(app, acme));
    const sql = app.store.read;
    await sql`update runs set configuration_version_id = ${old!} where runs.id = ${runId}`;
    await retain(`workspaces/${id}`, 30);
    expect((await sweep())!.deleted['configuration-versions']).toBe(0);
    await sql`update runs set finished_at = now() where runs.id = ${runId}`;
    expect((await sweep())!.deleted['configuration-versions']).toBe(1);
  });

  test('§4.7 everything, while only what would go is asked for', async () => {
    const [old] = await states(2, 31);
    const [configuration] = await configurations(2, 45);
    await retain(`workspaces/${id}`, 30);
    const before = await fingerprint(app.store);
    expect(await due()).toMatchObject([
      { kind: 'state-versions', id: old, age_days: 31, organization: acme.name, workspace_id: id },
      { kind: 'configuration-versions', id: configuration, age_days: 45, delete_older_than_n_days: 30 },
    ]);
    expect(await fingerprint(app.store)).toEqual(before);
  });
});

describe('the audit', () => {
  test('§4.7 has an event for each deletion, by the system, and all of a run have its id', async () => {
    const olds = (await states(3, 31)).slice(0, 2);
    const [configuration] = await configurations(2, 31);
    await retain(`workspaces/${id}`, 30);
    await sweep();
    const path = `organizations/${acme.name}/audit-events?filter[actor]=data-retention`;
    const events = (await app.get(path, token())).data.map(({ attributes }: { attributes: object }) => attributes);
    const ids = events.map((event: Record<string, string>) => event['resource-id']);
    expect(ids.sort()).toEqual([...olds, configuration].sort());
    for (const event of events) {
      expect(event).toMatchObject({
        action: `${event['resource-type']}.permanently-delete-backing-data`,
        'actor-type': 'system',
        'actor-name': 'Data retention',
        'token-id': null,
        'remote-address': null,
        'request-id': expect.stringMatching(/^job-/),
        changes: { delete_older_than_n_days: 30, workspace_id: id },
      });
      expect(event.changes.status[1]).toBe(gone);
    }
    expect(new Set(events.map((event: Record<string, string>) => event['request-id'])).size).toBe(1);
  });

  test('§4.7 comes before all: what cannot be recorded is not deleted, and keeps no other workspace waiting', async () => {
    const [old] = await states(2, 31);
    const other = await workspace(app, acme);
    const [elsewhere] = await states(2, 31, other);
    await retain(`organizations/${acme.name}`, 30);
    const sql = app.store.read;
    await sql`
      alter table audit_events add constraint not_this check (resource_id <> ${sql.unsafe(`'${old}'`)}) not valid`;
    const faults: string[] = [];
    const result = await runRetention(app.store, app.config, { onFault: (_fault, at) => faults.push(at) });
    expect([result!.deleted['state-versions'], result!.postponed, faults]).toEqual([1, 1, [id]]);
    expect([await statusOf(`state-versions/${old}`), await contents()]).toEqual([
      'finalized',
      { blobs: 2, outputs: 2 },
    ]);
    expect(await statusOf(`state-versions/${elsewhere}`)).toBe(gone);
    await sql`alter table audit_events drop constraint not_this`;
    expect((await sweep())!.deleted['state-versions']).toBe(1);
  });
});
