/** §4.2 The hook of docs/version-control.md in a real repository: a push of git begins what it should. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { organization, type TestOrganization } from '../../../test/builders/records.ts';
import { hookOfPage, webhook } from '../../../test/builders/webhook.ts';
import { oauthConnection, workspace } from '../../../test/builders/workspace.ts';
import { workOffClaims } from '../../core/claims.ts';
import { repositoryEvents } from './work-off.ts';

const app = useApp();
const run = promisify(execFile);
const programs = ['git', 'jq', 'openssl', 'curl'];
const missing = programs.filter(name => {
  try {
    execFileSync('which', [name]);
    return false;
  } catch {
    return true;
  }
});

let acme: TestOrganization;
let directory: string;
let clientId: string;
let tokenId: string;
beforeAll(async () => {
  acme = await organization(app);
  ({ clientId, tokenId } = await oauthConnection(app, acme, { service_provider: 'git' }));
  directory = mkdtempSync(join(tmpdir(), 'terrane-hook-'));
  await app.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const settings = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', USER: 'ann' };
const git = async (...words: string[]) => {
  const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-c', 'init.defaultBranch=main'];
  const env = { PATH: process.env['PATH'], ...settings };
  const { stdout } = await run('git', [...identity, ...words], { cwd: join(directory, 'work'), env });
  return stdout.trim();
};

const told = async (): Promise<Document> => {
  await workOffClaims(repositoryEvents(() => ({ store: app.store, config: app.config })));
  const { data } = await app.get(`oauth-clients/${clientId}/webhook-deliveries`, acme.owner.token);
  return data[0].attributes;
};
const linked = (of: object = {}, given: object = {}) => {
  const repository = { branch: '', identifier: 'acme/network', 'ingress-submodules': false, 'oauth-token-id': tokenId };
  const whole = { ...repository, 'app-installation-id': null, 'tags-regex': null, ...of };
  return workspace(app, acme, { queue_all_runs: true, vcs_repo: app.store.read.json(whole as never), ...given });
};

test.skipIf(missing.length > 0)(
  '§4.2 the hook that people are shown tells of pushes, files, tags and people',
  async () => {
    const { secret } = await webhook(app, acme, clientId);
    writeFileSync(join(directory, 'secret'), `${secret}\n`, { mode: 0o600 });
    await run('git', ['-c', 'init.defaultBranch=main', 'init', '--bare', 'hub'], { cwd: directory });
    const { port } = app.app.server.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}/webhooks/vcs/${clientId}`;
    const hook = hookOfPage({ address, secret_file: join(directory, 'secret') });
    writeFileSync(join(directory, 'hub/hooks/post-receive'), hook, { mode: 0o755 });
    await run('git', ['clone', 'hub', 'work'], { cwd: directory });
    const everything = await linked();
    const modules = await linked({}, { trigger_patterns: ['modules/**/*.tf'] });
    const tagged = await linked({ 'tags-regex': '^v' });
    const begun = (attributes: Document) =>
      attributes.outcomes.filter(({ begins }: Document) => begins).map((one: Document) => one['workspace-id']);
    const commit = async (file: string, message: string) => {
      writeFileSync(join(directory, 'work', file), message);
      await git('add', '--all');
      await git('commit', '--message', message);
      return git('rev-parse', 'HEAD');
    };

    const first = await commit('main.tf', 'A "first" commit\n\nwith ümlauts \\ and more');
    await git('push', 'origin', 'HEAD:main');
    const began = await told();
    expect(began.events).toEqual([
      expect.objectContaining({
        kind: 'push',
        repository: 'acme/network',
        branch: 'main',
        'commit-sha': first,
        sender: 'ann',
      }),
    ]);
    // A new branch: nobody knows what changed.
    expect(begun(began).sort()).toEqual([everything, modules].sort());
    const [{ 'configuration-version-id': version }] = began.outcomes;
    const ingress = await app.get(`configuration-versions/${version}/ingress-attributes`, acme.owner.token);
    expect(ingress.data.attributes).toMatchObject({
      'commit-message': 'A "first" commit\n\nwith ümlauts \\ and more',
      'on-default-branch': true,
    });

    await commit('other "näme".md', 'Words');
    await git('push', 'origin', 'HEAD:main');
    expect(begun(await told())).toEqual([everything]);
    mkdirSync(join(directory, 'work/modules/net'), { recursive: true });
    await commit('modules/net/main.tf', 'A module');
    await git('push', 'origin', 'HEAD:main');
    expect(begun(await told()).sort()).toEqual([everything, modules].sort());
    await git('push', 'origin', 'HEAD:feature');
    expect(begun(await told())).toEqual([]);
    await git('tag', '--annotate', 'v1.0', '--message', 'One');
    await git('push', 'origin', 'v1.0');
    const ofTag = await told();
    expect(ofTag.events[0]).toMatchObject({ kind: 'tag', tag: 'v1.0', 'commit-sha': await git('rev-parse', 'HEAD') });
    expect(begun(ofTag)).toEqual([tagged]);

    // Back to an older commit, and forth again: each is a push of its own.
    await git('push', '--force', 'origin', `${first}:main`);
    expect((await told()).events[0]['commit-sha']).toBe(first);
    await git('push', 'origin', 'HEAD:main');
    expect(begun(await told()).sort()).toEqual([everything, modules].sort());
    const count = async () => (await app.store.read`select from webhook_deliveries`).length;
    expect(await count()).toBe(7);
    await git('push', 'origin', '--delete', 'feature');
    expect(await count()).toBe(7);
  },
);
