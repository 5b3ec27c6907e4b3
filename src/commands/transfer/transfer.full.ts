// Two servers of this API, and an organization that goes from one to the other as it does on the command line.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type Document, openApp, type TestApp } from '../../../test/app.ts';
import { type Receiver, reachable, receiver } from '../../../test/builders/receiver.ts';
import { bodyOf, type Person, person } from '../../../test/builders/records.ts';
import { stateOf } from '../../../test/builders/state.ts';
import { createDirectory } from '../../../test/running/database.ts';
import { remoteServer, type Server } from '../remote/server.ts';
import { seed } from '../seed/seed.ts';
import { compareOrganizations, isSame } from './compare.ts';
import { exportOrganization, folderOrigin } from './folder.ts';
import { type ImportOptions, importOrganization } from './import.ts';
import { type Origin, serverOrigin } from './origin.ts';
import { asMarkdown } from './report.ts';

// Each moves an organization whole, some of them three times.
vi.setConfig({ testTimeout: 120_000 });

const quiet = () => undefined;
const organization = 'globex';
/** More than are moved at once, and enough to break off in the middle, twice. */
const workspaces = 14;

let source: Side;
let target: Side;
/** Whom runs of both servers are shown to. */
let hook: Receiver;

interface Side {
  app: TestApp;
  administrator: Person;
  server: () => Server;
}

async function openSide(environment: Record<string, string> = {}): Promise<Side> {
  const app = await openApp(environment);
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  const administrator = await person(app, { isAdmin: true });
  const server = () => remoteServer({ address: app.app.listeningOrigin, token: administrator.token });
  return { app, administrator, server };
}

beforeAll(async () => {
  hook = await receiver();
  [source, target] = await Promise.all([openSide(reachable), openSide(reachable)]);
  const plan = { organization, teams: 6, workspaces, seed: '1' };
  await seed(source.app.store, source.administrator, plan);
  await furnish(source);
});

afterAll(async () => {
  await source.app.close();
  await target.app.close();
  hook.close();
});

const origin = (side: Side = source, name = organization) => serverOrigin(side.server(), name, 4);

const options = (as: string, given: Partial<ImportOptions> = {}): ImportOptions => ({
  server: target.server(),
  organization: as,
  email: 'admin@globex.example',
  states: 'all',
  keepsIds: false,
  isDry: false,
  parallel: 4,
  onProgress: quiet,
  ...given,
});

const compared = (as: string, states: 'all' | 'current' | 'none' = 'all') =>
  compareOrganizations(origin(), origin(target, as), { states, parallel: 4, onProgress: quiet });

