/** The content of configuration versions: what is uploaded is what is downloaded. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  serviceTokenOf,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;

beforeAll(async () => {
  acme = await organization(app);
});

async function created(
  workspaceId: string,
  attributes: object = {},
  token = acme.owner.token,
): Promise<{ id: string; url: string }> {
  const body = bodyOf('configuration-versions', { 'auto-queue-runs': false, ...attributes });
  const { data } = await app.post(`workspaces/${workspaceId}/configuration-versions`, token, body);
  const { pathname, search } = new URL(data.attributes['upload-url']);
  return { id: data.id, url: `${pathname}${search}` };
}

const upload = async (url: string, payload: Buffer) =>
  (await app.app.inject({ method: 'PUT', url, headers: { 'content-type': 'application/octet-stream' }, payload }))
    .statusCode;

/** Follows the redirect, as clients do. */
async function download(path: string): Promise<Buffer | number> {
  const { status, headers } = await app.get(path, acme.owner.token);
  if (status !== 302) return status;
  const { pathname, search } = new URL(headers['location']!);
  return (await app.app.inject({ method: 'GET', url: `${pathname}${search}` })).rawPayload;
}

const statusOf = async (id: string) =>
  (await app.get(`configuration-versions/${id}`, acme.owner.token)).data.attributes.status;
const blobs = async (): Promise<number> => (await app.store.read`select count(*) as n from blobs`)[0]!['n'];

describe('an upload', () => {
  test('needs no token, is downloaded byte for byte, and may be sent twice: the later one counts', async () => {
    const { id, url } = await created(await workspace(app, acme));
    expect(await download(`configuration-versions/${id}/download`)).toBe(404);
    const [first, second] = [randomBytes(3000), randomBytes(1_500_000)];
    expect(await upload(url, first)).toBe(200);
    expect(await statusOf(id)).toBe('uploaded');
    expect(await download(`configuration-versions/${id}/download`)).toEqual(first);
    const before = await blobs();
    expect(await upload(url, second)).toBe(200);
    expect(await download(`configuration-versions/${id}/download`)).toEqual(second);
    expect(await blobs()).toBe(before);
  });

  test('§9 is hidden from addresses that were given before, comes back, and is there no more once it is deleted for good', async () => {
    const workspaceId = await workspace(app, acme);
    const { id, url } = await created(workspaceId);
    await upload(url, Buffer.from('content'));
    await created(workspaceId);
    const { headers } = await app.get(`configuration-versions/${id}/download`, acme.owner.token);
    const { pathname, search } = new URL(headers['location']!);
    const fetched = async () => (await app.app.inject({ method: 'GET', url: `${pathname}${search}` })).statusCode;
    const before = await blobs();
    const seen: unknown[] = [await fetched()];
    for (const step of ['soft_delete', 'restore', 'soft_delete', 'permanently_delete']) {
      await app.post(`configuration-versions/${id}/actions/${step}_backing_data`, acme.owner.token);
      seen.push([step, await fetched(), (await blobs()) - before]);
    }
    expect(seen).toEqual([
      200,
      ['soft_delete', 404, 0],
      ['restore', 200, 0],
      ['soft_delete', 404, 0],
      ['permanently_delete', 404, -1],
    ]);
  });

  test('at an address that was changed is refused, and changes nothing', async () => {
    const { id, url } = await created(await workspace(app, acme));
    const before = await blobs();
    const wrong = [`${url.slice(0, -10)}nope`, url.split('?')[0]!, url.replace(id, `cv-${'0'.repeat(16)}`)];
    for (const one of wrong) expect(await upload(one, Buffer.from('x'))).toBeGreaterThanOrEqual(400);
    expect([await statusOf(id), await blobs()]).toEqual(['pending', before]);
  });

  test('after the version was archived is refused, and leaves nothing behind', async () => {
    const workspaceId = await workspace(app, acme);
    const { id, url } = await created(workspaceId);
    await upload(url, Buffer.from('one'));
    await created(workspaceId);
    await app.post(`configuration-versions/${id}/actions/archive`, acme.owner.token);
    const before = await blobs();
    expect(await upload(url, Buffer.from('two'))).toBeGreaterThanOrEqual(400);
    expect([await statusOf(id), await blobs()]).toEqual(['archived', before]);
  });

  test('ends for an account that is gone, left the organization or lost its power; nothing is left of it', async () => {
    const workspaceId = await workspace(app, acme);
    const teamId = await team(app, acme);
    await workspaceAccess(app, teamId, workspaceId, 'write');
    const someone = await member(app, acme, teamId);
    const given = async (token = someone.token) => {
      const body = bodyOf('configuration-versions', { 'auto-queue-runs': false });
      const { data } = await app.post(`workspaces/${workspaceId}/configuration-versions`, token, body);
      const { pathname, search } = new URL(data.attributes['upload-url']);
      return `${pathname}${search}`;
    };
    const url = await given();
    expect(await upload(url, Buffer.from('one'))).toBe(200);
    const before = await blobs();
    const { read: sql } = app.store;
    await sql`update team_workspaces set powers = 1 where team_workspaces.team_id = ${teamId}`;
    expect(await upload(url, Buffer.from('two'))).toBe(404);
    await sql`delete from team_workspaces where team_workspaces.team_id = ${teamId}`;
    expect(await upload(url, Buffer.from('two'))).toBe(404);
    await workspaceAccess(app, teamId, workspaceId, 'write');
    expect(await upload(url, Buffer.from('three'))).toBe(200);
    await sql`delete from organization_memberships where organization_memberships.user_id = ${someone.id}`;
    expect(await upload(url, Buffer.from('four'))).toBe(404);
    await sql`delete from users where users.id = ${someone.id}`;
    expect(await upload(url, Buffer.from('five'))).toBe(403);
    expect(await blobs()).toBe(before);
  });

  test('by the address that a team was given is in the audit as the team', async () => {
    const workspaceId = await workspace(app, acme);
    const teamId = await team(app, acme);
    await workspaceAccess(app, teamId, workspaceId, 'write');
    const token = await serviceTokenOf(app, acme, teamId);
    const { data } = await app.post(`workspaces/${workspaceId}/configuration-versions`, token);
    const { pathname, search } = new URL(data.attributes['upload-url']);
    expect(await upload(`${pathname}${search}`, Buffer.from('content'))).toBe(200);
    const [event] = await app.store.read`
      select audit_events.actor_type from audit_events
      where audit_events.resource_id = ${data.id} and audit_events.action = 'configuration-versions.upload'`;
    expect(event!['actor_type']).toBe('team');
  });

  test('is in the audit, in the name of whoever created the version', async () => {
    const { id, url } = await created(await workspace(app, acme));
    await upload(url, Buffer.from('content'));
    const [event] = await app.store.read`
      select audit_events.actor_id, audit_events.organization_id, audit_events.changes from audit_events
      where audit_events.resource_id = ${id} and audit_events.action = 'configuration-versions.upload'`;
    const changes = { status: ['pending', 'uploaded'], size: 'content'.length };
    expect(event).toEqual({ actor_id: acme.owner.id, organization_id: acme.key, changes });
  });

  test('goes with its workspace', async () => {
    const workspaceId = await workspace(app, acme);
    const before = await blobs();
    await upload((await created(workspaceId)).url, Buffer.from('content'));
    expect(await blobs()).toBe(before + 1);
    await app.delete(`workspaces/${workspaceId}`, acme.owner.token);
    expect(await blobs()).toBe(before);
  });
});

