/** §4.2 From what was told to what begins: in which workspaces, once, in order, and with a reason for whoever asks. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { type Receiver, reachable, receiver } from '../../../test/builders/receiver.ts';
import {
  bodyOf,
  member,
  organization,
  randomName,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { configurationVersion, run } from '../../../test/builders/run.ts';
import { pushOf, sendSigned, type Webhook, webhook } from '../../../test/builders/webhook.ts';
import { oauthConnection, workspace } from '../../../test/builders/workspace.ts';
import { useLimits } from '../../../test/limits.ts';
import { workOffClaims } from '../../core/claims.ts';
import { fetchLinked } from './link.ts';
import { linkedWorkspaces } from './linked.ts';
import { repositoryEvents } from './work-off.ts';

const app = useApp(reachable);
let acme: TestOrganization;
let owner: string;
let hook: Webhook;
let tokenId: string;
beforeAll(async () => {
  acme = await organization(app);
  owner = acme.owner.token;
  const connection = await oauthConnection(app, acme, { service_provider: 'git' });
  ({ tokenId } = connection);
  hook = await webhook(app, acme, connection.clientId);
});
beforeEach(() => app.store.read`delete from webhook_deliveries`);

const claims = () => repositoryEvents(() => ({ store: app.store, config: app.config }));
const workOff = () => workOffClaims(claims());
const repository = (identifier: string, given: object = {}, token = tokenId) => ({
  branch: '',
  identifier,
  'ingress-submodules': false,
  'oauth-token-id': token,
  'app-installation-id': null,
  'tags-regex': null,
  ...given,
});

/** Linked, its head not fetched; `given` are columns. */
const linked = (identifier: string, given: object = {}, of: object = {}, token = tokenId) =>
  workspace(app, acme, {
    queue_all_runs: true,
    vcs_repo: app.store.read.json(repository(identifier, of, token) as never),
    ...given,
  });

const outcomes = async (token = owner): Promise<Document[]> => {
  const { data } = await app.get(`oauth-clients/${hook.clientId}/webhook-deliveries`, token);
  return data[0].attributes.outcomes;
};
const waiting = async () =>
  (await app.store.read`select from webhook_deliveries where webhook_deliveries.worked_off_at is null`).length;
const versionsOf = async (workspaceId: string): Promise<Document[]> =>
  (await app.get(`workspaces/${workspaceId}/configuration-versions`, owner)).data;
const ingressOf = async (versionId: string) =>
  (await app.get(`configuration-versions/${versionId}/ingress-attributes`, owner)).data.attributes;
const pull = (given: object = {}) => ({ number: 7, title: 'Wider', head_branch: 'wide', url: 'https://h/7', ...given });