/** What `seed` does not make: connections, variables, states, and whom workspaces know. */
async function furnish({ app, administrator: { token } }: Side): Promise<void> {
  const path = `organizations/${organization}`;
  const ask = async (method: string, at: string, body?: unknown) => {
    const answer = await app.call(method, at, { token, body });
    expect([at, answer.status, answer.problems]).toEqual([at, expect.toSatisfy(status => status < 300), []]);
    return answer.data;
  };
  const all = await ask('GET', `${path}/workspaces?page[size]=100&sort=name`);
  const [, project] = await ask('GET', `${path}/projects`);
  const [first, second, third] = all;
  const reference = ({ id, type }: { id: string; type: string }) => ({ data: { id, type } });
  const references = (...records: { id: string; type: string }[]) => ({
    data: records.map(one => reference(one).data),
  });
  const client = await ask(
    'POST',
    `${path}/oauth-clients`,
    bodyOf('oauth-clients', {
      'service-provider': 'github',
      'http-url': 'https://github.com',
      'api-url': 'https://api.github.com',
      'oauth-token-string': 'the secret of a connection',
    }),
  );
  const pool = await ask(
    'POST',
    `${path}/agent-pools`,
    bodyOf(
      'agent-pools',
      { name: 'runners', 'organization-scoped': false },
      { 'allowed-workspaces': references(first) },
    ),
  );
  const key = await ask('POST', `${path}/ssh-keys`, bodyOf('ssh-keys', { name: 'deploy', value: 'a private key' }));
  await ask('POST', `${path}/reserved-tag-keys`, bodyOf('reserved-tag-keys', { key: 'cost-center' }));
  const region = { type: 'vars', attributes: { key: 'REGION', value: 'eu', category: 'env' } };
  const links = { workspaces: references(first, second), projects: references(project), vars: { data: [region] } };
  await ask('POST', `${path}/varsets`, bodyOf('varsets', { name: 'some' }, links));
  await ask('POST', `${path}/varsets`, bodyOf('varsets', { name: 'owned' }, { parent: reference(project) }));
  await ask('PATCH', path, bodyOf('organizations', { 'default-global-remote-state': true }));

  const changes = {
    'execution-mode': 'agent',
    'agent-pool-id': pool.id,
    'working-directory': 'live',
    'auto-apply': true,
  };
  await ask('PATCH', `workspaces/${first.id}`, bodyOf('workspaces', changes));
  const repository = {
    identifier: 'globex/network',
    'oauth-token-id': client.relationships['oauth-tokens'].data[0].id,
  };
  const own = { 'vcs-repo': repository, 'global-remote-state': false };
  await ask('PATCH', `workspaces/${second.id}`, bodyOf('workspaces', own));
  await ask('POST', `workspaces/${second.id}/relationships/remote-state-consumers`, references(first, third));
  await ask(
    'POST',
    `workspaces/${first.id}/run-triggers`,
    bodyOf('run-triggers', {}, { sourceable: reference(third) }),
  );
  await ask('PATCH', `workspaces/${third.id}/relationships/ssh-key`, bodyOf('workspaces', { id: key.id }));
  const policy = bodyOf('data-retention-policy-delete-olders', { 'delete-older-than-n-days': 30 });
  await ask('POST', `workspaces/${third.id}/relationships/data-retention-policy`, policy);
  await addReceivers(ask, path, [first, second]);
  await tellOthers(ask, path, project.id);
  for (const { id } of [first, second]) {
    const sensitive = { key: 'TOKEN', value: 'a secret value', category: 'env', sensitive: true };
    await ask('POST', `workspaces/${id}/vars`, bodyOf('vars', sensitive));
    await ask(
      'POST',
      `workspaces/${id}/vars`,
      bodyOf('vars', { key: 'size', value: '[3]', category: 'terraform', hcl: true }),
    );
    await addStates(ask, id);
  }
}

type Ask = (method: string, at: string, body?: unknown) => Promise<Document>;

async function addReceivers(ask: Ask, path: string, [first, second]: { id: string }[]) {
  const task = {
    name: 'scan',
    url: hook.url,
    category: 'task',
    description: 'Looks for holes',
    'hmac-key': 'the secret of a task',
  };
  const { id } = await ask('POST', `${path}/tasks`, bodyOf('tasks', task));
  const related = { task: { data: { type: 'tasks', id } } };
  const uses = [
    { 'enforcement-level': 'mandatory', stages: ['pre_plan', 'post_plan'] },
    { 'enforcement-level': 'advisory', stages: ['post_apply'] },
  ];
  for (const [position, at] of [first, second].entries())
    await ask('POST', `workspaces/${at!.id}/tasks`, bodyOf('workspace-tasks', uses[position]!, related));
  const users = { users: { data: [{ type: 'users', id: source.administrator.id }] } };
  const generic = { 'destination-type': 'generic', name: 'operations', url: hook.url, token: 'the secret of a hook' };
  const letters = { 'destination-type': 'email', name: 'letters', 'email-addresses': ['duty@globex.example'] };
  const told: [object, object?][] = [
    [{ ...generic, enabled: true, triggers: ['run:errored', 'run:created'] }],
    // Names need not differ.
    [{ 'destination-type': 'slack', name: 'operations', url: hook.url, enabled: false, triggers: [] }],
    [{ ...letters, enabled: true, triggers: ['run:needs_attention'] }, users],
  ];
  for (const [attributes, links] of told) {
    const at = `workspaces/${first!.id}/notification-configurations`;
    await ask('POST', at, bodyOf('notification-configurations', attributes, links ?? {}));
  }
}

