/** §4.2 What forges say seldom, and where what they say has an end. */
import { describe, expect, test } from 'vitest';
import { after, before, deliver, nothing, type Sample, samples } from '../../../test/builders/deliveries.ts';
import { limits } from '../../core/limits.ts';
import { type CommitStatus, type Connection, MalformedDelivery, type RepositoryEvent } from './forge.ts';
import { forgeOf } from './forges.ts';
import { type ServiceProvider, serviceProviders } from './providers.ts';

const read = (provider: ServiceProvider, sample: Sample) => forgeOf(provider).read(deliver(provider, sample, 's'));
const has = (sample: Sample, headers: Record<string, string>) => ({
  ...sample,
  headers: { ...sample.headers, ...headers },
});

/** The sample with something else at `a.0.b` of its body. */
function but(sample: Sample, path: string, value: unknown): Sample {
  const body = structuredClone(sample.body);
  const names = path.split('.');
  const holder = names.slice(0, -1).reduce<object>((at, name) => Reflect.get(at, name), body);
  Reflect.set(holder, names.at(-1)!, value);
  return { ...sample, body };
}

type Hosted = Exclude<ServiceProvider, 'git'>;
const hosted = serviceProviders.filter((provider): provider is Hosted => provider !== 'git');
const kinds = ['github', 'gitea', 'gitlab_hosted', 'bitbucket_hosted', 'bitbucket_server', 'ado_services'] as const;
const connectionTo = (service_provider: ServiceProvider): Connection => ({
  service_provider,
  http_url: 'https://forge.example',
  api_url: 'https://api.example',
  token: 't0k',
});
const question = (provider: ServiceProvider, event: RepositoryEvent) =>
  forgeOf(provider).changedFiles(connectionTo(provider), event);
const pushTo = (provider: ServiceProvider) => read(provider, samples[provider].push)[0]!;
const pullTo = (provider: ServiceProvider) => read(provider, samples[provider].pullRequest)[0]!;

describe('§4.2 what a commit is told', () => {
  const states = ['pending', 'running', 'succeeded', 'failed', 'canceled'] as const;
  const bitbucket = ['INPROGRESS', 'INPROGRESS', 'SUCCESSFUL', 'FAILED'];
  const words: Record<Hosted, string[]> = {
    ...all(['github', 'github_enterprise', 'gitea', 'forgejo'], ['pending', 'pending', 'success', 'failure', 'error']),
    ...all(
      ['gitlab_hosted', 'gitlab_community_edition', 'gitlab_enterprise_edition'],
      ['pending', 'running', 'success', 'failed', 'canceled'],
    ),
    ...all(['ado_server', 'ado_services'], ['pending', 'pending', 'succeeded', 'failed', 'error']),
    bitbucket_hosted: [...bitbucket, 'STOPPED'],
    bitbucket_data_center: [...bitbucket, 'CANCELLED'],
    bitbucket_server: [...bitbucket, 'FAILED'],
  };
  function all<Name extends string>(names: Name[], said: string[]) {
    return Object.fromEntries(names.map(name => [name, said])) as Record<Name, string[]>;
  }
  const told = (provider: Hosted, given: Partial<CommitStatus>) => {
    const status = { context: 'terrane', description: '', url: '', sha: after, repository: 'acme/net' };
    const request = forgeOf(provider).status(connectionTo(provider), { state: 'pending', ...status, ...given })!;
    return JSON.parse(request.body!);
  };

  test.each(hosted)('§4.2 %s is told each state in its word for it', provider => {
    expect(states.map(state => told(provider, { state }).state)).toEqual(words[provider]);
  });

  test('§4.2 the key of a status of Bitbucket has forty characters, and is the name where that is no longer', () => {
    const keyOf = (context: string) => told('bitbucket_hosted', { context }).key;
    expect(keyOf('a'.repeat(40))).toBe('a'.repeat(40));
    expect(keyOf('a'.repeat(41))).toMatch(/^[0-9a-f]{40}$/);
  });
});

