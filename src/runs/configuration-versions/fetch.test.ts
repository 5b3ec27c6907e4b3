/** §4.2 vcs-repo: a configuration that is to be fetched, and which agent is handed it. */
import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { IngressReport } from '../../../agent/protocol.ts';
import { type Document, useApp } from '../../../test/app.ts';
import { askDoor, signedIn } from '../../../test/builders/agent.ts';
import { organization, type TestOrganization } from '../../../test/builders/records.ts';
import { run } from '../../../test/builders/run.ts';
import { agentPool, oauthConnection, workspace } from '../../../test/builders/workspace.ts';
import { limits } from '../../core/limits.ts';
import { handOut } from '../door/hand-out.ts';
import { endLostFetches } from '../door/lost-fetches.ts';
import { fetchConfiguration, type Wanted } from './fetch.ts';

// The names of these hosts are looked up nowhere.
const app = useApp({ HTTPS_PROXY: 'http://127.0.0.1:1', TERRANE_PROXY_NAMES: 'passed-on' });
let acme: TestOrganization;
let tokenId: string;

beforeAll(async () => {
  acme = await organization(app);
  ({ tokenId } = await oauthConnection(app, acme, { service_provider: 'gitlab_hosted' }));
});
beforeEach(() => app.store.read`delete from jobs`);

const repository = (given: object = {}) => ({
  branch: 'main',
  identifier: 'acme/net',
  'ingress-submodules': false,
  'oauth-token-id': tokenId,
  'app-installation-id': null,
  'tags-regex': null,
  ...given,
});
const linked = (given: object = {}) =>
  workspace(app, acme, { vcs_repo: app.store.read.json(repository() as never), ...given });

const head: Omit<Wanted, 'workspaceId'> = {
  commit: { sha: null, branch: null, tag: null },
  isSpeculative: false,
  createdById: null,
  thenRun: null,
};
const fetched = (workspaceId: string, given: Partial<Wanted> = {}) =>
  app.store.transaction(sql => fetchConfiguration(sql, { ...head, workspaceId, ...given }));
const show = async (path: string) => (await app.get(path, acme.owner.token)).data.attributes;

test('§4.2 vcs-repo: what is fetched says of which commit it is before it is there', async () => {
  const sha = 'a'.repeat(40);
  const id = await fetched(await linked(), {
    commit: { sha, branch: 'main', tag: null },
    ingress: { 'commit-message': 'Open the gate', 'sender-username': 'ann' },
    changedFiles: ['main.tf'],
  });
  expect(await show(`configuration-versions/${id}`)).toMatchObject({
    status: 'fetching',
    source: 'gitlab',
    speculative: false,
    'changed-files': ['main.tf'],
    'status-timestamps': { 'fetching-at': expect.any(String) },
  });
  expect(await show(`configuration-versions/${id}/ingress-attributes`)).toMatchObject({
    identifier: 'acme/net',
    branch: 'main',
    'commit-sha': sha,
    'commit-message': 'Open the gate',
    'sender-username': 'ann',
    'is-pull-request': false,
    tag: null,
  });
});

test('§4.2 vcs-repo: a workspace without a repository, and one that keeps state only, fetch nothing', async () => {
  expect(await fetched(await workspace(app, acme))).toBe(null);
  expect(await fetched(await linked({ overwrites_execution_mode: true, execution_mode: 'local' }))).toBe(null);
});

test('§4.2 vcs-repo: an agent with git is handed what is to be fetched, and one without is not', async () => {
  const id = await fetched(await linked());
  expect(await (await signedIn(app)).claim()).toBe(null);
  const job = await (await signedIn(app, undefined, { git: '2.39.2' })).claim();
  expect(job).toMatchObject({ kind: 'ingress' });
  const [row] = await app.store.read`select jobs.configuration_version_id from jobs where jobs.id = ${job!.id}`;
  expect(row).toEqual({ configuration_version_id: id });
});

test('§4.2 vcs-repo: what nobody there can fetch keeps no run waiting', async () => {
  await fetched(await linked());
  const plan = await run(app, acme, await workspace(app, acme));
  const job = await (await signedIn(app)).claim();
  expect((await job!.start()).run).toBe(plan);
});

