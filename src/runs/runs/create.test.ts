import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { configurationVersion, run } from '../../../test/builders/run.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;

beforeAll(async () => {
  acme = await organization(app);
});

const inWorkspace = (id: string, version?: string) => ({
  workspace: { data: { type: 'workspaces', id } },
  ...(version && { 'configuration-version': { data: { type: 'configuration-versions', id: version } } }),
});

const create = (workspaceId: string, attributes: object = {}, token = acme.owner.token, version?: string) =>
  app.post('runs', token, bodyOf('runs', attributes, inWorkspace(workspaceId, version)));

async function readyWorkspace(given: Record<string, unknown> = {}): Promise<string> {
  const id = await workspace(app, acme, given);
  await configurationVersion(app, acme, id);
  return id;
}

describe('a new run', () => {
  test('is queued at once, holds the workspace as a run, and is its current run', async () => {
    const id = await readyWorkspace();
    const { status, data } = await create(id, { message: 'first' });
    expect(status).toBe(201);
    expect(data.attributes).toMatchObject({
      status: 'plan_queued',
      message: 'first',
      source: 'tfe-api',
      'trigger-reason': 'manual',
      'auto-apply': false,
      refresh: true,
      'terraform-version': '1.9.0',
      actions: {
        'is-cancelable': true,
        'is-confirmable': false,
        'is-discardable': false,
        'is-force-cancelable': false,
      },
    });
    expect(data.attributes['status-timestamps']).toEqual({
      'plan-queueable-at': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      'plan-queued-at': expect.any(String),
    });
    expect(data.relationships['run-events'].data.length).toBe(2);
    const shown = (await app.get(`workspaces/${id}`, acme.owner.token)).data;
    expect(shown.attributes.locked).toBe(true);
    expect(shown.relationships['locked-by'].data).toEqual({ type: 'runs', id: data.id });
    expect(shown.relationships['current-run'].data).toEqual({ type: 'runs', id: data.id });
    expect(shown.relationships['latest-run'].data).toEqual({ type: 'runs', id: data.id });
  });

  test('destroys nothing, skips nothing and saves nothing unless it is asked to', async () => {
    const { data } = await create(await readyWorkspace());
    expect(data.attributes).toMatchObject({
      'allow-config-generation': false,
      'allow-empty-apply': false,
      'auto-apply': false,
      'debugging-mode': false,
      'invoke-action-addrs': [],
      'is-destroy': false,
      'plan-only': false,
      'policy-paths': [],
      refresh: true,
      'refresh-only': false,
      'replace-addrs': [],
      'save-plan': false,
      'target-addrs': [],
      variables: [],
    });
  });

  test('is the same document when it is created, shown and listed', async () => {
    const id = await readyWorkspace();
    const created = await create(id, { 'target-addrs': ['module.a'], variables: [{ key: 'a', value: '1' }] });
    const shown = await app.get(`runs/${created.data.id}`, acme.owner.token);
    const listed = await app.get(`workspaces/${id}/runs`, acme.owner.token);
    expect(shown.data).toEqual(created.data);
    expect(listed.data).toEqual([created.data]);
    expect(created.data.attributes).toMatchObject({
      'target-addrs': ['module.a'],
      variables: [{ key: 'a', value: '1' }],
    });
  });

  test('waits as pending behind the one that holds the workspace, and behind whoever locked it', async () => {
    const id = await readyWorkspace();
    await create(id);
    const second = await create(id);
    expect(second.data.attributes).toMatchObject({
      status: 'pending',
      actions: { 'is-cancelable': true, 'is-discardable': true },
    });
    const locked = await readyWorkspace();
    await app.post(`workspaces/${locked}/actions/lock`, acme.owner.token);
    const waiting = await create(locked);
    expect(waiting.data.attributes.status).toBe('pending');
    const currentRun = async () =>
      (await app.get(`workspaces/${locked}`, acme.owner.token)).data.relationships['current-run'].data;
    // By that command lines see that it is the lock, and not another run, that is waited for.
    expect(await currentRun()).toEqual({ type: 'runs', id: waiting.data.id });
    const next = (await create(locked)).data.id;
    expect(await currentRun()).toEqual({ type: 'runs', id: waiting.data.id });
    await app.post(`runs/${waiting.data.id}/actions/cancel`, acme.owner.token);
    expect(await currentRun()).toEqual({ type: 'runs', id: next });
    await app.post(`workspaces/${locked}/actions/unlock`, acme.owner.token);
    expect((await app.get(`runs/${next}`, acme.owner.token)).data.attributes.status).toBe('plan_queued');
  });

  test('that only plans, or saves its plan, is queued beside others and locks nothing', async () => {
    const id = await readyWorkspace();
    const planOnly = await create(id, { 'plan-only': true, 'terraform-version': '1.8.0' });
    const saved = await create(id, { 'save-plan': true });
    expect([planOnly, saved].map(({ data }) => data.attributes.status)).toEqual(['plan_queued', 'plan_queued']);
    expect(planOnly.data.attributes['terraform-version']).toBe('1.8.0');
    expect(planOnly.data.relationships.apply.data).toBe(null);
    const shown = (await app.get(`workspaces/${id}`, acme.owner.token)).data;
    expect(shown.attributes.locked).toBe(false);
    expect(shown.relationships['current-run'].data).toBe(null);
  });

  test('of a speculative configuration version only plans', async () => {
    const id = await workspace(app, acme, { auto_apply: true });
    const version = await configurationVersion(app, acme, id, { speculative: true });
    const { data } = await create(id, { 'auto-apply': true }, acme.owner.token, version);
    expect(data.attributes).toMatchObject({ 'plan-only': true, 'auto-apply': false });
  });

  test('of a version of another workspace outlives that workspace', async () => {
    const [id, source] = [await workspace(app, acme), await workspace(app, acme)];
    const version = await configurationVersion(app, acme, source);
    const { status, data } = await create(id, {}, acme.owner.token, version);
    expect([status, data.relationships['configuration-version'].data.id]).toEqual([201, version]);
    await app.delete(`workspaces/${source}`, acme.owner.token);
    const shown = (await app.get(`runs/${data.id}`, acme.owner.token)).data;
    expect(shown.relationships['configuration-version'].data).toBe(null);
  });

  test('takes auto-apply from the workspace unless it says', async () => {
    const id = await readyWorkspace({ auto_apply: true });
    expect((await create(id)).data.attributes['auto-apply']).toBe(true);
    expect((await create(id, { 'auto-apply': false })).data.attributes['auto-apply']).toBe(false);
  });

  test.each([
    ['terraform+cloud', 'the cloud block', { 'terraform-version': '1.11.4', 'x-terraform-integration': 'cloud' }],
    ['terraform', 'the backend remote', { 'terraform-version': '1.11.4' }],
  ])('has the source %s where %s of a command line made it', async (source, _, headers) => {
    const id = await readyWorkspace();
    const body = bodyOf('runs', {}, inWorkspace(id));
    const { data } = await app.call('POST', 'runs', { token: acme.owner.token, headers, body });
    expect(data.attributes).toMatchObject({ source, message: 'Queued manually from the command line' });
  });

  test('holds its own variables sealed, and shows them to who may read it', async () => {
    const id = await readyWorkspace();
    const { data } = await create(id, { variables: [{ key: 'password', value: 'very secret' }] });
    expect(data.attributes.variables).toEqual([{ key: 'password', value: 'very secret' }]);
    const [row] = await app.store.read`select runs::text as whole from runs where runs.id = ${data.id}`;
    expect(row!['whole']).not.toContain('password');
    await app.store.read`
      update runs set variables = ${app.store.read.json([{ key: 'open', value: 'of old' }])} where runs.id = ${data.id}`;
    const shown = await app.get(`runs/${data.id}`, acme.owner.token);
    expect(shown.data.attributes.variables).toEqual([{ key: 'open', value: 'of old' }]);
  });

  test('keeps the values of its variables out of the audit', async () => {
    const id = await readyWorkspace();
    const { data } = await create(id, { variables: [{ key: 'password', value: 'very secret' }] });
    const [event] = await app.store.read`
      select audit_events.action, audit_events.changes::text as changes from audit_events
      where audit_events.resource_id = ${data.id}`;
    expect(event!['action']).toBe('runs.create');
    expect(event!['changes']).not.toContain('very secret');
  });
});