describe('§4.2 what changed', () => {
  const path = (name: string) => ({ toString: name });
  const answers: Record<(typeof kinds)[number], { renamed: unknown; incomplete: unknown[] }> = {
    github: {
      renamed: { files: [{ filename: 'new.tf', previous_filename: 'old.tf' }, { filename: 'main.tf' }] },
      incomplete: [{ files: Array.from({ length: 300 }, (_, n) => ({ filename: `${n}.tf` })) }],
    },
    gitea: {
      renamed: {
        total_commits: 1,
        commits: [{ files: ['new.tf', 'old.tf', 'main.tf'].map(filename => ({ filename })) }],
      },
      incomplete: [
        { total_commits: 0, commits: [] },
        { total_commits: 2, commits: [{ files: [{ filename: 'main.tf' }] }] },
      ],
    },
    gitlab_hosted: {
      renamed: {
        diffs: [
          { old_path: 'old.tf', new_path: 'new.tf' },
          { old_path: 'main.tf', new_path: 'main.tf' },
        ],
      },
      incomplete: [
        { compare_timeout: true, diffs: [{ old_path: 'main.tf', new_path: 'main.tf' }] },
        { diffs: Array.from({ length: 1000 }, (_, n) => ({ old_path: `${n}.tf`, new_path: `${n}.tf` })) },
      ],
    },
    bitbucket_hosted: {
      renamed: {
        values: [
          { old: { path: 'old.tf' }, new: { path: 'new.tf' } },
          { old: { path: 'main.tf' }, new: null },
        ],
      },
      incomplete: [{ next: 'https://api.example/2', values: [{ new: { path: 'main.tf' } }] }],
    },
    bitbucket_server: {
      renamed: {
        isLastPage: true,
        values: [{ path: path('new.tf'), srcPath: path('old.tf') }, { path: path('main.tf') }],
      },
      incomplete: [
        { isLastPage: true, values: [] },
        { isLastPage: false, values: [{ path: path('main.tf') }] },
        // Every object has a method of that name.
        { isLastPage: true, values: [{ path: {} }] },
      ],
    },
    ado_services: {
      renamed: {
        allChangesIncluded: true,
        changes: [
          { item: { path: '/new.tf' }, sourceServerItem: '/old.tf' },
          { item: { path: '/main.tf' } },
          { item: { path: '/modules', isFolder: true } },
        ],
      },
      incomplete: [{ allChangesIncluded: false, changes: [{ item: { path: '/main.tf' } }] }],
    },
  };

  test.each(kinds)('§4.2 %s: a file that was renamed changed under both names', provider => {
    const files = question(provider, pushTo(provider))!.read(answers[provider].renamed);
    expect(files?.sort()).toEqual(['main.tf', 'new.tf', 'old.tf']);
  });

  test.each(kinds)('§4.2 %s: an answer that is not all of it says nothing', provider => {
    const { read: filesOf } = question(provider, pushTo(provider))!;
    for (const answer of answers[provider].incomplete) expect([answer, filesOf(answer)]).toEqual([answer, null]);
  });

  test('§4.2 as many files as a comparison lists at most are not all of them', () => {
    const files = Array.from({ length: 299 }, (_, n) => ({ filename: `${n}.tf` }));
    expect(question('github', pushTo('github'))!.read({ files })).toHaveLength(299);
    const diffs = Array.from({ length: 999 }, (_, n) => ({ old_path: `${n}.tf`, new_path: `${n}.tf` }));
    expect(question('gitlab_hosted', pushTo('gitlab_hosted'))!.read({ diffs })).toHaveLength(999);
  });

  test.each(kinds)('§4.2 %s is asked about two commits, or not at all', provider => {
    const event = pushTo(provider);
    expect(question(provider, { ...event, base_sha: null })).toBe(null);
    expect(question(provider, { ...event, commit_sha: null })).toBe(null);
  });

  test.each([
    ['github', `/compare/${before}...${after}`],
    ['gitea', `/compare/${before}...${after}`],
    ['gitlab_hosted', `from=main&to=${after}&straight=false`],
    ['bitbucket_hosted', 'gate..main?pagelen=500&topic=true'],
    ['bitbucket_server', `from=${after}&to=${before}`],
    ['ado_services', 'diffCommonCommit=true'],
  ] as const)('§4.2 %s is asked what a pull request adds to its target', (provider, asked) => {
    expect(question(provider, pullTo(provider))!.request.url).toContain(asked);
  });

  test.each(['github', 'gitea', 'gitlab_hosted'] as const)('§4.2 %s: a file that was removed changed', provider => {
    const removed = but(samples[provider].push, 'commits.0', { id: after, removed: ['gone.tf'] });
    expect(read(provider, removed)[0]!.changed_files).toEqual(['gone.tf']);
  });
});

