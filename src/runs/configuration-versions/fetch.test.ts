/** §4.2 vcs-repo: a configuration that is to be fetched, and which agent is handed it. */
import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { signedIn } from '../../../test/builders/agent.ts';
import { organization, type TestOrganization } from '../../../test/builders/records.ts';
import { run } from '../../../test/builders/run.ts';
import { agentPool, oauthConnection, workspace } from '../../../test/builders/workspace.ts';
import { handOut } from '../door/hand-out.ts';
import { fetchConfiguration, type Wanted } from './fetch.ts';

const app = useApp();
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
  await fetched(await linked());
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