describe('a run that cannot be', () => {
  test('without a workspace → 422 at the relationship', async () => {
    const { status, pointers } = await app.post('runs', acme.owner.token, bodyOf('runs', {}));
    expect([status, pointers]).toEqual([422, ['/data/relationships/workspace']]);
    const empty = await app.post('runs', acme.owner.token, bodyOf('runs', {}, { workspace: { data: null } }));
    expect([empty.status, empty.pointers]).toEqual([422, ['/data/relationships/workspace']]);
  });

  test('of a version that is missing, not uploaded, or not readable → 422', async () => {
    const bare = await workspace(app, acme);
    const other = await workspace(app, acme);
    const rival = await organization(app);
    const foreign = await configurationVersion(app, rival, await workspace(app, rival));
    const pending = await configurationVersion(app, acme, other, { status: 'pending' });
    const answers = [await create(bare), await create(bare, {}, acme.owner.token, foreign)];
    answers.push(await create(other, {}, acme.owner.token, pending));
    expect(answers.map(({ status, pointers }) => [status, ...pointers])).toEqual(
      answers.map(() => [422, '/data/relationships/configuration-version']),
    );
  });

  test('§4.2 local means state storage only: no runs → 422', async () => {
    const id = await readyWorkspace({ overwrites_execution_mode: true, execution_mode: 'local' });
    const { status, pointers } = await create(id);
    expect([status, pointers]).toEqual([422, ['/data/relationships/workspace']]);
  });

  test('that contradicts itself → 422, every fault at once', async () => {
    const id = await readyWorkspace({ allow_destroy_plan: false });
    const { status, pointers } = await create(id, {
      'is-destroy': true,
      'refresh-only': true,
      'terraform-version': '1.8.0',
    });
    expect(status).toBe(422);
    expect(pointers.sort()).toEqual(
      ['refresh-only', 'is-destroy', 'terraform-version'].map(name => `/data/attributes/${name}`).sort(),
    );
    const saved = await create(id, { 'save-plan': true, 'plan-only': true });
    expect(saved.pointers).toEqual(['/data/attributes/save-plan']);
  });
});

