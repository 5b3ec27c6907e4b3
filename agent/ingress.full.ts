/** §4.2 vcs-repo: what an agent fetches from real repositories, and what people read where it cannot. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { list } from 'tar';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { limits } from '../src/core/limits.ts';
import { fetchConfiguration, type Wanted } from '../src/runs/configuration-versions/fetch.ts';
import { endLostFetches } from '../src/runs/door/lost-fetches.ts';
import { ownTicket } from '../src/runs/door/sign-in.ts';
import { openAppOn, type TestApp } from '../test/app.ts';
import { organization, type TestOrganization } from '../test/builders/records.ts';
import { oauthConnection, workspace } from '../test/builders/workspace.ts';
import { createDatabase, createDirectory, type TestDatabase } from '../test/running/database.ts';
import {
  type GitServer,
  hasSshd,
  login,
  nameOfNobody,
  type Repository,
  repositoryIn,
  startGitServer,
  startSshd,
} from '../test/running/git-server.ts';
import { program } from '../test/running/program.ts';
import { addressOf, agentOf } from '../test/running/scripted.ts';
import type { Agent } from './agent.ts';
import { findGit } from './git.ts';
import { findIsolation } from './isolation.ts';
import type { IngressDescription } from './protocol.ts';
import { type Server, serverAt } from './server.ts';

vi.setConfig({ testTimeout: 90_000 });
const path = process.env['PATH'] ?? '';
const [isolation, { git }] = [await findIsolation(path), await findGit(path)];
const { value: fetchTime_s } = limits.fetchTime_s;
let database: TestDatabase;
let app: TestApp;
let acme: TestOrganization;
let host: GitServer;
let net: Repository;
let agent: Agent | undefined;
let directory: string;

beforeAll(async () => {
  host = await startGitServer();
  net = repositoryIn(host.directory, 'acme/net');
  database = await createDatabase();
  app = await openAppOn(database, { TERRANE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8, ::1' });
  acme = await organization(app);
});
afterEach(async () => {
  host.instead(null);
  limits.fetchTime_s.value = fetchTime_s;
  await agent?.interrupt();
  agent = undefined;
});
afterAll(async () => {
  host.close();
  await app.close();
  await database.drop();
});

async function begin(given: Partial<Parameters<typeof agentOf>[1]> = {}): Promise<void> {
  directory = createDirectory();
  const inherited = { PATH: path, SSL_CERT_FILE: host.certificate };
  agent = await agentOf(app, { engines: [], git, isolation, inherited, directory, ...given });
}

interface Linked {
  identifier?: string;
  address?: string;
  secrets?: Parameters<typeof oauthConnection>[3];
  repository?: object;
  workspace?: object;
}

/** A workspace of a repository. */
async function linked({ identifier = net.path, address = host.address, ...given }: Linked = {}): Promise<string> {
  const secrets = given.secrets ?? { token: `${login.username}:${login.password}` };
  const { tokenId } = await oauthConnection(app, acme, { service_provider: 'git', http_url: address }, secrets);
  const vcs_repo = {
    branch: '',
    identifier,
    'ingress-submodules': false,
    'oauth-token-id': tokenId,
    'app-installation-id': null,
    'tags-regex': null,
    ...given.repository,
  };
  return workspace(app, acme, { vcs_repo: app.store.read.json(vcs_repo), ...given.workspace });
}

const head: Omit<Wanted, 'workspaceId'> = {
  commit: { sha: null, branch: null, tag: null },
  isSpeculative: false,
  createdById: null,
  thenRun: null,
};
const ask = async (workspaceId: string, given: Partial<Wanted> = {}) =>
  (await app.store.transaction(sql => fetchConfiguration(sql, { ...head, workspaceId, ...given })))!;
const show = async (of: string) => (await app.get(of, acme.owner.token)).data;
const version = async (id: string) => (await show(`configuration-versions/${id}`)).attributes;
const ingress = async (id: string) => (await show(`configuration-versions/${id}/ingress-attributes`)).attributes;

