/** Kept rows: a server that read a workspace before answers what a server answers that never did. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, TestApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  type Person,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { move, run } from '../../../test/builders/run.ts';
import { stateClient, stateOf } from '../../../test/builders/state.ts';
import { agentPool, oauthConnection, project, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import { openPair, type Pair } from '../../../test/running/pair.ts';

let pair: Pair;
let acme: TestOrganization;
/** What `one` keeps; the changes come by `two`, which answers by what it kept of them, and again when it has forgotten that. */
let one: TestApp;
let two: TestApp;
let id: string;
beforeAll(async () => {
  pair = await openPair();
  ({ one, two } = pair);
  acme = await organization(one);
  id = await workspace(one, acme, { name: 'kept' });
});
afterAll(() => pair.close());

const owner = () => acme.owner.token;
const path = () => `workspaces/${id}`;
const identifiers = (type: string, ...ids: string[]) => ({ data: ids.map(one => ({ type, id: one })) });
const made = async (answer: Promise<Answer>): Promise<string> => accepted(await answer).data.id;

function accepted(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(answer.text);
  return answer;
}

/** The workspace by id, by name and in the list, as three texts. */
async function documents(app: TestApp, token: string): Promise<string[]> {
  const list = `organizations/${acme.name}/workspaces`;
  const { name } = (await app.get(path(), token)).data.attributes;
  const answers = [await app.get(path(), token), await app.get(`${list}/${name}`, token)];
  const listed = (await app.get(`${list}?search[name]=${name}`, token)).document.data;
  return [...answers.map(({ data }) => JSON.stringify(data)), JSON.stringify(listed[0])];
}

/** Of one change: that all documents show it, and that they are those of a server that kept nothing. */
async function expectShown(name: string, change: () => Promise<unknown>, token = owner()): Promise<void> {
  const before = await documents(one, token);
  await change();
  const byWhoChangedIt = await documents(two, token);
  two.store.read.kept!.forget();
  const after = await documents(one, token);
  expect(after, name).toEqual(await documents(two, token));
  expect(byWhoChangedIt, name).toEqual(after);
  expect(after[0], name).not.toBe(before[0]);
  expect(new Set(after), name).toHaveProperty('size', 1);
}

test('§4.2, §3 its own settings and its lock', async () => {
  const update = (attributes: object) => async () =>
    accepted(await two.patch(path(), owner(), bodyOf('workspaces', attributes)));
  await expectShown('name', update({ name: 'kept-on' }));
  await expectShown('description', update({ description: 'changed' }));
  const act = (action: string) => async () =>
    accepted(await two.post(`${path()}/actions/${action}`, owner(), { reason: 'r' }));
  await expectShown('lock', act('lock'));
  await expectShown('unlock', act('unlock'));
  await act('lock')();
  await expectShown('force-unlock', act('force-unlock'));
});

test('§4.2 the answer to a change is what a server shows that kept nothing, whatever was changed and by whom', async () => {
  const own = await workspace(one, acme);
  const address = `workspaces/${own}`;
  const writers = await team(one, acme);
  const writer = await member(one, acme, writers);
  await workspaceAccess(one, writers, own, 'admin');
  const pool = await agentPool(one, acme);
  const settings: object[] = [
    { 'auto-apply': true, 'auto-apply-run-trigger': true, 'queue-all-runs': true },
    { 'auto-destroy-at': '2030-01-02T03:04:05.060Z' },
    { 'auto-destroy-activity-duration': '14d' },
    { 'inherits-project-auto-destroy': true },
    {
      description: 'ä "quoted" \\ {braces}',
      'working-directory': 'live/prod',
      'source-name': 'a',
      'source-url': 'https://a.b',
    },
    { 'trigger-prefixes': ['a', 'b, c'], 'file-triggers-enabled': true },
    { 'trigger-prefixes': [], 'trigger-patterns': ['**/*.tf'] },
    { 'execution-mode': 'agent', 'agent-pool-id': pool },
    { 'execution-mode': 'local' },
    { 'setting-overwrites': { 'execution-mode': false, 'agent-pool': false } },
    { 'global-remote-state': true },
    { 'allow-destroy-plan': false, 'speculative-enabled': false, 'assessments-enabled': true },
    { name: 'kept-anew', 'engine-version': '1.9.0' },
    { description: null },
  ];
  for (const attributes of settings) {
    // Each second one changes what the one before left, which is known then.
    for (const token of [owner(), owner(), writer.token, writer.token]) {
      const { data } = accepted(await two.patch(address, token, bodyOf('workspaces', attributes)));
      one.store.read.kept!.forget();
      expect(data, JSON.stringify(attributes)).toEqual((await one.get(address, token)).data);
    }
  }
});