describe('§5.4 who may', () => {
  test.each([
    ['read', {}, 404],
    ['plan', {}, 201],
    ['plan', { 'auto-apply': true }, 404],
    ['plan', { 'is-destroy': true }, 404],
    ['plan', { 'is-destroy': true, 'plan-only': true }, 201],
    ['write', { 'auto-apply': true, 'is-destroy': true }, 201],
  ] as const)('%s access creates %j → %i', async (level, attributes, status) => {
    const id = await readyWorkspace();
    const teamId = await team(app, acme);
    await workspaceAccess(app, teamId, id, level);
    const { token } = await member(app, acme, teamId);
    expect((await create(id, attributes, token)).status).toBe(status);
  });

  test('someone who may only queue plans never makes a run that applies itself', async () => {
    const id = await readyWorkspace({ auto_apply: true });
    const teamId = await team(app, acme);
    await workspaceAccess(app, teamId, id, 'plan');
    const { token } = await member(app, acme, teamId);
    expect((await create(id, {}, token)).data.attributes['auto-apply']).toBe(false);
  });

  test('the owner of another organization neither creates, nor sees, nor lists → 404', async () => {
    const rival = await organization(app);
    const id = await readyWorkspace();
    const runId = await run(app, acme, id);
    const { token } = rival.owner;
    expect((await create(id, {}, token)).status).toBe(404);
    const paths = [`runs/${runId}`, `workspaces/${id}/runs`, `organizations/${acme.name}/runs`];
    for (const path of paths) expect((await app.get(path, token)).status).toBe(404);
    expect((await app.get(`organizations/${rival.name}/runs`, token)).data).toEqual([]);
  });
});

test('an archive and a run of the same version at once: one of the two, never a run without content', async () => {
  for (let round = 0; round < 10; round += 1) {
    const [id, source] = [await workspace(app, acme), await workspace(app, acme)];
    const version = await configurationVersion(app, acme, source);
    await configurationVersion(app, acme, source);
    const answers = await Promise.all([
      create(id, {}, acme.owner.token, version),
      app.post(`configuration-versions/${version}/actions/archive`, acme.owner.token),
    ]);
    expect([
      [201, 409],
      [422, 202],
    ]).toContainEqual(answers.map(({ status }) => status));
  }
});

test('two runs created at once: exactly one holds the workspace, the other waits', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = await readyWorkspace();
    const made = await Promise.all([create(id), create(id), create(id)]);
    const statuses = made.map(({ data }) => data.attributes.status).sort();
    expect(statuses).toEqual(['pending', 'pending', 'plan_queued']);
    const shown = (await app.get(`workspaces/${id}`, acme.owner.token)).data;
    const holder = made.find(({ data }) => data.attributes.status === 'plan_queued')!.data.id;
    expect(shown.relationships['locked-by'].data.id).toBe(holder);
  }
});