describe('auto-queue-runs', () => {
  const runsOf = async (workspaceId: string) =>
    (await app.get(`workspaces/${workspaceId}/runs`, acme.owner.token)).data;

  test('makes a run of the first upload, whose content stays as it was: a second one is refused', async () => {
    const workspaceId = await workspace(app, acme);
    const { id, url } = await created(workspaceId, { 'auto-queue-runs': true });
    expect(await upload(url, Buffer.from('one'))).toBe(200);
    const before = await blobs();
    expect(await upload(url, Buffer.from('two'))).toBe(410);
    expect(await blobs()).toBe(before);
    // Its answer was lost, and the same comes again.
    expect(await upload(url, Buffer.from('one'))).toBe(200);
    expect(await blobs()).toBe(before);
    const runs = await runsOf(workspaceId);
    expect(runs).toHaveLength(1);
    expect(runs[0].attributes).toMatchObject({ status: 'plan_queued', source: 'tfe-configuration-version' });
    expect(runs[0].relationships['configuration-version'].data.id).toBe(id);
    expect(await download(`runs/${runs[0].id}/configuration-version/download`)).toEqual(Buffer.from('one'));
    const shown = await app.get(`runs/${runs[0].id}/configuration-version`, acme.owner.token);
    expect(shown.data.id).toBe(id);
  });

  test('of a speculative version makes a run that only plans; of a workspace that keeps state only, none', async () => {
    const workspaceId = await workspace(app, acme);
    await upload((await created(workspaceId, { 'auto-queue-runs': true, speculative: true })).url, Buffer.from('x'));
    expect((await runsOf(workspaceId))[0].attributes['plan-only']).toBe(true);
    const local = await workspace(app, acme, { overwrites_execution_mode: true, execution_mode: 'local' });
    expect(await upload((await created(local, { 'auto-queue-runs': true })).url, Buffer.from('x'))).toBe(200);
    expect(await runsOf(local)).toEqual([]);
  });

  test('makes a run that applies itself where the workspace does, and whoever made the version may apply', async () => {
    const workspaceId = await workspace(app, acme, { auto_apply: true });
    const planner = await team(app, acme);
    const someone = await member(app, acme, planner);
    await workspaceAccess(app, planner, workspaceId, 'plan');
    await upload((await created(workspaceId, { 'auto-queue-runs': true }, someone.token)).url, Buffer.from('x'));
    await upload((await created(workspaceId, { 'auto-queue-runs': true })).url, Buffer.from('y'));
    const applies = (await runsOf(workspaceId)).map(({ attributes }: Document) => attributes['auto-apply']);
    expect(applies).toEqual([true, false]);
  });

  test('of two uploads at the same moment makes one run', async () => {
    const workspaceId = await workspace(app, acme);
    const { url } = await created(workspaceId, { 'auto-queue-runs': true });
    const answers = await Promise.all([upload(url, Buffer.from('one')), upload(url, Buffer.from('two'))]);
    expect(answers.sort()).toEqual([200, 410]);
    expect(await runsOf(workspaceId)).toHaveLength(1);
  });

  test('of the same upload five times at once makes one run, and each is told that it came', async () => {
    const workspaceId = await workspace(app, acme);
    const { url } = await created(workspaceId, { 'auto-queue-runs': true });
    const before = await blobs();
    const answers = await Promise.all(Array.from({ length: 5 }, () => upload(url, Buffer.from('one'))));
    expect(answers).toEqual(Array(5).fill(200));
    expect([(await runsOf(workspaceId)).length, await blobs()]).toEqual([1, before + 1]);
  });
});