test('§4.6 its tags, from every side', async () => {
  const tags = `${path()}/relationships/tags`;
  const named = (...names: string[]) => ({ data: names.map(name => ({ type: 'tags', attributes: { name } })) });
  await expectShown('add', async () => accepted(await two.post(tags, owner(), named('a', 'b'))));
  await expectShown('remove', async () => accepted(await two.delete(tags, owner(), named('a'))));
  const ids = async () =>
    (await two.get(`organizations/${acme.name}/tags`, owner())).data.map((tag: { id: string }) => tag.id);
  const other = await workspace(two, acme);
  accepted(await two.post(`workspaces/${other}/relationships/tags`, owner(), named('far')));
  const far = (await two.get(`organizations/${acme.name}/tags?q=far`, owner())).data[0].id;
  const onto = `tags/${far}/relationships/workspaces`;
  await expectShown('from the tag', async () => accepted(await two.post(onto, owner(), identifiers('workspaces', id))));
  await expectShown('gone from the organization', async () =>
    accepted(await two.delete(`organizations/${acme.name}/tags`, owner(), identifiers('tags', ...(await ids())))),
  );
});

test('§2.2 its variables, its retention policy and its key', async () => {
  let variable: string;
  await expectShown('new variable', async () => {
    variable = await made(two.post(`${path()}/vars`, owner(), bodyOf('vars', { key: 'k', category: 'env' })));
  });
  await expectShown('no variable', async () => accepted(await two.delete(`${path()}/vars/${variable}`, owner())));
  const retention = `${path()}/relationships/data-retention-policy`;
  const policy = (type: string, attributes: object) => async () =>
    accepted(await two.post(retention, owner(), bodyOf(type, attributes)));
  await expectShown('policy', policy('data-retention-policy-delete-olders', { 'delete-older-than-n-days': 9 }));
  await expectShown('another policy', policy('data-retention-policy-dont-deletes', {}));
  await expectShown('no policy', async () => accepted(await two.delete(retention, owner())));
  const keys = `organizations/${acme.name}/ssh-keys`;
  const key = await made(two.post(keys, owner(), bodyOf('ssh-keys', { name: 'k', value: 'secret' })));
  const assign = () => two.patch(`${path()}/relationships/ssh-key`, owner(), bodyOf('workspaces', { id: key }));
  await expectShown('key', async () => accepted(await assign()));
  await expectShown('key deleted', async () => accepted(await two.delete(`ssh-keys/${key}`, owner())));
});

test('§2.2 its state, configuration and runs', async () => {
  const client = stateClient(two, id, owner());
  await client.lock();
  const state = stateOf({ serial: 1, resources: 3, outputs: { answer: { value: 42, type: 'number' } } });
  await expectShown('state', async () => accepted(await client.push(state, { serial: 1 })));
  await expectShown('current state', async () => accepted(await client.unlock()));
  const configuration = bodyOf('configuration-versions', { 'auto-queue-runs': false });
  await expectShown('configuration', () => made(two.post(`${path()}/configuration-versions`, owner(), configuration)));
  let begun = '';
  await expectShown('run', async () => {
    begun = await run(two, acme, id);
  });
  await expectShown('discarded run', () => move(two, begun, 'planning', 'planned', 'discarded'));
  const next = await run(two, acme, id);
  await expectShown('metrics', () =>
    move(two, next, 'planning', 'planned', 'confirmed', 'apply_queued', 'applying', 'applied'),
  );
});