async function comesTo(id: string, status: 'uploaded' | 'errored') {
  const read = async () => {
    const { status: now, 'error-message': reason } = await version(id);
    return now === status ? status : `${now}: ${reason}`;
  };
  await expect.poll(read, { timeout: 60_000, interval: 50 }).toBe(status);
  return version(id);
}

/** The names in what was uploaded. */
async function contentOf(id: string): Promise<string[]> {
  const moved = await app.get(`configuration-versions/${id}/download`, acme.owner.token);
  const { pathname, search } = new URL(moved.headers['location']!);
  const { rawPayload } = await app.app.inject({ method: 'GET', url: `${pathname}${search}` });
  const names: string[] = [];
  const reader = list({ onReadEntry: entry => void names.push(entry.path) });
  reader.end(rawPayload);
  return names.sort();
}

/** Fetches it and returns what people read of it. */
async function fetched(from: Linked, given: Partial<Wanted> = {}) {
  const id = await ask(await linked(from), given);
  await comesTo(id, 'uploaded');
  return { id, names: await contentOf(id), commit: await ingress(id) };
}
async function failed(from: Linked, given: Partial<Wanted> = {}) {
  return comesTo(await ask(await linked(from), given), 'errored');
}

/** The agent's server, but that it tells something else of the repository. */
async function renamed(told: Partial<IngressDescription>): Promise<Server> {
  const server = serverAt(await addressOf(app), () => undefined);
  const ask: Server['ask'] = async (method, path, token, given) => {
    const answer = await server.ask(method, path, token, given);
    return path === '/ingress/start' ? { ...answer, ...told } : answer;
  };
  return { ask };
}