/** Projects are told of their workspaces, and teams of what waits for them. */
async function tellOthers(ask: Ask, path: string, project: string) {
  const [team] = (await ask('GET', `${path}/teams`)).filter((one: Document) => one.attributes.name !== 'owners');
  const generic = { 'destination-type': 'generic', name: 'operations', url: hook.url, enabled: true };
  const told = [
    [`projects/${project}`, 'run:errored'],
    [`teams/${team.id}`, 'change_request:created'],
  ];
  for (const [of, trigger] of told) {
    const attributes = { ...generic, triggers: [trigger] };
    await ask('POST', `${of}/notification-configurations`, bodyOf('notification-configurations', attributes));
  }
}

async function addStates(ask: Ask, id: string) {
  await ask('POST', `workspaces/${id}/actions/lock`, {});
  for (const serial of [1, 2, 5]) {
    const state = stateOf({ serial, lineage: `lineage of ${id}`, outputs: { name: { value: id, type: 'string' } } });
    const md5 = createHash('md5').update(state).digest('hex');
    const attributes = { serial, md5, lineage: `lineage of ${id}`, state: state.toString('base64') };
    await ask('POST', `workspaces/${id}/state-versions`, bodyOf('state-versions', attributes));
  }
  await ask('POST', `workspaces/${id}/actions/unlock`);
}

test('import: everything comes by the rules of requests, and compare finds no difference', async () => {
  const report = await importOrganization(origin(), options('whole'));
  expect(report.failed).toEqual([]);
  expect(report.counts['workspaces']).toEqual({ made: workspaces, changed: 0, unchanged: 0, failed: 0 });
  expect(report.states).toBe(6);
  const comparison = await compared('whole');
  // The one who imported owns the new organization.
  expect(comparison.onlyTo).toEqual([{ kind: 'members', name: target.administrator.email }]);
  expect([comparison.different, comparison.onlyFrom, comparison.unknown]).toEqual([[], [], []]);
  expect(comparison).toMatchObject({ states: 6, compared: { teams: 7, 'variable sets': 2, workspaces } });
  expect(comparison.compared).toMatchObject({ 'notifications of projects': 1, 'notifications of teams': 1 });

  const { data } = await target.app.get(
    'organizations/whole/audit-events?filter[action]=workspaces.create',
    target.administrator.token,
  );
  expect(data.length).toBeGreaterThan(0);
});

test('import: the report names new ids, and what has to be filled in by hand', async () => {
  const report = await importOrganization(origin(), options('reported'));
  const { data: team } = await target.app.get(
    `teams/${report.ids.find(({ type }) => type === 'teams')!.to}`,
    target.administrator.token,
  );
  expect(report.ids).toContainEqual(
    expect.objectContaining({ type: 'teams', name: team.attributes.name, to: team.id }),
  );
  // Seeded workspaces name connections that nobody ever made.
  const toFill = report.toFill.filter(({ what }) => !what.startsWith('repository example/'));
  expect(toFill.map(({ kind, what }) => `${kind}: ${what}`).sort()).toEqual([
    'SSH keys: value',
    'agent pools: tokens',
    'connections to version control: token and secret',
    'notifications of projects: token of notification operations',
    'notifications of teams: token of notification operations',
    'run tasks: HMAC key',
    'workspaces: token of notification operations',
    'workspaces: variable env TOKEN',
    'workspaces: variable env TOKEN',
  ]);
  expect(asMarkdown(report)).toContain(`| workspaces | ${workspaces} | 0 | 0 | 0 |`);
});