test('§2.2 what it takes from its project, its organization and its connection', async () => {
  const pool = await agentPool(two, acme);
  const organizationPath = `organizations/${acme.name}`;
  const update = (target: string, type: string, attributes: object) => async () =>
    accepted(await two.patch(target, owner(), bodyOf(type, attributes)));
  await expectShown(
    'the organization’s mode',
    update(organizationPath, 'organizations', { 'default-execution-mode': 'local' }),
  );
  await expectShown(
    'the project’s mode',
    update(`projects/${acme.projectId}`, 'projects', {
      'default-execution-mode': 'agent',
      'default-agent-pool-id': pool,
      'setting-overwrites': { 'default-execution-mode': true, 'default-agent-pool': true },
    }),
  );
  await expectShown(
    'the project’s duration',
    update(`projects/${acme.projectId}`, 'projects', { 'auto-destroy-activity-duration': '3d' }),
  );
  const other = await project(two, acme);
  await expectShown('another project', async () =>
    accepted(await two.post(`projects/${other}/relationships/workspaces`, owner(), identifiers('workspaces', id))),
  );
  const { clientId, tokenId } = await oauthConnection(two, acme);
  await expectShown(
    'repository',
    update(path(), 'workspaces', { 'vcs-repo': { identifier: 'acme/infra', 'oauth-token-id': tokenId } }),
  );
  await expectShown('the connection’s name', update(`oauth-clients/${clientId}`, 'oauth-clients', { name: 'Forge' }));
  await expectShown('connection deleted', async () => accepted(await two.delete(`oauth-clients/${clientId}`, owner())));
});

test('§5.4 who may do what is never kept', async () => {
  const admins = await team(two, acme);
  const admin: Person = await member(two, acme, admins);
  expect((await one.get(path(), admin.token)).status).toBe(404);
  await workspaceAccess(two, admins, id, 'read');
  expect((await one.get(path(), admin.token)).data.attributes.permissions['can-update']).toBe(false);
  const [access] = (await two.get(`team-workspaces?filter[workspace][id]=${id}`, owner())).data;
  await expectShown(
    'admin',
    () => two.patch(`team-workspaces/${access.id}`, owner(), bodyOf('team-workspaces', { access: 'admin' })),
    admin.token,
  );
  const forced = bodyOf('organizations', { 'allow-force-delete-workspaces': true });
  await expectShown(
    'force delete',
    async () => accepted(await two.patch(`organizations/${acme.name}`, owner(), forced)),
    admin.token,
  );
  accepted(await two.delete(`team-workspaces/${access.id}`, owner()));
  expect((await one.get(path(), admin.token)).status).toBe(404);
  expect((await one.get(path(), owner())).status).toBe(200);
});

test('§4.3 a name that another workspace has now, and a workspace that is gone', async () => {
  const named = `organizations/${acme.name}/workspaces/reused`;
  const first = await workspace(two, acme, { name: 'reused' });
  expect((await one.get(named, owner())).data.id).toBe(first);
  accepted(await two.delete(`workspaces/${first}`, owner()));
  expect((await one.get(named, owner())).status).toBe(404);
  expect((await one.get(`workspaces/${first}`, owner())).status).toBe(404);
  const second = await workspace(two, acme, { name: 'reused' });
  expect((await one.get(named, owner())).data.id).toBe(second);
  expect((await one.get(named, owner())).data.id).toBe(second);
});

test('§5.5 what is hidden is asked for by the same statements as what is missing, kept or not: the time tells no name', async () => {
  const hidden = await workspace(one, acme, { name: 'hidden' });
  const { token } = await member(one, acme);
  const statements = (method: string, address: string) =>
    one.statementsOf(async () => expect((await one.call(method, address, { token })).status).toBe(404));
  const named = (name: string) => `organizations/${acme.name}/workspaces/${name}`;
  const both = async () => {
    expect(await statements('GET', named('hidden'))).toEqual(await statements('GET', named('nothing')));
    expect(await statements('GET', `workspaces/${hidden}`)).toEqual(await statements('GET', 'workspaces/ws-missing'));
    const remove = 'actions/safe-delete';
    expect(await statements('POST', `${named('hidden')}/${remove}`)).toEqual(
      await statements('POST', `${named('nothing')}/${remove}`),
    );
  };
  await one.get('account/details', token);
  await both();
  for (const address of [named('hidden'), `workspaces/${hidden}`]) await one.get(address, owner());
  await both();
});