describe.skipIf(git === null)('§4.2 vcs-repo: of a repository that only a password opens', () => {
  test('§4.2 the head of the default branch is fetched, and what its commit says is told', async () => {
    const sha = net.commit('Open the gate\n\nIt was shut.', { 'main.tf': '', 'net/gate.tf': '' });
    await begin();
    const { names, commit } = await fetched({});
    expect(names).toEqual(['main.tf', 'net/gate.tf']);
    expect(commit).toMatchObject({
      branch: 'main',
      'commit-sha': sha,
      'commit-message': 'Open the gate\n\nIt was shut.',
      identifier: 'acme/net',
      'clone-url': `${host.address}/acme/net`,
      'on-default-branch': true,
    });
    expect(readdirSync(directory).filter(name => name.startsWith('cv-'))).toEqual([]);
  });

  test('§4.2 a branch, a tag and a commit that is the head of nothing are fetched as they were asked for', async () => {
    const old = net.commit('An old one', { 'old.tf': '' });
    net.git('tag', '--annotate', '--message=One', 'v1');
    net.git('push', '--quiet', 'origin', 'v1');
    net.commit('A newer one', { 'old.tf': null });
    net.git('checkout', '--quiet', '-b', 'side');
    const side = net.commit('Beside', { 'side.tf': '' });
    net.git('checkout', '--quiet', 'main');
    await begin();
    const ofBranch = await fetched({ repository: { branch: 'side' } });
    expect(ofBranch.commit).toMatchObject({ branch: 'side', 'commit-sha': side, 'on-default-branch': false });
    const ofTag = await fetched({}, { commit: { sha: null, branch: null, tag: 'v1' } });
    expect(ofTag.commit).toMatchObject({ branch: null, tag: 'v1', 'commit-sha': old, 'commit-message': 'An old one' });
    const ofCommit = await fetched({}, { commit: { sha: old, branch: 'main', tag: null } });
    expect(ofCommit.names).toContain('old.tf');
    expect(ofCommit.commit).toMatchObject({ branch: 'main', 'commit-sha': old });
  });

  test('§4.2 what .terraformignore names stays behind, and a link that leads out of the repository', async () => {
    const rules = ['*.log', '!docs/kept.log', 'secret/', '/top.txt'].join('\n');
    repositoryIn(host.directory, 'acme/ignored').commit('All', {
      '.terraformignore': rules,
      '.terraform/providers/one': 'x',
      '.terraform/modules/one/main.tf': 'x',
      'main.tf': '',
      '@odd.tf': '',
      'top.txt': '',
      'docs/top.txt': '',
      'docs/kept.log': '',
      'docs/left.log': '',
      'secret/deep/one.tf': '',
      inside: { link: 'docs/kept.log' },
      outside: { link: '/etc/passwd' },
      above: { link: '../../elsewhere' },
    });
    await begin();
    const { names } = await fetched({ identifier: 'acme/ignored' });
    expect(names).toEqual([
      './@odd.tf',
      '.terraform/modules/one/main.tf',
      '.terraformignore',
      'docs/kept.log',
      'docs/top.txt',
      'inside',
      'main.tf',
    ]);
  });

  test('§2.2 readme: is the one of the working directory, else that of the repository, as far as it is shown', async () => {
    const told = repositoryIn(host.directory, 'acme/told');
    told.commit('Words', {
      'readme.MD': '# Net\n\0',
      'main.tf': '',
      'prod/README.md': `# Prod\n${'é'.repeat(limits.readme_bytes.value)}`,
      'stage/README.md': { link: '/etc/passwd' },
    });
    await begin();
    const readmeIn = async (working_directory: string | null) => {
      const workspaceId = await linked({ identifier: 'acme/told', workspace: { working_directory } });
      await comesTo(await ask(workspaceId), 'uploaded');
      const { document } = await app.get(`workspaces/${workspaceId}?include=readme`, acme.owner.token);
      return document['included']?.[0]?.attributes['raw-markdown'];
    };
    expect(await readmeIn(null)).toBe('# Net\n');
    const long: string = await readmeIn('prod');
    expect(long.slice(0, 8)).toBe('# Prod\né');
    expect(Buffer.byteLength(long)).toBe(limits.readme_bytes.value - 1);
    expect(await readmeIn('stage')).toBe('# Net\n');
    told.commit('Fewer words', { 'readme.MD': null });
    expect(await readmeIn(null)).toBe(undefined);
  });

  test('§4.2 what a repository brings along runs nothing: no hook, no filter, no command of a submodule', async () => {
    const traces = createDirectory();
    const trap = repositoryIn(host.directory, 'acme/trap');
    trap.commit('A trap', {
      'main.tf': '',
      '.gitattributes': '* filter=trap',
      '.gitconfig': `[filter "trap"]\n\tsmudge = touch ${join(traces, 'ran')}`,
    });
    await begin();
    await fetched({ identifier: 'acme/trap' });
    trap.git('config', '--file', '.gitmodules', 'submodule.x.update', `!touch ${join(traces, 'ran')}`);
    trap.submodule('x', '../net', net.commit('Beside a trap', { 'main.tf': '' }));
    const repository = { 'ingress-submodules': true };
    expect((await failed({ identifier: 'acme/trap', repository }))['error-message']).toContain('submodule.x.update');
    expect(existsSync(join(traces, 'ran'))).toBe(false);
  });

  test.each([
    [
      'a wrong password',
      { secrets: { token: 'ann:wr0ng-pa55word' } },
      {},
      'not_allowed',
      'does not let the connection in',
    ],
    ['no such repository', { identifier: 'acme/gone' }, {}, 'not_found', 'knows no such repository'],
    ['no such branch', { repository: { branch: 'gone' } }, {}, 'commit_not_found', 'no such branch or tag'],
    [
      'a commit that is gone',
      {},
      { commit: { sha: 'ab'.repeat(20), branch: 'main', tag: null } },
      'commit_not_found',
      'does not have the commit any more',
    ],
    ['nobody there', { address: 'https://localhost:1' }, {}, 'unreachable', 'cannot be reached'],
    ['a network that is not allowed', { address: 'https://10.0.0.1' }, {}, 'unreachable', 'private network'],
    ['a name and a password in the address', { address: 'https://a:b@localhost' }, {}, 'not_allowed', 'cannot be used'],
  ])('§4.2 %s is an error of the version, in words', async (_, from: Linked, given, error, words) => {
    await begin();
    const { 'error-message': reason, ...rest } = await failed(from, given);
    expect(rest).toMatchObject({ error, status: 'errored', 'status-timestamps': { 'errored-at': expect.any(String) } });
    expect(reason).toContain(words);
    expect(reason).not.toContain('pa55');
  });

  test('§4.2 git connects to the address that was judged, whatever the name means by then', async () => {
    net.commit('Judged', { 'main.tf': '' });
    const { port } = new URL(host.address);
    const told = (addresses: string[]) => renamed({ url: `https://${nameOfNobody}:${port}/acme/net`, addresses });
    await begin({ server: await told(['127.0.0.1']) });
    await fetched({});
    await agent!.interrupt();
    await begin({ server: await told([]) });
    expect(await failed({})).toMatchObject({ error: 'unreachable' });
  });

  test('§4.2 a branch named like a parameter of git is only a name', async () => {
    const traces = createDirectory();
    await begin();
    const branch = `--upload-pack=touch ${join(traces, 'ran')}`;
    expect(await failed({ repository: { branch } })).toMatchObject({ status: 'errored' });
    expect(existsSync(join(traces, 'ran'))).toBe(false);
  });

  test('§4.2 a host that redirects is not followed', async () => {
    host.instead((_request, response) => void response.writeHead(302, { location: 'https://localhost:1/' }).end());
    await begin();
    expect((await failed({}))['error-message']).toContain('no redirect is followed');
  });

  test('§4.2 a host that never answers is given up when the time is over', async () => {
    limits.fetchTime_s.value = 3;
    host.instead(() => undefined);
    await begin();
    const { error, 'error-message': reason } = await failed({});
    expect({ error, reason }).toEqual({
      error: 'timed_out',
      reason: 'It took longer than it may, 3 seconds for all of it.',
    });
  });

  test('§4.2 a repository that is too large for the agent is one that it says so of', async () => {
    const large = repositoryIn(host.directory, 'acme/large');
    large.commit('Much', Object.fromEntries([...'abc'].map(name => [name, randomBytes(4 * 1024 ** 2)])));
    await begin({ disk_bytes: 6 * 1024 ** 2 });
    expect(await failed({ identifier: 'acme/large' })).toMatchObject({ error: 'too_large' });
  });

  test('§4.2 an agent that has to stop says so, and the version waits no longer', async () => {
    host.instead(() => undefined);
    await begin();
    const before = host.asked.length;
    const id = await ask(await linked());
    await expect.poll(() => host.asked.length, { timeout: 20_000 }).toBeGreaterThan(before);
    const stopping = agent!.interrupt();
    expect((await comesTo(id, 'errored'))['error-message']).toContain('The agent had to stop');
    await stopping;
  });
});