test('§4.2 vcs-repo: of two agents that ask at once, only the one with git is handed what is to be fetched', async () => {
  for (const _ of [1, 2]) await fetched(await linked());
  const [plain, withGit] = [await signedIn(app), await signedIn(app, undefined, { git: '2.39.2' })];
  const asking = [plain, withGit].map(({ id }) => ({
    agentId: id,
    poolId: null,
    hasGit: id === withGit.id,
    hash: randomBytes(32),
  }));
  const handed = await handOut(app.store.read, asking);
  expect(handed).toMatchObject([{ kind: 'ingress', hash: asking[1]!.hash }]);
});

test("§4.2 vcs-repo: the connection's own pool fetches, else the pool that executes the workspace's runs", async () => {
  const [near, executing] = [await agentPool(app, acme), await agentPool(app, acme)];
  const place = async (id: string | null) =>
    (
      await app.store.read`
      select jobs.is_built_in, jobs.agent_pool_id from jobs where jobs.configuration_version_id = ${id}`
    )[0];
  const inAgentMode = { overwrites_execution_mode: true, execution_mode: 'agent', agent_pool_id: executing };
  expect(await place(await fetched(await linked()))).toEqual({ is_built_in: true, agent_pool_id: null });
  const ofPool = { is_built_in: false, agent_pool_id: executing };
  expect(await place(await fetched(await linked(inAgentMode)))).toEqual(ofPool);
  const other = await oauthConnection(app, acme, { agent_pool_id: near });
  const vcs_repo = app.store.read.json(repository({ 'oauth-token-id': other.tokenId }) as never);
  expect(await place(await fetched(await linked({ ...inAgentMode, vcs_repo })))).toMatchObject({ agent_pool_id: near });
});