test('import: broken off twice, it goes on where it was, and takes no lock along', async () => {
  const breakingOff = (at: number) => (done: number, _total: number, what: string) => {
    if (what === 'workspaces' && done === at) throw new Error('broken off');
  };
  for (const at of [3, 10]) {
    const broken = importOrganization(origin(), options('resumed', { onProgress: breakingOff(at) }));
    await expect(broken).rejects.toThrow('broken off');
  }
  const report = await importOrganization(origin(), options('resumed'));
  expect(report.failed).toEqual([]);
  expect(report.counts['workspaces']!.unchanged).toBeGreaterThanOrEqual(10);
  const comparison = await compared('resumed');
  expect([comparison.different, comparison.onlyFrom]).toEqual([[], []]);
  const { data } = await target.app.get('organizations/resumed/workspaces?page[size]=100', target.administrator.token);
  expect(data.filter((workspace: { attributes: { locked: boolean } }) => workspace.attributes.locked)).toEqual([]);
});

test('import: broken off under the lock of a state, it goes on and opens the lock', async () => {
  const broken: Origin = {
    ...origin(),
    states: async (workspace, which) => {
      const states = await reading.states(workspace, which);
      const dies = () => Promise.reject(new Error('broken off'));
      return states.map((state, position) => (position === 1 ? { ...state, fetch: dies } : state));
    },
  };
  const reading = origin();
  await expect(importOrganization(broken, options('locked'))).rejects.toThrow('broken off');
  const report = await importOrganization(origin(), options('locked'));
  expect(report.failed).toEqual([]);
  expect((await compared('locked')).different).toEqual([]);
});

test('import: ids are kept where they are free, and named in the report where they are not', async () => {
  const all = await importOrganization(origin(), options('kept', { keepsIds: true, states: 'none' }));
  expect([all.failed, all.ids]).toEqual([[], [expect.objectContaining({ type: 'projects' }), expect.anything()]]);
  const { data } = await source.app.get('organizations/globex/workspaces?sort=name', source.administrator.token);
  const { data: same } = await target.app.get(`workspaces/${data[0].id}`, target.administrator.token);
  expect(same.attributes.name).toBe(data[0].attributes.name);
  const second = await importOrganization(origin(), options('kept-again', { keepsIds: true, states: 'none' }));
  expect(second.failed).toEqual([]);
  expect(second.ids.filter(({ type }) => type === 'workspaces')).toHaveLength(workspaces);
});

test('import: a second call changes nothing, and keeps what was filled in by hand', async () => {
  await importOrganization(origin(), options('twice'));
  const { token } = target.administrator;
  const { data: all } = await target.app.get('organizations/twice/workspaces?sort=name', token);
  const { data: vars } = await target.app.get(`workspaces/${all[0].id}/vars`, token);
  const sensitive = vars.find((one: { attributes: { key: string } }) => one.attributes.key === 'TOKEN');
  await target.app.patch(`workspaces/${all[0].id}/vars/${sensitive.id}`, token, bodyOf('vars', { value: 'filled in' }));
  const before = await target.app.store.read<{ count: string }[]>`select count(*) from audit_events`;
  const report = await importOrganization(origin(), options('twice'));
  expect(report.counts['workspaces']).toEqual({ made: 0, changed: 0, unchanged: workspaces, failed: 0 });
  expect(await target.app.store.read`select count(*) from audit_events`).toEqual(before);
});