test.skipIf(git === null)(
  '§4.2 an agent that is killed in the middle: the version errs after its time, and the next agent removes what was left',
  async () => {
    host.instead(() => undefined);
    const [before, place] = [host.asked.length, join(createDirectory(), 'agent')];
    const child = spawn(
      process.execPath,
      [...program, 'agent', '--built-in', '--url', await addressOf(app), '--name', 'doomed'],
      {
        env: { PATH: path, SSL_CERT_FILE: host.certificate, TERRANE_AGENT_DIR: place },
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    );
    child.stdin.write(`${ownTicket(app.config)}\n`);
    const id = await ask(await linked());
    await expect.poll(() => host.asked.length, { timeout: 30_000 }).toBeGreaterThan(before);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const asked = host.asked.length;
    expect(await endLostFetches(app.store)).toEqual([]);
    await app.store.read`update jobs set seen_at = jobs.seen_at - interval '301 seconds' where jobs.status = 'running'`;
    expect(await endLostFetches(app.store)).toEqual([id]);
    expect(await version(id)).toMatchObject({ status: 'errored', error: 'agent_lost' });
    const left = join(place, id);
    await begin({ directory: place });
    expect(existsSync(join(left, 'home/.gitconfig'))).toBe(true);
    await agent!.drain();
    const hoursAgo = Date.now() / 1000 - 7200;
    utimesSync(left, hoursAgo, hoursAgo);
    await begin({ directory: place });
    await expect.poll(() => existsSync(left)).toBe(false);
    expect(host.asked.length).toBe(asked);
  },
);

describe.skipIf(git === null)('§4.2 vcs-repo: submodules', () => {
  const repository = { 'ingress-submodules': true };
  const withModule = (name: string, url: string) => {
    const sha = repositoryIn(host.directory, `${name}-module`).commit('A module', { 'module.tf': '' });
    const outer = repositoryIn(host.directory, name);
    outer.commit('First', { 'main.tf': '' });
    outer.submodule('modules/one', url, sha);
  };

  test('§4.2 are fetched where the workspace says so, and not where it does not', async () => {
    withModule('acme/outer', '../outer-module');
    await begin();
    const { names } = await fetched({ identifier: 'acme/outer', repository });
    expect(names).toEqual(['.gitmodules', 'main.tf', 'modules/one/module.tf']);
    expect((await fetched({ identifier: 'acme/outer' })).names).toEqual(['.gitmodules', 'main.tf']);
  });

  test.each([
    ['another host', 'https://127.0.0.1:1/acme/module'],
    ['another host by a path', '../../../127.0.0.1:1/acme/module'],
    ['the disk', '/etc'],
    ['a command', 'ext::sh -c touch'],
  ])('§4.2 at %s are not fetched by an agent of the server', async (name, url) => {
    const identifier = `acme/outer-${name.replaceAll(' ', '-')}`;
    withModule(identifier, url);
    await begin();
    expect((await failed({ identifier, repository }))['error-message']).toContain('at another host');
  });

  test('§4.2 that are more than anybody reads through are not followed: one behind the end of what is read could be anywhere', async () => {
    const beside = createServer(socket => socket.destroy()).listen(0, '127.0.0.1');
    await once(beside, 'listening');
    let calls = 0;
    beside.on('connection', () => {
      calls += 1;
    });
    const outer = repositoryIn(host.directory, 'acme/outer-long');
    const urls = [
      ...Array.from({ length: 11 }, () => `${host.address}/${'a'.repeat(100_000)}`),
      `https://127.0.0.1:${(beside.address() as AddressInfo).port}/acme/module`,
    ];
    const name = (index: number) => `m${String(index).padStart(2, '0')}`;
    const settings = urls.map(
      (url, index) => `[submodule "${name(index)}"]\n\tpath = ${name(index)}\n\turl = ${url}\n`,
    );
    const sha = outer.commit('First', { 'main.tf': '', '.gitmodules': settings.join('') });
    for (const index of urls.keys()) outer.git('update-index', '--add', '--cacheinfo', `160000,${sha},${name(index)}`);
    outer.git('commit', '--quiet', '--message=Much');
    outer.git('push', '--quiet', 'origin', 'HEAD');
    await begin();
    const { error, 'error-message': reason } = await failed({ identifier: 'acme/outer-long', repository });
    beside.close();
    expect({ error, calls, reason }).toEqual({
      error: 'too_large',
      calls: 0,
      reason: expect.stringContaining('1 MiB'),
    });
  });
});

describe.skipIf(git === null || !hasSshd)('§4.2 vcs-repo: by ssh', () => {
  test('§4.2 a repository is read with the key of the connection, and not with another one', async () => {
    const sshd = await startSshd();
    try {
      net.commit('By ssh', { 'ssh.tf': '' });
      const from = { address: `${sshd.address}${host.directory}` };
      await begin();
      const { names, commit } = await fetched({ ...from, secrets: { sshKey: sshd.key } });
      expect(names).toContain('ssh.tf');
      expect(commit['clone-url']).toBe(`${sshd.address}${host.directory}/acme/net`);
      await agent!.interrupt();
      const url = `${sshd.address.replace('localhost', nameOfNobody)}${host.directory}/acme/net`;
      await begin({ server: await renamed({ url, addresses: ['127.0.0.1'] }) });
      await fetched({ ...from, secrets: { sshKey: sshd.key } });
      await agent!.interrupt();
      await begin();
      const other = await startSshd();
      other.close();
      const { error, 'error-message': reason } = await failed({ ...from, secrets: { sshKey: other.key } });
      expect({ error, reason }).toEqual({ error: 'not_allowed', reason: expect.stringContaining('the SSH key') });
    } finally {
      sshd.close();
    }
  });
});