describe('§4.2 vcs-repo: what was fetched', () => {
  const sha = 'c'.repeat(40);
  const report: IngressReport = {
    outcome: 'finished',
    sha,
    message: 'Open the gate',
    branch: 'main',
    on_default_branch: true,
    readme: null,
  };
  /** As an agent does it. */
  const carriedOut = async (given: object = {}) => {
    const job = (await (await signedIn(app, undefined, { git: '2.39.2' })).claim())!;
    expect((await job.ask('POST', '/start')).status).toBe(200);
    expect((await job.ask('PUT', '/content', Buffer.from('an archive'))).status).toBe(204);
    expect((await job.ask('POST', '/finish', { ...report, ...given })).status).toBe(204);
    return job;
  };
  const currentOf = async (workspaceId: string) =>
    (await app.get(`workspaces/${workspaceId}`, acme.owner.token)).data.relationships['current-configuration-version']
      .data?.id;
  const runsOf = async (workspaceId: string) =>
    (await app.get(`workspaces/${workspaceId}/runs`, acme.owner.token)).data as Document[];

  test('§4.2 is the current configuration of the workspace, and no run begins that nobody wanted', async () => {
    const workspaceId = await linked();
    const id = await fetched(workspaceId);
    await carriedOut();
    expect(await show(`configuration-versions/${id}`)).toMatchObject({
      status: 'uploaded',
      'status-timestamps': { 'fetching-at': expect.any(String), 'uploaded-at': expect.any(String) },
    });
    expect(await currentOf(workspaceId)).toBe(id);
    expect(await runsOf(workspaceId)).toEqual([]);
  });

  test('§4.2 auto-apply: the run that waited for it begins with it, and applies itself as the workspace says', async () => {
    for (const auto_apply of [false, true]) {
      const workspaceId = await linked({ auto_apply });
      await fetched(workspaceId, { thenRun: { message: 'Open the gate' } });
      await carriedOut();
      const [begun] = await runsOf(workspaceId);
      expect(begun!.attributes).toMatchObject({
        message: 'Open the gate',
        source: 'tfe-configuration-version',
        status: 'plan_queued',
        'auto-apply': auto_apply,
        'plan-only': false,
      });
      await app.store.read`delete from jobs`;
    }
  });

  test('§4.2 speculative: what nobody can apply is planned alone, and is not the current configuration', async () => {
    const workspaceId = await linked({ auto_apply: true });
    await fetched(workspaceId, { isSpeculative: true, thenRun: { message: 'A pull request' } });
    await carriedOut();
    const [begun] = await runsOf(workspaceId);
    expect(begun!.attributes).toMatchObject({ 'plan-only': true, 'auto-apply': false });
    expect(await currentOf(workspaceId)).toBe(undefined);
  });

  test('§4.2 an older commit that comes later does not take the place of a newer one', async () => {
    const workspaceId = await linked();
    const [older, newer] = [await fetched(workspaceId), await fetched(workspaceId)];
    await app.store.read`update jobs set precedence = 2 where jobs.configuration_version_id = ${older}`;
    await carriedOut();
    await carriedOut();
    expect((await show(`configuration-versions/${older}`))['status']).toBe('uploaded');
    expect(await currentOf(workspaceId)).toBe(newer);
  });

  test('§4.2 is told of the commit what its event did not say, and nothing else', async () => {
    const id = await fetched(await linked(), { ingress: { 'commit-message': 'As the event has it' } });
    await carriedOut();
    expect(await show(`configuration-versions/${id}/ingress-attributes`)).toMatchObject({
      'commit-message': 'As the event has it',
      'commit-sha': sha,
      'on-default-branch': true,
      'clone-url': 'https://github.example/acme/net.git',
    });
  });

  test('§2.2 readme: is that of the current configuration, and goes with it', async () => {
    const workspaceId = await linked();
    const readme = async () => {
      const { document, data } = await app.get(`workspaces/${workspaceId}?include=readme`, acme.owner.token);
      return [data.relationships.readme.data?.type, document['included']?.[0]?.attributes['raw-markdown']];
    };
    expect(await readme()).toEqual([undefined, undefined]);
    for (const words of ['# One', '# Two']) {
      await fetched(workspaceId);
      await carriedOut({ readme: words });
      expect(await readme()).toEqual(['workspace-readme', words]);
    }
    await fetched(workspaceId, { isSpeculative: true });
    await carriedOut({ readme: '# Of somebody else' });
    expect(await readme()).toEqual(['workspace-readme', '# Two']);
    await fetched(workspaceId);
    await carriedOut();
    expect(await readme()).toEqual([undefined, undefined]);
  });

  test('§4.2 a report that is longer than anybody reads, or that no database keeps, is refused', async () => {
    await fetched(await linked());
    const job = (await (await signedIn(app, undefined, { git: '2.39.2' })).claim())!;
    await job.ask('POST', '/start');
    const { readme_bytes, eventText_characters, eventLine_characters } = limits;
    const wrong = [
      { readme: 'a'.repeat(readme_bytes.value + 1) },
      { message: 'a'.repeat(eventText_characters.value + 1) },
      { branch: 'a'.repeat(eventLine_characters.value + 1) },
      { message: 'a\0' },
      { readme: '\ud83d' },
      { sha: 'main' },
    ];
    for (const one of wrong) {
      const { status } = await job.ask('POST', '/finish', { ...report, ...one });
      expect(`${status} ${Object.keys(one)}`).toMatch(/^4\d\d /);
    }
  });

  test('§4.2 a report that is sent again changes nothing, and one of somebody else is refused', async () => {
    const workspaceId = await linked();
    await fetched(workspaceId, { thenRun: { message: 'Once' } });
    const job = await carriedOut();
    expect((await job.ask('POST', '/finish', report)).status).toBe(204);
    const failed = { outcome: 'errored', error: 'failed', reason: 'Not so' };
    expect((await job.ask('POST', '/finish', failed)).status).toBe(410);
    expect((await job.ask('PUT', '/content', Buffer.from('another'))).status).toBe(410);
    expect((await askDoor(app, 'POST', '/job/start', job.token)).status).toBe(401);
    expect(await runsOf(workspaceId)).toHaveLength(1);
  });
});