test('import: receivers that ask for a signature are made turned off and named, and stay so until somebody turns them on', async () => {
  hook.answer(401);
  onTestFinished(() => hook.answer(200));
  const report = await importOrganization(origin(), options('unsigned', { states: 'none' }));
  const turnedOff = ({ why }: { why: string }) => why.startsWith('made, but turned off');
  expect(report.failed).toEqual([]);
  expect(report.toFill.filter(turnedOff).map(({ what, why }) => [what, why.includes('401')])).toEqual([
    ['the task', true],
    ['notification operations', true],
    ['notification operations', true],
    ['notification operations', true],
  ]);
  const off = (await compared('unsigned', 'current')).different.filter(({ kind }) => kind !== 'states');
  expect(off.map(({ kind, path, to }) => [kind, path, to])).toEqual([
    ['run tasks', 'attributes.enabled', false],
    ['notifications of projects', 'operations.enabled', false],
    ['notifications of teams', 'operations.enabled', false],
    ['workspaces', 'notifications.operations.enabled', false],
  ]);

  const asked = hook.received.length;
  const again = await importOrganization(origin(), options('unsigned', { states: 'none' }));
  expect([again.failed, again.toFill.filter(({ why }) => why.startsWith('it is off here')).length]).toEqual([[], 4]);
  expect(hook.received).toHaveLength(asked);

  hook.answer(200);
  const { token } = target.administrator;
  const { data: tasks } = await target.app.get('organizations/unsigned/tasks?include=workspace_tasks', token);
  const on = bodyOf('tasks', { enabled: true, 'hmac-key': 'a key' });
  expect((await target.app.patch(`tasks/${tasks[0].id}`, token, on)).status).toBe(200);
  const rest = await compared('unsigned', 'none');
  expect(rest.different.map(({ kind }) => kind)).toEqual([
    'notifications of projects',
    'notifications of teams',
    'workspaces',
  ]);
});

test('import: a changed run task or notification is changed, and nothing is tried where only words changed', async () => {
  await importOrganization(origin(), options('following', { states: 'none' }));
  const { token } = target.administrator;
  const { data: tasks } = await target.app.get('organizations/following/tasks', token);
  await target.app.patch(`tasks/${tasks[0].id}`, token, bodyOf('tasks', { description: 'Something else' }));
  const { data: all } = await target.app.get('organizations/following/workspaces?sort=name', token);
  const { data: uses } = await target.app.get(`workspaces/${all[0].id}/tasks`, token);
  const use = bodyOf('workspace-tasks', { 'enforcement-level': 'advisory', stages: ['pre_apply'] });
  await target.app.patch(`workspaces/${all[0].id}/tasks/${uses[0].id}`, token, use);
  const { data: told } = await target.app.get(`workspaces/${all[0].id}/notification-configurations`, token);
  const other = bodyOf('notification-configurations', { triggers: ['run:completed'] });
  await target.app.patch(`notification-configurations/${told[0].id}`, token, other);
  expect((await compared('following', 'none')).different).toHaveLength(4);

  hook.received.length = 0;
  const report = await importOrganization(origin(), options('following', { states: 'none' }));
  expect([report.failed, hook.received]).toEqual([[], []]);
  expect((await compared('following', 'none')).different).toEqual([]);
});

test('import: a dry run says what would come, and changes nothing', async () => {
  const report = await importOrganization(origin(), options('dry', { isDry: true }));
  expect(report.counts['workspaces']).toEqual({ made: workspaces, changed: 0, unchanged: 0, failed: 0 });
  expect([report.failed, report.states]).toEqual([[], 6]);
  expect((await target.app.get('organizations/dry', target.administrator.token)).status).toBe(404);
});

test('import: one record that is refused is reported, and the others come', async () => {
  await importOrganization(origin(), options('stubborn', { states: 'none' }));
  const { token } = target.administrator;
  const { data: all } = await target.app.get('organizations/stubborn/workspaces?sort=name', token);
  await target.app.post(`workspaces/${all[0].id}/actions/lock`, token, { reason: 'mine' });
  const report = await importOrganization(origin(), options('stubborn'));
  expect(report.failed).toEqual([
    expect.objectContaining({ kind: 'workspaces', name: all[0].attributes.name, why: expect.stringContaining('409') }),
  ]);
  expect(report.states).toBe(3);
});

test('import: a token that is refused ends it at once', async () => {
  const server = remoteServer({ address: target.app.app.listeningOrigin, token: 'no token of anybody' });
  await expect(importOrganization(origin(), options('refused', { server }))).rejects.toThrow('401');
});