describe('a push', () => {
  test('§4.2 begins a fetch of its commit in each workspace that follows it, and says why not in the others', async () => {
    const repo = randomName('acme/net');
    const one = await linked(repo);
    const other = await linked(repo, {}, { branch: 'release' });
    const elsewhere = await linked(randomName('acme/other'));
    const push = pushOf(repo, {
      changed_files: ['main.tf'],
      compare_url: 'https://h/compare',
      sender: { username: 'ann' },
    });
    await hook.send(push);
    expect(await workOff()).toBe(1);
    const [version, ...more] = await versionsOf(one);
    expect(more).toEqual([]);
    expect(version.attributes).toMatchObject({
      status: 'fetching',
      source: 'git',
      speculative: false,
      'auto-queue-runs': true,
      'changed-files': ['main.tf'],
    });
    const commit = push['commit'] as { sha: string; message: string };
    expect(await ingressOf(version.id)).toMatchObject({
      identifier: repo,
      branch: 'main',
      'commit-sha': commit.sha,
      'commit-message': commit.message,
      'compare-url': 'https://h/compare',
      'on-default-branch': true,
      'is-pull-request': false,
      'sender-username': 'ann',
    });
    expect(await versionsOf(other)).toEqual([]);
    expect(await versionsOf(elsewhere)).toEqual([]);
    expect(await outcomes()).toEqual([
      expect.objectContaining({
        event: 0,
        'workspace-id': one,
        begins: 'run',
        reason: expect.stringContaining('whole repository'),
        'configuration-version-id': version.id,
        'configuration-version-status': 'fetching',
        'run-id': null,
      }),
      expect.objectContaining({
        'workspace-id': other,
        begins: null,
        reason: 'it follows the branch release, and this is main',
        'configuration-version-id': null,
      }),
    ]);
  });

  test('§4.2 to a repository that nobody is linked to → nothing, and the list says so', async () => {
    await hook.send(pushOf('acme/unknown'));
    await workOff();
    const { data } = await app.get(`oauth-clients/${hook.clientId}/webhook-deliveries`, owner);
    expect(data[0].attributes).toMatchObject({
      status: 'worked-off',
      explanation: 'No workspace is linked to acme/unknown through this connection.',
    });
    expect(await workOff()).toBe(0);
  });

  test('§4.2 reaches no workspace of another connection, though it has the same repository', async () => {
    const repo = randomName('acme/net');
    const other = await oauthConnection(app, acme, { service_provider: 'git' });
    const stranger = await linked(repo, {}, {}, other.tokenId);
    await hook.send(pushOf(repo));
    await workOff();
    expect(await versionsOf(stranger)).toEqual([]);
  });

  test('§4.2 identifiers: with and without .git, by case with plain git alone', async () => {
    const repo = randomName('acme/net');
    const ids = [await linked(repo), await linked(`${repo}.git`), await linked(repo.toUpperCase())];
    await hook.send(pushOf(repo));
    await workOff();
    expect(await Promise.all(ids.map(async id => (await versionsOf(id)).length))).toEqual([1, 1, 0]);
    await insertEvent({ repository: repo.toUpperCase() });
    await app.store.read`
      update oauth_clients set service_provider = 'forgejo' where oauth_clients.id = ${hook.clientId}`;
    try {
      await workOff();
    } finally {
      await app.store.read`
        update oauth_clients set service_provider = 'git' where oauth_clients.id = ${hook.clientId}`;
    }
    expect(await Promise.all(ids.map(async id => (await versionsOf(id)).length))).toEqual([2, 2, 1]);
  });

  test('§4.2 where the delivery does not say which branch is the default one, what the last fetch found counts', async () => {
    const repo = randomName('acme/net');
    const id = await linked(repo);
    await hook.send(pushOf(repo, { default_branch: null }));
    await workOff();
    expect(await outcomes()).toMatchObject([{ begins: null, reason: expect.stringContaining('vcs-repo.branch') }]);
    await hook.send(pushOf(repo));
    await workOff();
    // A later fetch, of another branch, says nothing of the default one.
    const of = { branch: 'release', 'on-default-branch': false };
    await configurationVersion(app, acme, id, { ingress_attributes: app.store.read.json(of) });
    await hook.send(pushOf(repo, { default_branch: null }));
    await workOff();
    expect((await versionsOf(id)).length).toBe(3);
  });

  test('§4.2 queue-all-runs false: nothing until the first run', async () => {
    const repo = randomName('acme/net');
    const id = await linked(repo, { queue_all_runs: false });
    // Runs of others count for nothing.
    await run(app, acme, await workspace(app, acme));
    await hook.send(pushOf(repo));
    await workOff();
    expect(await outcomes()).toMatchObject([{ begins: null, reason: expect.stringContaining('queue-all-runs') }]);
    await run(app, acme, id);
    await hook.send(pushOf(repo));
    await workOff();
    expect(await outcomes()).toMatchObject([{ begins: 'run', 'run-id': null }]);
  });
});

