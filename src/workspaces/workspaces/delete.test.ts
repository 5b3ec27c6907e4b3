import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { stateClient, stateOf, transfer } from '../../../test/builders/state.ts';
import { tag, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

const exists = async (id: string) => (await app.get(`workspaces/${id}`, acme.owner.token)).status === 200;
const total = async () =>
  (await app.get(`organizations/${acme.name}/workspaces`, acme.owner.token)).document.meta.pagination['total-count'];

describe('safe delete', () => {
  test('§3 safe-delete/empty: a workspace that manages no resources is deleted by id and by name, with 204', async () => {
    const [one, other] = [await workspace(app, acme), await workspace(app, acme, { name: 'by-name' })];
    const before = await total();
    expect((await app.post(`workspaces/${one}/actions/safe-delete`, acme.owner.token)).status).toBe(204);
    const byName = `organizations/${acme.name}/workspaces/by-name/actions/safe-delete`;
    expect((await app.post(byName, acme.owner.token)).status).toBe(204);
    expect([await exists(one), await exists(other), await total()]).toEqual([false, false, before - 2]);
  });

  test('§3 safe-delete/managing, §7 safe-delete/409: a workspace that manages resources → 409, unchanged', async () => {
    const id = await workspace(app, acme, { resource_count: 3 });
    const answer = await app.post(`workspaces/${id}/actions/safe-delete`, acme.owner.token);
    expect(answer.status).toBe(409);
    expect(answer.text).not.toMatch(/locked|being processed/);
    expect(await exists(id)).toBe(true);
  });

  test('§3 safe-delete/managing: while a state is on its way → 409 that says so; with a state that cannot be read → 409', async () => {
    const id = await workspace(app, acme);
    const client = stateClient(app, id, acme.owner.token);
    await client.lock();
    const encrypted = stateOf({ version: undefined, encrypted_data: 'AAAA', encryption_version: 'v0' });
    const { data } = await client.announce(encrypted);
    const pending = await app.post(`workspaces/${id}/actions/safe-delete`, acme.owner.token);
    expect([pending.status, pending.problems[0]]).toEqual([409, expect.stringContaining('being processed')]);
    await transfer(app, 'PUT', data.attributes['hosted-state-upload-url'], encrypted);
    expect((await app.post(`workspaces/${id}/actions/safe-delete`, acme.owner.token)).status).toBe(409);
    await client.unlock();
    const refused = await app.post(`workspaces/${id}/actions/safe-delete`, acme.owner.token);
    expect([refused.status, /locked|being processed/.test(refused.text)]).toEqual([409, false]);
    expect((await app.delete(`workspaces/${id}`, acme.owner.token)).status).toBe(204);
    expect(await app.store.read`select from blobs where blobs.workspace_id = ${id}`).toEqual([]);
  });

  test('§3 safe-delete/managing: what an uploaded state manages counts before it is the current one', async () => {
    const id = await workspace(app, acme);
    const client = stateClient(app, id, acme.owner.token);
    await client.lock();
    const state = stateOf({ resources: 1 });
    const { data } = await client.announce(state);
    await transfer(app, 'PUT', data.attributes['hosted-state-upload-url'], state);
    expect((await app.post(`workspaces/${id}/actions/safe-delete`, acme.owner.token)).status).toBe(409);
    await client.push(stateOf({ serial: 2 }), { serial: 2 });
    expect((await app.post(`workspaces/${id}/actions/safe-delete`, acme.owner.token)).status).toBe(204);
  });

  test('§3 the lock is no matter: any state is deleted while it manages nothing', async () => {
    const id = await workspace(app, acme, { locked: true, locked_by_type: 'users', locked_by_id: acme.owner.id });
    expect((await app.post(`workspaces/${id}/actions/safe-delete`, acme.owner.token)).status).toBe(204);
  });

  test('§5.4, §7 safe-delete/404: it takes admin permission: write gets the 404 of a missing workspace', async () => {
    const writers = await team(app, acme);
    const writer = await member(app, acme, writers);
    const id = await workspace(app, acme);
    await workspaceAccess(app, writers, id, 'write');
    const refused = await app.post(`workspaces/${id}/actions/safe-delete`, writer.token);
    const missing = await app.post('workspaces/ws-0000000000000000/actions/safe-delete', writer.token);
    expect(refused.status).toBe(404);
    expect(refused.text).toBe(missing.text);
  });
});

describe('under the profile of the vendor', () => {
  const strict = useApp({ TERRANE_PROFILE: 'vendor' });

  test('§3 a lock is respected by a safe delete, and the workspace stays', async () => {
    const theirs = await organization(strict);
    const { token, id: locked_by_id } = theirs.owner;
    const locked = await workspace(strict, theirs, { locked: true, locked_by_type: 'users', locked_by_id });
    expect((await strict.post(`workspaces/${locked}/actions/safe-delete`, token)).status).toBe(409);
    expect((await strict.get(`workspaces/${locked}`, token)).status).toBe(200);
    const open = await workspace(strict, theirs);
    expect((await strict.post(`workspaces/${open}/actions/safe-delete`, token)).status).toBe(204);
  });
});

describe('force delete', () => {
  test('§3 force-delete/allowed: an owner deletes whatever it manages and whoever locks it, by id and by name', async () => {
    const state = { resource_count: 3, locked: true, locked_by_type: 'users', locked_by_id: acme.owner.id };
    const one = await workspace(app, acme, state);
    await workspace(app, acme, { ...state, name: 'forced' });
    expect((await app.delete(`workspaces/${one}`, acme.owner.token)).status).toBe(204);
    expect((await app.delete(`organizations/${acme.name}/workspaces/forced`, acme.owner.token)).status).toBe(204);
  });

  test('§5.4, §7 force-delete/403, §7 force-delete/404: a workspace admin gets 403, until the organization lets admins force delete; a stranger gets 404', async () => {
    const admins = await team(app, acme);
    const admin = await member(app, acme, admins);
    const stranger = await member(app, acme);
    const id = await workspace(app, acme);
    await workspaceAccess(app, admins, id, 'admin');
    expect((await app.get(`workspaces/${id}`, admin.token)).data.attributes.permissions['can-force-delete']).toBe(
      false,
    );
    expect((await app.delete(`workspaces/${id}`, admin.token)).status).toBe(403);
    expect((await app.delete(`workspaces/${id}`, stranger.token)).status).toBe(404);
    const { sql } = { sql: app.store.read };
    await sql`update organizations set allow_force_delete_workspaces = true, revision = default where organizations.id = ${acme.key}`;
    expect((await app.get(`workspaces/${id}`, admin.token)).data.attributes.permissions['can-force-delete']).toBe(true);
    expect((await app.delete(`workspaces/${id}`, admin.token)).status).toBe(204);
    await sql`update organizations set allow_force_delete_workspaces = false, revision = default where organizations.id = ${acme.key}`;
  });

  test('§4.6 a flat tag goes with the last workspace that has it', async () => {
    const [one, other] = [await workspace(app, acme), await workspace(app, acme)];
    await tag(app, acme, one, 'lonely');
    await tag(app, acme, one, 'shared');
    await tag(app, acme, other, 'shared');
    await app.delete(`workspaces/${one}`, acme.owner.token);
    const left = await app.store.read`select name from tags where organization_id = ${acme.key} order by name`;
    expect(left.map(({ name }) => name)).toEqual(['shared']);
  });
});

describe('at the same moment', () => {
  test('§2.2 of ten creations of one name exactly one wins, and the total is right', async () => {
    const before = await total();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        app.post(`organizations/${acme.name}/workspaces`, acme.owner.token, bodyOf('workspaces', { name: 'wanted' })),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)]);
    expect(await total()).toBe(before + 1);
  });

  test('§3 of ten deletions exactly one answers 204, and the total falls by one', async () => {
    const id = await workspace(app, acme);
    const before = await total();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => app.delete(`workspaces/${id}`, acme.owner.token)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
    expect(await total()).toBe(before - 1);
  });
});
