/** §4.2 What a commit's host is told of the run that the commit began. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { type Receiver, reachable, receiver } from '../../../test/builders/receiver.ts';
import { bodyOf, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { move, run } from '../../../test/builders/run.ts';
import { oauthConnection, workspace } from '../../../test/builders/workspace.ts';
import { useLimits } from '../../../test/limits.ts';
import type { RepositoryEvent } from '../../connections/forges/forge.ts';
import { workOffClaims } from '../../core/claims.ts';
import { newId } from '../../core/store/ids.ts';
import { row } from '../../core/store/store.ts';
import { endFetch } from '../configuration-versions/fetched.ts';
import { runStatuses } from '../queue/statuses.ts';
import { beginWhatFollows } from './begin.ts';
import { commitStatuses } from './commit-statuses.ts';
import { saidOf } from './said-of-runs.ts';

const app = useApp(reachable);
const sha = 'c'.repeat(40);
let acme: TestOrganization;
let hub: Receiver;
let tokenId: string;
let clientId: string;
let workspaceId: string;
let workspaceName: string;
beforeAll(async () => {
  acme = await organization(app);
  hub = await receiver();
  const address = new URL(hub.url).origin;
  ({ clientId, tokenId } = await oauthConnection(app, acme, { http_url: address, api_url: address }));
});
afterAll(() => hub.close());
beforeEach(async () => {
  await app.store.read`delete from pending_commit_statuses`;
  await app.store.read`delete from workspaces`;
  workspaceId = await workspace(app, acme, {
    queue_all_runs: true,
    vcs_repo: app.store.read.json(repository() as never),
  });
  workspaceName = (await app.get(`workspaces/${workspaceId}`, acme.owner.token)).data.attributes.name;
  hub.received.length = 0;
  hub.answer(201, '{}');
});

const repository = () => ({
  branch: '',
  identifier: 'acme/net',
  'ingress-submodules': false,
  'oauth-token-id': tokenId,
  'app-installation-id': null,
  'tags-regex': null,
});
const claims = () =>
  commitStatuses(() => ({ store: app.store, config: app.config, publicUrl: 'https://terrane.example' }));
const tell = () => workOffClaims(claims());
const pending = async () => (await app.store.read`select from pending_commit_statuses`).length;
const later = () => app.store.read`update pending_commit_statuses set due_at = now() - interval '1 second'`;

/** A run that a commit began, as if its content had been fetched. */
async function runOfCommit(given: object = {}): Promise<string> {
  const id = await run(app, acme, workspaceId, given, { source: 'tfe-configuration-version' });
  const sql = app.store.read;
  await sql`
    update configuration_versions
    set auto_queue_runs = true, ingress_attributes = ${sql.json({ identifier: 'acme/net', 'commit-sha': sha })}::jsonb
    from runs
    where runs.id = ${id} and configuration_versions.id = runs.configuration_version_id`;
  return id;
}
const event: RepositoryEvent = {
  kind: 'push',
  repository: 'acme/net',
  branch: 'main',
  default_branch: 'main',
  tag: null,
  commit_sha: sha,
  base_sha: null,
  commit_message: null,
  commit_url: null,
  compare_url: null,
  changed_files: null,
  sender: null,
  pull_request: { number: 7, title: 'Wider', body: null, url: null, head_branch: 'wide', is_fork: false },
};

async function delivery(): Promise<string> {
  const id = newId('whd');
  const members = { id, oauth_client_id: clientId, delivery_id: id, body_hash: randomBytes(32), events: '[]' };
  await app.store.read`insert into webhook_deliveries ${row(app.store.read, members)}`;
  return id;
}
const states = () => hub.received.map(({ json }) => json.state);