describe('§4.2 what follows', () => {
  const [{ push, pullRequest }, bitbucket, server, azure] = [
    samples.github,
    samples.bitbucket_hosted,
    samples.bitbucket_server,
    samples.ado_services,
  ];
  test.each<[ServiceProvider, Sample, number]>([
    ['github', but(push, 'ref', 'refs/notes/commits'), 0],
    ['gitea', but(samples.gitea.push, 'ref', 'refs/notes/commits'), 0],
    ['gitlab_hosted', but(samples.gitlab_hosted.push, 'ref', 'refs/notes/commits'), 0],
    ['bitbucket_server', but(server.push, 'changes.0.ref.id', 'refs/notes/commits'), 0],
    ['bitbucket_server', but(server.push, 'changes.0.type', 'DELETE'), 0],
    ['bitbucket_server', but(server.push, 'changes.0.toHash', nothing), 0],
    ['bitbucket_hosted', but(bitbucket.push, 'push.changes.0.new.type', 'bookmark'), 0],
    ['ado_services', but(azure.push, 'resource.refUpdates.0.name', 'refs/notes/commits'), 0],
    ['ado_services', but(azure.pullRequest, 'resource.sourceRefName', 'refs/pull/7/head'), 0],
    ['ado_services', but(azure.pullRequest, 'resource.targetRefName', 'refs/tags/v1'), 0],
    ['ado_services', but(azure.pullRequest, 'eventType', 'git.pullrequest.updated'), 1],
    ['bitbucket_hosted', has(bitbucket.pullRequest, { 'x-event-key': 'pullrequest:updated' }), 1],
    ['bitbucket_hosted', has(bitbucket.pullRequest, { 'x-event-key': 'pullrequest:approved' }), 0],
    ['bitbucket_hosted', but(bitbucket.pullRequest, 'pullrequest.state', null), 1],
    ['bitbucket_server', has(server.pullRequest, { 'x-event-key': 'pr:from_ref_updated' }), 1],
    ['bitbucket_server', has(server.pullRequest, { 'x-event-key': 'pr:merged' }), 0],
    ['gitlab_hosted', but(samples.gitlab_hosted.pullRequest, 'object_attributes.action', 'reopen'), 1],
    ['gitea', but(samples.gitea.pullRequest, 'action', 'reopened'), 1],
    ['github', but(but(pullRequest, 'action', 'edited'), 'changes', { title: {} }), 0],
    ['github', but(but(pullRequest, 'action', 'labeled'), 'changes', { base: {} }), 0],
  ])('§4.2 %s: %j → %i', (provider, sample, count) => {
    expect(read(provider, sample)).toHaveLength(count);
  });

  test.each(['github', 'gitea'] as const)('§4.2 %s: a push that names no head is the commit behind it', provider => {
    const bare = but(samples[provider].push, 'head_commit', null);
    expect(read(provider, bare)).toMatchObject([{ commit_sha: after, commit_message: null, commit_url: null }]);
  });

  test.each([
    ['github', 'before'],
    ['gitea', 'before'],
    ['gitlab_hosted', 'before'],
    ['bitbucket_hosted', 'push.changes.0.old'],
    ['bitbucket_server', 'changes.0.fromHash'],
    ['ado_services', 'resource.refUpdates.0.oldObjectId'],
  ] as const)('§4.2 %s: a tag that was moved is compared with nothing', (provider, at) => {
    const old = provider === 'bitbucket_hosted' ? { target: { hash: 'c'.repeat(40) } } : 'c'.repeat(40);
    expect(read(provider, but(samples[provider].tag, at, old))).toMatchObject([{ kind: 'tag', base_sha: null }]);
  });

  test('§4.2 a commit has the message that is its own', () => {
    expect(read('bitbucket_server', but(server.push, 'toCommit.id', before))[0]!.commit_message).toBe(null);
    expect(read('gitlab_hosted', but(samples.gitlab_hosted.push, 'commits.0.id', before))[0]!.commit_message).toBe(
      null,
    );
    expect(read('ado_services', but(azure.push, 'resource.commits.0.commitId', before))[0]!.commit_message).toBe(null);
  });

  test('§4.2 whoever has no short name is called by the long one', () => {
    const senderOf = (provider: ServiceProvider, sample: Sample) => read(provider, sample)[0]!.sender?.username;
    expect(senderOf('bitbucket_hosted', but(bitbucket.push, 'actor', { display_name: 'Ann A.' }))).toBe('Ann A.');
    expect(senderOf('bitbucket_hosted', but(bitbucket.push, 'actor', { nickname: 'ann', display_name: 'A' }))).toBe(
      'ann',
    );
    expect(senderOf('ado_services', but(azure.push, 'resource.pushedBy', { displayName: 'Ann A.' }))).toBe('Ann A.');
    expect(senderOf('github', but(push, 'sender', null))).toBe(undefined);
  });

  test.each([
    ['github', 'number'],
    ['gitea', 'number'],
    ['gitlab_hosted', 'object_attributes.iid'],
    ['bitbucket_hosted', 'pullrequest.id'],
    ['bitbucket_server', 'pullRequest.id'],
    ['ado_services', 'resource.pullRequestId'],
    ['git', 'pull_request.number'],
  ] as const)('§4.2 %s: pull requests have numbers from 1 to the largest that is kept', (provider, at) => {
    const numbered = (number: number) => read(provider, but(samples[provider].pullRequest, at, number));
    for (const number of [1, 2 ** 31 - 1]) expect(numbered(number)[0]!.pull_request?.number).toBe(number);
    for (const number of [0, 2 ** 31]) expect(() => numbered(number)).toThrow(MalformedDelivery);
  });
});