test('import: a source that limits requests is waited for', async () => {
  const slow = await openSide({ TERRANE_RATE_LIMIT: '30' });
  onTestFinished(() => slow.app.close());
  await seed(slow.app.store, slow.administrator, { organization, teams: 2, workspaces: 12, seed: '2' });
  const server = slow.server();
  const report = await importOrganization(serverOrigin(server, organization, 8), options('waited'));
  expect(report.failed).toEqual([]);
  expect(report.counts['workspaces']!.made).toBe(12);
});

test('export: a folder that only its owner reads, and that import takes', async () => {
  const folder = join(createDirectory(), 'acme');
  const counts = await exportOrganization(origin(), folder, { states: 'all', parallel: 4, onProgress: quiet });
  expect(counts).toEqual({ workspaces, states: 6 });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const [someone = ''] = readdirSync(join(folder, 'states'));
  expect(readdirSync(join(folder, 'states', someone)).sort()).toEqual(['1.tfstate', '2.tfstate', '5.tfstate']);
  const report = await importOrganization(await folderOrigin(folder), options('unfolded'));
  expect(report.failed).toEqual([]);
  const comparison = await compared('unfolded');
  expect([comparison.different, comparison.onlyFrom]).toEqual([[], []]);
});

test('export: a folder that was not finished is refused', async () => {
  const folder = createDirectory();
  mkdirSync(join(folder, 'workspaces'));
  writeFileSync(join(folder, 'teams.json'), '[]');
  await expect(folderOrigin(folder)).rejects.toThrow('Is it a whole export?');
});

test('compare: finds what differs, what is missing, what is more, and another state', async () => {
  await importOrganization(origin(), options('changed', { states: 'current' }));
  const { token } = target.administrator;
  const { data: all } = await target.app.get('organizations/changed/workspaces?sort=name', token);
  await target.app.patch(`workspaces/${all[0].id}`, token, bodyOf('workspaces', { description: 'other' }));
  await target.app.delete(`workspaces/${all[3].id}`, token);
  await target.app.post('organizations/changed/teams', token, bodyOf('teams', { name: 'more' }));
  const comparison = await compared('changed');
  expect(isSame(comparison)).toBe(false);
  const paths = comparison.different.map(({ kind, path }) => `${kind} ${path}`);
  expect(paths).toContain('workspaces attributes.description');
  expect(paths.filter(path => path.startsWith('states'))).toEqual(Array(4).fill(expect.stringMatching(/serial [12]$/)));
  expect(comparison.onlyFrom).toContainEqual({ kind: 'workspaces', name: all[3].attributes.name });
  expect(comparison.onlyTo).toContainEqual({ kind: 'teams', name: 'more' });
  expect((await compared('changed', 'current')).different.map(({ kind }) => kind)).toEqual(['workspaces']);
});

test('import: the token of a server goes to no other address, even if its documents name one', async () => {
  const seen: (string | undefined)[] = [];
  const stranger = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end('a state');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void stranger.close());
  await new Promise(resolve => stranger.once('listening', resolve));
  const { port } = stranger.address() as AddressInfo;
  const bytes = await source.server().download(`http://127.0.0.1:${port}/state`, 100);
  expect([bytes.toString(), seen]).toEqual(['a state', [undefined]]);
  await expect(source.server().download(`http://127.0.0.1:${port}/state`, 3)).rejects.toThrow('longer than 3 bytes');
});

test('import: no secret of the source is in the report or in an export', async () => {
  const folder = createDirectory();
  await exportOrganization(origin(), folder, { states: 'none', parallel: 4, onProgress: quiet });
  const report = await importOrganization(await folderOrigin(folder), options('silent', { states: 'none' }));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const texts = files.map(file => readFileSync(join(file.parentPath, file.name), 'utf8'));
  for (const text of [JSON.stringify(report), ...texts])
    expect(text).not.toMatch(/a secret value|a private key|the secret of/);
});