describe('§4.2 vcs-repo: a fetch that comes to nothing', () => {
  const began = async () => {
    const job = (await (await signedIn(app, undefined, { git: '2.39.2' })).claim())!;
    const { status } = await job.ask('POST', '/start');
    return { job, status };
  };
  const silentFor = (time: string) =>
    app.store.read`
      update jobs set seen_at = jobs.seen_at - ${time}::text::interval,
        created_at = jobs.created_at - ${time}::text::interval`;

  test('§4.2 says why, and its run never begins', async () => {
    const workspaceId = await linked();
    const id = await fetched(workspaceId, { thenRun: { message: 'Never' } });
    const { job } = await began();
    await job.ask('PUT', '/content', Buffer.from('half of it'));
    const reason = 'The repository does not have the commit any more.';
    expect((await job.ask('POST', '/finish', { outcome: 'errored', error: 'commit_not_found', reason })).status).toBe(
      204,
    );
    expect(await show(`configuration-versions/${id}`)).toMatchObject({
      status: 'errored',
      error: 'commit_not_found',
      'error-message': reason,
    });
    expect((await app.get(`workspaces/${workspaceId}/runs`, acme.owner.token)).data).toEqual([]);
    const [{ count }] = (await app.store.read`
      select count(*)::integer from blobs where blobs.workspace_id = ${workspaceId}`) as [{ count: number }];
    expect(count).toBe(0);
  });

  test('§4.2 without TLS is nothing for an agent of a pool, whose network nobody judges', async () => {
    const { tokenId: plain } = await oauthConnection(app, acme, { http_url: 'http://git.example' });
    const pool = await agentPool(app, acme);
    const id = await fetched(
      await linked({
        vcs_repo: app.store.read.json(repository({ 'oauth-token-id': plain }) as never),
        overwrites_execution_mode: true,
        execution_mode: 'agent',
        agent_pool_id: pool,
      }),
    );
    const { document } = await app.post(`agent-pools/${pool}/authentication-tokens`, acme.owner.token, {
      data: { type: 'authentication-tokens', attributes: { description: 'one' } },
    });
    const agent = await signedIn(app, document['data'].attributes.token, { git: '2.39.2' });
    expect((await (await agent.claim())!.ask('POST', '/start')).status).toBe(410);
    expect(await show(`configuration-versions/${id}`)).toMatchObject({ status: 'errored', error: 'not_allowed' });
  });

  test('§4.2 is over once its connection is gone', async () => {
    const { tokenId: other } = await oauthConnection(app, acme);
    const vcs_repo = app.store.read.json(repository({ 'oauth-token-id': other }) as never);
    const id = await fetched(await linked({ vcs_repo }));
    await app.store.read`delete from oauth_tokens where oauth_tokens.id = ${other}`;
    expect((await began()).status).toBe(410);
    expect((await show(`configuration-versions/${id}`))['error-message']).toBe(
      'The connection of the repository is there no more.',
    );
  });

  test('§4.2 is over when its agent was not heard of for five minutes, and nobody fetches it a second time', async () => {
    const id = await fetched(await linked());
    await began();
    await silentFor('4 minutes');
    expect(await endLostFetches(app.store)).toEqual([]);
    await silentFor('1 minute');
    expect(await endLostFetches(app.store)).toEqual([id]);
    expect(await show(`configuration-versions/${id}`)).toMatchObject({ status: 'errored', error: 'agent_lost' });
    expect(await endLostFetches(app.store)).toEqual([]);
    expect(await (await signedIn(app, undefined, { git: '2.39.2' })).claim()).toBe(null);
  });

  test('§4.2 is over when for five minutes no agent was there that could fetch it', async () => {
    await app.store.read`update agents set exited_at = now()`;
    const id = await fetched(await linked());
    await signedIn(app);
    await silentFor('4 minutes');
    expect(await endLostFetches(app.store)).toEqual([]);
    await silentFor('1 minute');
    await signedIn(app, undefined, { git: '2.39.2' });
    expect(await endLostFetches(app.store)).toEqual([]);
    await app.store.read`update agents set exited_at = now() where agents.git_version is not null`;
    expect(await endLostFetches(app.store)).toEqual([id]);
    expect((await show(`configuration-versions/${id}`))['error-message']).toContain('No agent was there');
  });
});
