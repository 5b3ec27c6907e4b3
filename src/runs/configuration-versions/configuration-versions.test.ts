/** §2.2 `current-configuration-version`: configuration versions as records. */
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { configurationVersion, move, run } from '../../../test/builders/run.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import { newId } from '../../core/store/ids.ts';
import { row } from '../../core/store/store.ts';

const app = useApp();
let acme: TestOrganization;

beforeAll(async () => {
  acme = await organization(app);
});

const create = async (workspaceId: string, attributes: object = {}, headers: Record<string, string> = {}) =>
  app.call('POST', `workspaces/${workspaceId}/configuration-versions`, {
    token: acme.owner.token,
    headers,
    body: bodyOf('configuration-versions', { 'auto-queue-runs': false, ...attributes }),
  });
const current = async (workspaceId: string) =>
  (await app.get(`workspaces/${workspaceId}`, acme.owner.token)).data.relationships['current-configuration-version']
    .data?.id ?? null;
const show = async (id: string) => (await app.get(`configuration-versions/${id}`, acme.owner.token)).data;
const act = (id: string, action: string, token = acme.owner.token) =>
  app.post(`configuration-versions/${id}/actions/${action}`, token);

describe('create', () => {
  test('answers 201 with the address for the upload, which no later answer shows', async () => {
    const id = await workspace(app, acme);
    const { status, data } = await create(id);
    expect(status).toBe(201);
    expect(data.attributes).toMatchObject({
      status: 'pending',
      source: 'tfe-api',
      'auto-queue-runs': false,
      speculative: false,
      provisional: false,
      'status-timestamps': {},
      'upload-url': expect.stringContaining(data.id),
    });
    const expected = { ...data, attributes: { ...data.attributes, 'upload-url': null } };
    expect(await show(data.id)).toEqual(expected);
    const listed = await app.get(`workspaces/${id}/configuration-versions`, acme.owner.token);
    expect(listed.data).toEqual([expected]);
    expect(listed.document.meta.pagination['total-count']).toBe(1);
  });

  test('without a body takes every default', async () => {
    const id = await workspace(app, acme);
    const { status, data } = await app.post(`workspaces/${id}/configuration-versions`, acme.owner.token);
    expect([status, data.attributes['auto-queue-runs']]).toEqual([201, true]);
  });

  test('says that the command line made it when that says so', async () => {
    const { data } = await create(await workspace(app, acme), {}, { 'x-terraform-integration': 'cloud' });
    expect(data.attributes.source).toBe('terraform+cloud');
  });

  test('of a wrong type → 422 at the attribute, and nothing is made', async () => {
    const id = await workspace(app, acme);
    const { status, pointers } = await create(id, { speculative: 'yes' });
    expect([status, pointers]).toEqual([422, ['/data/attributes/speculative']]);
    expect((await app.get(`workspaces/${id}/configuration-versions`, acme.owner.token)).data).toEqual([]);
  });

  test('makes it the current one, unless it is provisional, or speculative while there is another', async () => {
    const id = await workspace(app, acme);
    await create(id, { provisional: true });
    expect(await current(id)).toBe(null);
    const speculative = (await create(id, { speculative: true })).data.id;
    expect(await current(id)).toBe(speculative);
    const first = (await create(id)).data.id;
    expect(await current(id)).toBe(first);
    await create(id, { speculative: true });
    await create(id, { provisional: true });
    expect(await current(id)).toBe(first);
  });

  test('a speculative one gives way to the next one of any kind; one that can be applied, to no speculative one', async () => {
    const id = await workspace(app, acme);
    await create(id, { speculative: true });
    const second = (await create(id, { speculative: true })).data.id;
    expect(await current(id)).toBe(second);
    const only = await workspace(app, acme);
    const first = (await create(only)).data.id;
    await create(only, { speculative: true });
    expect(await current(only)).toBe(first);
  });

  test('lists the newest first, also when many are made at once', async () => {
    const id = await workspace(app, acme);
    const made = await Promise.all(Array.from({ length: 8 }, () => create(id)));
    expect(made.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
    const { data } = await app.get(`workspaces/${id}/configuration-versions`, acme.owner.token);
    expect(data[0].id).toBe(await current(id));
    expect(new Set(data.map(({ id: version }: { id: string }) => version)).size).toBe(8);
  });
});

describe('archive', () => {
  test('of the current one → 409 in the words that clients match', async () => {
    const id = await workspace(app, acme);
    const version = await configurationVersion(app, acme, id);
    const { status, document } = await act(version, 'archive');
    expect([status, document.errors[0].title, document.errors[0].detail]).toEqual([
      409,
      expect.stringContaining('transition not allowed'),
      expect.stringContaining('configuration could not be archived because it is current'),
    ]);
  });

  test('of an older one → 202, once no run of it is under way; a second time → 409', async () => {
    const id = await workspace(app, acme);
    const runId = await run(app, acme, id);
    const version = (await app.get(`runs/${runId}`, acme.owner.token)).data.relationships['configuration-version'].data
      .id;
    await configurationVersion(app, acme, id);
    expect((await act(version, 'archive')).status).toBe(409);
    await move(app, runId, 'canceled');
    const { status, text } = await act(version, 'archive');
    expect([status, text]).toEqual([202, '']);
    const { attributes } = await show(version);
    expect(attributes.status).toBe('archived');
    expect(attributes['status-timestamps']['archived-at']).toMatch(/\+00:00$/);
    expect((await app.get(`configuration-versions/${version}/download`, acme.owner.token)).status).toBe(404);
    expect((await act(version, 'archive')).status).toBe(409);
  });
});

describe('§9 backing data', () => {
  test('is hidden, brought back, hidden and deleted for good; the wrong order → 400', async () => {
    const id = await workspace(app, acme);
    const version = await configurationVersion(app, acme, id);
    expect((await act(version, 'soft_delete_backing_data')).status).toBe(400);
    await configurationVersion(app, acme, id);
    const steps = ['soft_delete', 'restore', 'soft_delete', 'permanently_delete'];
    for (const step of steps) expect((await act(version, `${step}_backing_data`)).status).toBe(204);
    const refused = await act(version, 'restore_backing_data');
    expect([refused.status, refused.problems[0]]).toEqual([400, expect.stringContaining('transition not allowed')]);
    expect((await show(version)).attributes.status).toBe('backing_data_permanently_deleted');
  });
});

describe('where it came from', () => {
  test('of what was uploaded is null and 404', async () => {
    const version = await configurationVersion(app, acme, await workspace(app, acme));
    expect((await show(version)).relationships['ingress-attributes'].data).toBe(null);
    const path = `configuration-versions/${version}/ingress-attributes`;
    expect((await app.get(path, acme.owner.token)).status).toBe(404);
  });

  test('§4.3 of a repository is shown, and included with the workspace', async () => {
    const id = await workspace(app, acme);
    const version = await configurationVersion(app, acme, id);
    const sql = app.store.read;
    const ingress = sql.json({ branch: 'main', 'commit-sha': 'abc', 'is-pull-request': false });
    await sql`
      update configuration_versions set ${row(sql, { ingress_attributes_id: newId('ia'), ingress_attributes: ingress })}
      where configuration_versions.id = ${version}`;
    const path = `configuration-versions/${version}/ingress-attributes`;
    const { data } = await app.get(path, acme.owner.token);
    expect(data.attributes).toMatchObject({ branch: 'main', 'commit-sha': 'abc', 'is-pull-request': false, tag: null });
    const include = 'current_configuration_version.ingress_attributes';
    const { document } = await app.get(`workspaces/${id}?include=${include}`, acme.owner.token);
    expect(document.included.map((one: { type: string }) => one.type)).toEqual([
      'configuration-versions',
      'ingress-attributes',
    ]);
    expect(document.included[1]).toEqual(data);
  });
});

test('§5.4 reading takes read access, creating plan, archiving write, backing data admin; others → 404', async () => {
  const id = await workspace(app, acme);
  const version = await configurationVersion(app, acme, id);
  await configurationVersion(app, acme, id);
  const statuses = async (token: string) => [
    (await app.get(`configuration-versions/${version}`, token)).status,
    (await app.post(`workspaces/${id}/configuration-versions`, token, bodyOf('configuration-versions', {}))).status,
    (await act(version, 'archive', token)).status === 404,
    (await act(version, 'restore_backing_data', token)).status,
  ];
  const found: unknown[] = [];
  for (const level of ['read', 'plan', 'write', 'admin'] as const) {
    const teamId = await team(app, acme);
    await workspaceAccess(app, teamId, id, level);
    found.push([level, ...(await statuses((await member(app, acme, teamId)).token))]);
  }
  const rival = await organization(app);
  found.push(['other', ...(await statuses(rival.owner.token))]);
  expect(found).toEqual([
    ['read', 200, 404, true, 404],
    ['plan', 200, 201, true, 404],
    ['write', 200, 201, false, 404],
    ['admin', 200, 201, false, 400],
    ['other', 404, 404, true, 404],
  ]);
});