/** An event as a forge read it, of a host that signs in another way. */
async function insertEvent(given: object): Promise<void> {
  const sent = pushOf('a/b');
  await sendSigned(app, hook.clientId, hook.secret, sent);
  const [event] = await app.store.read`
    select webhook_deliveries.id from webhook_deliveries order by webhook_deliveries.position desc limit 1`;
  const sql = app.store.read;
  const full = {
    kind: 'push',
    repository: 'a/b',
    branch: 'main',
    default_branch: 'main',
    tag: null,
    commit_sha: 'b'.repeat(40),
    base_sha: null,
    commit_message: null,
    commit_url: null,
    compare_url: null,
    changed_files: null,
    sender: null,
    pull_request: null,
    ...given,
  };
  await sql`
    update webhook_deliveries set events = ${sql.json([full])}::jsonb, worked_off_at = null
    where webhook_deliveries.id = ${event?.['id']}`;
}

describe('a pull request', () => {
  test('§4.2 begins a plan of its own commit; one from a fork begins nothing', async () => {
    const repo = randomName('acme/net');
    const id = await linked(repo);
    await hook.send(pushOf(repo, { event: 'pull-request', pull_request: pull({ is_fork: true }) }));
    await workOff();
    expect(await outcomes()).toMatchObject([{ begins: null, reason: expect.stringContaining('fork') }]);
    const sent = pushOf(repo, { event: 'pull-request', pull_request: pull() });
    await hook.send(sent);
    await workOff();
    const [version] = await versionsOf(id);
    expect(version.attributes).toMatchObject({ status: 'fetching', speculative: true });
    expect(await ingressOf(version.id)).toMatchObject({
      branch: 'wide',
      'commit-sha': (sent['commit'] as { sha: string }).sha,
      'is-pull-request': true,
      'on-default-branch': false,
      'pull-request-number': 7,
      'pull-request-title': 'Wider',
      'pull-request-url': 'https://h/7',
    });
    expect(await outcomes()).toMatchObject([{ begins: 'speculative run' }]);
  });
});

describe('what is not begun twice', () => {
  test('§4.2 a server that dies in the middle: what it had begun is not begun again, and the rest is', async () => {
    const repo = randomName('acme/net');
    const [one, other] = [await linked(repo), await linked(repo)];
    await hook.send(pushOf(repo));
    await workOff();
    await app.store.read`delete from webhook_outcomes where webhook_outcomes.workspace_id = ${other}`;
    await app.store.read`update webhook_deliveries set worked_off_at = null`;
    await workOff();
    expect([(await versionsOf(one)).length, (await versionsOf(other)).length]).toEqual([1, 2]);
    expect(await outcomes()).toMatchObject([{ begins: 'run' }, { begins: 'run' }]);
  });

  test('§4.2 four servers at once → each push begins once, in the order of the pushes', async () => {
    const repo = randomName('acme/net');
    const id = await linked(repo);
    const pushes = Array.from({ length: 6 }, () => pushOf(repo));
    for (const push of pushes) await hook.send(push);
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        while ((await waiting()) > 0) await workOff();
      }),
    );
    const versions = await versionsOf(id);
    const commits = await Promise.all(
      versions.map(async ({ id: version }) => (await ingressOf(version))['commit-sha']),
    );
    expect(commits.reverse()).toEqual(pushes.map(push => (push['commit'] as { sha: string }).sha));
  });

  useLimits({ webhookAttempts_items: 3, webhooksAtOnce_items: 1 });

  test('§4.2 one that fails again and again is given up, says so, and lets those behind it pass', async () => {
    const repo = randomName('acme/net');
    await linked(repo);
    await hook.send(pushOf(repo));
    await app.store
      .read`update webhook_deliveries set events = jsonb_set(webhook_deliveries.events, '{0,repository}', '7')`;
    await hook.send(pushOf(repo));
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await waiting()).toBe(2);
      expect(claims().most).toBe(1);
      await workOff().catch(() => undefined);
      await app.store.read`update webhook_deliveries set due_at = now() - interval '1 second'`;
    }
    await workOff();
    const { data } = await app.get(`oauth-clients/${hook.clientId}/webhook-deliveries`, owner);
    expect(data.map(({ attributes }: Document) => attributes.status)).toEqual(['worked-off', 'worked-off']);
    expect(data[1].attributes.explanation).toContain('failed again and again');
    expect(data[0].attributes.outcomes).toMatchObject([{ begins: 'run' }]);
  });
});