describe('§4.2 what is asked in which name', () => {
  const connected = (provider: ServiceProvider, token: string) => ({ ...connectionTo(provider), token });
  const branchOf = (token: string) =>
    forgeOf('bitbucket_hosted').defaultBranch(connected('bitbucket_hosted', token), 'acme/net')!.request.headers;
  const cloneOf = (provider: ServiceProvider, identifier: string, token = 't0k') =>
    forgeOf(provider).clone(connected(provider, token), identifier);

  test('§4.2 of Terrane, for JSON; a token alone is a bearer, and one behind a colon is a password', () => {
    const same = { accept: 'application/json', 'user-agent': 'Terrane' };
    expect(branchOf('t0k')).toEqual({ ...same, authorization: 'Bearer t0k' });
    const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
    expect(branchOf('ann:t0k')).toEqual({ ...same, authorization: basic('ann:t0k') });
    expect(branchOf(':t0k')).toEqual({ ...same, authorization: basic(':t0k') });
    expect(cloneOf('git', 'acme/net', ':t0k')).toMatchObject({ username: '', password: 't0k' });
  });

  test('§4.2 a name that ends in .git does so once, and what is no escape stands for itself', () => {
    expect(cloneOf('github', 'acme/net.git').url).toBe('https://forge.example/acme/net.git');
    expect(cloneOf('git', 'acme/100%net').url).toBe('https://forge.example/acme/100%25net');
  });
});

describe('§4.2 what has an end', () => {
  test('§4.2 ids, addresses and paths as long as they may be are taken', () => {
    const { eventLine_characters, changedPath_characters } = limits;
    const delivery = deliver('git', samples.git.push, 's');
    const idOf = (id: string) => forgeOf('git').deliveryId({ ...delivery, headers: { 'terrane-delivery': id } });
    expect([idOf('7'.repeat(255)), idOf('7'.repeat(256))]).toEqual(['7'.repeat(255), null]);
    const long = deliver('ado_services', but(samples.ado_services.push, 'id', '7'.repeat(300)), 's');
    expect(forgeOf('ado_services').deliveryId(long)).toBe('7'.repeat(255));
    const addressOf = (length: number) => 'https://git.example/'.padEnd(length, 'a');
    const linked = (length: number) =>
      read('github', but(samples.github.push, 'compare', addressOf(length)))[0]!.compare_url;
    const most = eventLine_characters.value;
    expect([linked(most), linked(most + 1)]).toEqual([addressOf(most), null]);
    expect(read('github', but(samples.github.push, 'compare', 'no address'))[0]!.compare_url).toBe(null);
    const [path, { push }] = ['a'.repeat(changedPath_characters.value), samples.github];
    expect(read('github', but(push, 'commits.0.removed', [path]))[0]!.changed_files).toContain(path);
    expect(read('github', but(push, 'commits.0.removed', [`${path}a`]))[0]!.changed_files).toBe(null);
  });
});