describe('§4.2 the status of a commit', () => {
  test('§4.2 is told as the run moves: context, link, and how it ends', async () => {
    const id = await runOfCommit();
    await move(app, id, 'planning');
    expect(await tell()).toBe(1);
    await move(app, id, 'planned');
    await tell();
    await move(app, id, 'applying', 'applied');
    await tell();
    expect(states()).toEqual(['pending', 'pending', 'success']);
    const [first] = hub.received;
    expect(first).toMatchObject({
      path: `/repos/acme/net/statuses/${sha}`,
      headers: { authorization: 'Bearer a token' },
      json: {
        context: `terrane/${acme.name}/${workspaceName}`,
        target_url: `https://terrane.example/app/${acme.name}/workspaces/${workspaceName}/runs/${id}`,
        description: 'The run is under way',
      },
    });
    expect(await pending()).toBe(0);
  });

  test('§4.2 where it moved several times meanwhile, it is told once, as it stands', async () => {
    const id = await runOfCommit();
    await move(app, id, 'planning', 'errored');
    expect(await tell()).toBe(1);
    expect(states()).toEqual(['failure']);
  });

  test('§4.2 where it moves while its host is told, it is told again', async () => {
    const id = await runOfCommit();
    await move(app, id, 'planning');
    hub.answer(async () => {
      hub.answer(201, '{}');
      await move(app, id, 'errored');
      return 201;
    });
    await tell();
    await later();
    await tell();
    expect(states()).toEqual(['pending', 'failure']);
    expect(await pending()).toBe(0);
  });

  test('§4.2 runs of uploads, of people and of plain git are told to nobody', async () => {
    const byHand = await runOfCommit();
    await app.store.read`update runs set source = 'tfe-api' where runs.id = ${byHand}`;
    await move(app, byHand, 'planning');
    const uploaded = await run(app, acme, workspaceId, {}, { source: 'tfe-configuration-version' });
    await app.store.read`update oauth_clients set service_provider = 'git' where oauth_clients.id = ${clientId}`;
    const plain = await runOfCommit({ plan_only: true });
    await move(app, plain, 'planning');
    await app.store.read`update oauth_clients set service_provider = 'github' where oauth_clients.id = ${clientId}`;
    expect(uploaded).toBeTruthy();
    expect(await pending()).toBe(0);
  });

  test('§4.2 before there is a run the commit is told that it is fetched, and where that fails, that it failed', async () => {
    const sent = { kind: 'pull-request', branch: 'main', default_branch: 'main' } as const;
    await beginWhatFollows(
      app.store,
      {
        deliveryId: await delivery(),
        position: 0,
        source: { oauth_client_id: clientId, service_provider: 'github' },
        event: { ...event, ...sent, repository: 'acme/net' },
      },
      { changedFiles: async () => [], defaultBranch: async () => 'main' },
    );
    await tell();
    const [version] = await app.store.read`
      select configuration_versions.id from configuration_versions
      where configuration_versions.workspace_id = ${workspaceId}`;
    await app.store.transaction(sql => endFetch(sql, version!['id'], { error: 'git', reason: 'No such repository' }));
    await tell();
    expect(hub.received.map(({ json }) => [json.state, json.description])).toEqual([
      ['pending', 'The configuration is being fetched'],
      ['failure', 'The configuration could not be fetched'],
    ]);
    expect(hub.received[0]!.json.target_url).toMatch(/\/runs$/);
  });

  test('§4.2 a run whose repository was unlinked is forgotten', async () => {
    const id = await runOfCommit();
    await move(app, id, 'planning');
    await app.patch(`workspaces/${workspaceId}`, acme.owner.token, bodyOf('workspaces', { 'vcs-repo': null }));
    await tell();
    expect([hub.received.length, await pending()]).toEqual([0, 0]);
  });

  describe('a host that does not take it', () => {
    useLimits({ statusAttempts_items: 3, statusesAtOnce_items: 1 });

    test('§4.2 is asked again later, and in the end no more', async () => {
      const id = await runOfCommit();
      await move(app, id, 'planning');
      expect(claims().most).toBe(1);
      hub.answer(500);
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        expect(await pending()).toBe(1);
        await tell().catch(() => undefined);
        expect(await tell()).toBe(0);
        await later();
      }
      expect([hub.received.length, await pending()]).toEqual([3, 0]);
    });
  });

  test('§4.2 every status of a run has its word, short enough for every host', () => {
    const counts = { additions: 100_000, changes: 100_000, destructions: 100_000 };
    const said = runStatuses.map(
      status => [status, saidOf({ version_status: 'uploaded', status, ...counts })] as const,
    );
    for (const [, { description }] of said) expect(description.length).toBeLessThanOrEqual(140);
    const of = (state: string) => said.filter(([, one]) => one.state === state).map(([status]) => status);
    expect(of('failed').sort()).toEqual(['errored', 'policy_soft_failed']);
    expect(of('canceled').sort()).toEqual(['canceled', 'discarded', 'force_canceled']);
    expect(of('succeeded').sort()).toEqual(['applied', 'assessed', 'planned_and_finished']);
    expect(of('pending')).toContain('planned');
    expect(of('running')).toContain('planning');
    const none = { additions: 0, changes: 0, destructions: 0 };
    expect(saidOf({ version_status: 'uploaded', status: 'planned_and_finished', ...none }).description).toBe(
      'Plan: no changes',
    );
    expect(saidOf({ version_status: 'uploaded', status: 'planned', ...counts }).description).toContain('100000 to add');
  });
});