describe('many workspaces of one repository', () => {
  test('§4.2 thirty that follow another branch take no more statements than three', async () => {
    const [few, many] = [randomName('acme/net'), randomName('acme/net')];
    for (let at = 0; at < 3; at += 1) await linked(few, {}, { branch: 'other' });
    for (let at = 0; at < 30; at += 1) await linked(many, {}, { branch: 'other' });
    const statements = async (repo: string) => {
      await hook.send(pushOf(repo));
      return (await app.statementsOf(workOff)).length;
    };
    const least = await statements(few);
    expect(await statements(many)).toBe(least);
    expect(least).toBeLessThanOrEqual(5);
  });

  test('§4.2 more than are read at once are each found once', async () => {
    const repo = randomName('acme/net');
    const ids = await Promise.all(Array.from({ length: 501 }, () => linked(repo)));
    const found: string[] = [];
    const source = { oauth_client_id: hook.clientId, service_provider: 'git' } as const;
    for await (const some of linkedWorkspaces(app.store.read, source, repo)) found.push(...some.map(({ id }) => id));
    expect(found).toEqual(ids.sort());
  });

  test('§4.2 one of them that fails keeps the others from nothing', async () => {
    const repo = randomName('acme/net');
    const ids = await Promise.all([1, 2, 3].map(() => linked(repo, {}, { 'tags-regex': '^v' })));
    // No body is taken with such an expression.
    const broken = repository(repo, { 'tags-regex': '(' });
    await app.store.read`
      update workspaces set vcs_repo = ${app.store.read.json(broken)}::jsonb, revision = default
      where workspaces.id = ${ids.sort()[0]!}`;
    await hook.send(pushOf(repo, { event: 'tag', tag: 'v1' }));
    await workOff().catch(() => undefined);
    expect(await Promise.all(ids.map(async id => (await versionsOf(id)).length))).toEqual([0, 1, 1]);
    expect(await waiting()).toBe(1);
  });
});

describe('who sees what followed', () => {
  useLimits({ shownOutcomes_items: 2 });

  test('§4.2 beyond a bound outcomes are counted; those that began something come first', async () => {
    const repo = randomName('acme/net');
    const begun = await linked(repo, { name: 'zz-last-by-name' });
    for (const name of ['aa', 'bb', 'cc']) await linked(repo, { name }, { branch: 'other' });
    await hook.send(pushOf(repo));
    await workOff();
    const { data } = await app.get(`oauth-clients/${hook.clientId}/webhook-deliveries`, owner);
    expect(data[0].attributes['further-outcomes']).toBe(2);
    expect(await outcomes()).toMatchObject([{ 'workspace-id': begun, begins: 'run' }, { 'workspace-name': 'aa' }]);
  });

  test('§5.5 workspaces that the caller does not see are counted, not named', async () => {
    const repo = randomName('acme/net');
    await linked(repo, { name: 'hidden-from-keepers' });
    await hook.send(pushOf(repo));
    await workOff();
    const keeper = await member(app, acme, await team(app, acme, { access: { 'manage-vcs-settings': true } }));
    const answer = await app.get(`oauth-clients/${hook.clientId}/webhook-deliveries`, keeper.token);
    expect(answer.data[0].attributes).toMatchObject({ outcomes: [], 'further-outcomes': 1 });
    expect(answer.text).not.toContain('hidden-from-keepers');
    expect(await outcomes()).toMatchObject([{ 'workspace-name': 'hidden-from-keepers' }]);
  });
});

describe('a workspace that is linked', () => {
  let hub: Receiver;
  beforeAll(async () => {
    hub = await receiver();
  });
  afterAll(() => hub.close());

  const create = async (attributes: object) =>
    (
      await app.post(
        `organizations/${acme.name}/workspaces`,
        owner,
        bodyOf('workspaces', { name: randomName('ws'), ...attributes }),
      )
    ).data.id;
  const given = (of: object = {}) => ({ identifier: 'acme/net', 'oauth-token-id': tokenId, ...of });
  const arrived = async (id: string) => {
    const [version] = await versionsOf(id);
    await app.store.read`
      update workspaces set current_configuration_version_id = ${version!.id}, revision = default
      where workspaces.id = ${id}`;
  };

  test('§4.2 without a configuration, tries again when the same is said once more, and no other time', async () => {
    const patch = async (id: string, attributes: object) => {
      const answer = await app.call('PATCH', `workspaces/${id}`, {
        token: owner,
        body: bodyOf('workspaces', attributes),
      });
      expect(answer.status).toBe(200);
      return (await fetchLinked(app.store)).length;
    };
    const id = await create({ 'vcs-repo': given(), 'execution-mode': 'local' });
    expect(await fetchLinked(app.store)).toEqual([]);
    expect(await patch(id, { 'execution-mode': 'remote' })).toBe(1);
    expect(await patch(id, { 'vcs-repo': given() })).toBe(1);
    expect(await patch(id, { description: 'nothing of it' })).toBe(0);
    expect(await patch(id, { 'vcs-repo': {} })).toBe(0);
    await arrived(id);
    expect(await patch(id, { 'vcs-repo': given(), 'execution-mode': 'remote' })).toBe(0);
    expect(await patch(id, { 'vcs-repo': given({ branch: 'live' }) })).toBe(1);
    expect(await patch(await create({}), { 'execution-mode': 'remote' })).toBe(0);
  });

  test('§4.2 fetches its head at once, and begins a run where queue-all-runs says so', async () => {
    const plain = await create({ 'vcs-repo': given() });
    const eager = await create({ 'vcs-repo': given({ branch: 'live' }), 'queue-all-runs': true });
    const tagged = await create({ 'vcs-repo': given({ 'tags-regex': '^v' }), 'queue-all-runs': true });
    const local = await create({ 'vcs-repo': given(), 'execution-mode': 'local' });
    const without = await create({});
    expect((await fetchLinked(app.store)).length).toBe(3);
    expect(await fetchLinked(app.store)).toEqual([]);
    const all = await Promise.all([plain, eager, tagged, local, without].map(versionsOf));
    expect(all.map(versions => versions.map(({ attributes }) => attributes['auto-queue-runs']))).toEqual([
      [false],
      [true],
      [false],
      [],
      [],
    ]);
    expect(all.flat().map(({ attributes }) => attributes.speculative)).toEqual([false, false, false]);
    expect(await ingressOf(all[1]![0].id)).toMatchObject({ branch: 'live', 'commit-sha': null });
    const [version] = await app.store.read`
      select configuration_versions.created_by_id from configuration_versions where configuration_versions.id = ${all[0]![0].id}`;
    expect(version!['created_by_id']).toBe(acme.owner.id);
  });

  test('§4.2 is fetched again where its branch or repository changes, and not for anything else', async () => {
    const id = await create({ 'vcs-repo': given() });
    await fetchLinked(app.store);
    await arrived(id);
    const change = async (attributes: object) => {
      await app.patch(`workspaces/${id}`, owner, bodyOf('workspaces', attributes));
      return (await fetchLinked(app.store)).length;
    };
    expect(await change({ description: 'new' })).toBe(0);
    expect(await change({ 'vcs-repo': given() })).toBe(0);
    expect(await change({ 'vcs-repo': { 'tags-regex': '^v' } })).toBe(0);
    expect(await change({ 'vcs-repo': { branch: 'next' } })).toBe(1);
    expect(await change({ 'vcs-repo': { identifier: 'acme/other' } })).toBe(1);
    expect(await change({ 'vcs-repo': { 'ingress-submodules': true } })).toBe(1);
    expect(await change({ 'vcs-repo': null })).toBe(0);
    expect(await change({ 'vcs-repo': given() })).toBe(1);
  });

  test('§4.2 two servers at once → one fetch', async () => {
    const id = await create({ 'vcs-repo': given() });
    await Promise.all([fetchLinked(app.store), fetchLinked(app.store)]);
    expect((await versionsOf(id)).length).toBe(1);
  });
});
