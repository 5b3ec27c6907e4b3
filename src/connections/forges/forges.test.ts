/** What each forge sends, and that no delivery, whatever is in it, does more than be refused. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { after, before, deliver, nothing, type Sample, samples } from '../../../test/builders/deliveries.ts';
import { limits } from '../../core/limits.ts';
import { MalformedDelivery, type RepositoryEvent } from './forge.ts';
import { forgeOf } from './forges.ts';
import { type ServiceProvider, serviceProviders } from './providers.ts';

const secret = 'a secret of this connection';

function read(provider: ServiceProvider, sample: Sample): RepositoryEvent[] {
  return forgeOf(provider).read(deliver(provider, sample, secret));
}

/** The sample with a member of its body, however deep, set to something else. */
function changed(sample: Sample, path: string, value: unknown): Sample {
  const body = structuredClone(sample.body);
  const names = path.split('.');
  let at: Record<string, unknown> = body;
  for (const name of names.slice(0, -1)) at = at[name] as Record<string, unknown>;
  at[names.at(-1)!] = value;
  return { ...sample, body };
}

const identifierOf = (provider: ServiceProvider) => (provider.startsWith('ado') ? 'acme/Shop/_git/net' : 'acme/net');
/** Those whose pushes say which files changed, and those whose deliveries name the default branch. */
const listsFiles = (provider: ServiceProvider) => !/^(?:ado|bitbucket)/.test(provider);
const namesDefault = (provider: ServiceProvider) => !/^bitbucket_(?:server|data)/.test(provider);

describe.each(serviceProviders)('§4.2 vcs-repo: %s', provider => {
  const forge = forgeOf(provider);
  const { push, tag, deleted, pullRequest, fork, closed, other } = samples[provider];

  test("§4.2 a delivery is the forge's own with the secret, and with no other, none, or a part of it", () => {
    const sent = deliver(provider, push, secret);
    expect(forge.isSigned(sent, secret)).toBe(true);
    expect(forge.isSigned(sent, `${secret}s`)).toBe(false);
    expect(forge.isSigned(sent, '')).toBe(false);
    expect(forge.isSigned({ ...sent, headers: {} }, secret)).toBe(false);
    expect(forge.isSigned({ ...sent, headers: {} }, '')).toBe(false);
    for (const [name, value] of Object.entries(sent.headers)) {
      const headers = { ...sent.headers, [name]: value?.slice(0, -4) };
      const isProof = /signature|token|authorization/.test(name);
      // Forgejo's own header counts, and the one that it sends beside it does not.
      const isSpare = provider === 'forgejo' && name.startsWith('x-gitea');
      expect([name, forge.isSigned({ ...sent, headers }, secret)]).toEqual([name, !isProof || isSpare]);
    }
  });

  test('§4.2 a delivery has an id', () => {
    expect(forge.deliveryId(deliver(provider, push, secret))).toMatch(
      /^(?:github|gitlab|gitea|forgejo|bitbucket|ado|git)-/,
    );
    expect(forge.deliveryId({ headers: {}, body: Buffer.from('{') })).toBe(null);
  });

  test('§4.2 a push', () => {
    const [event, ...rest] = read(provider, push);
    expect(rest).toEqual([]);
    expect(event).toMatchObject({
      kind: 'push',
      repository: identifierOf(provider),
      branch: 'main',
      default_branch: namesDefault(provider) ? 'main' : null,
      tag: null,
      commit_sha: after,
      base_sha: before,
      commit_message: 'Open the gate',
      changed_files: listsFiles(provider) ? ['gate.tf', 'main.tf'] : null,
      sender: { username: 'ann' },
      pull_request: null,
    });
    expect(event?.commit_url).toMatch(/^https:\/\/.*\/commits?\/b/);
  });

  test('§4.2 a tag is the commit that it names, and changes no files', () => {
    expect(read(provider, tag)).toMatchObject([
      { kind: 'tag', branch: null, tag: 'v1.0', commit_sha: after, base_sha: null, changed_files: null },
    ]);
  });

  test('§4.2 nothing follows from a branch that is gone, a request that is closed, and other events', () => {
    expect([deleted, closed, other].map(sample => read(provider, sample))).toEqual([[], [], []]);
  });

  test('§4.2 a pull request', () => {
    expect(read(provider, pullRequest)).toMatchObject([
      {
        kind: 'pull-request',
        repository: identifierOf(provider),
        branch: 'main',
        default_branch: namesDefault(provider) ? 'main' : null,
        tag: null,
        commit_url: provider.startsWith('bitbucket') ? null : expect.stringMatching(/^https:\/\/.*\/commits?\/b/),
        // Bitbucket's cloud has a part of it only.
        commit_sha: provider === 'bitbucket_hosted' ? null : after,
        sender: { username: 'ann' },
        pull_request: {
          number: 7,
          title: 'A gate',
          body: 'So that one can enter.',
          head_branch: 'gate',
          is_fork: false,
        },
      },
    ]);
  });

  test('§4.2 a pull request of a fork is told from others', () => {
    expect(read(provider, fork)).toMatchObject([{ pull_request: { is_fork: true } }]);
  });

  test('§4.2 a delivery of garbage is refused with a reason, and is never an error of ours', () => {
    const kinds = [push, tag, deleted, pullRequest, fork, closed, other];
    const garbage = fc.oneof(fc.jsonValue(), fc.constantFrom(null, '', '\0', '\ud800', -1, 1e300, [], {}, '__proto__'));
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.nat(), garbage, (sample, at, value) => {
        const places = placesIn(sample.body);
        const events = () => read(provider, changed(sample, places[at % places.length]!, value));
        try {
          for (const event of events()) expectKeepable(event);
        } catch (fault) {
          expect(fault).toBeInstanceOf(MalformedDelivery);
        }
      }),
      { numRuns: 500 },
    );
    for (const body of ['', 'null', '[]', '"x"', '{"__proto__":1}', '{'.repeat(10_000), '['.repeat(100_000)]) {
      const sent = { ...deliver(provider, push, secret), body: Buffer.from(body) };
      expect(() => forge.read(sent)).toThrow(MalformedDelivery);
    }
  });
});

const memberOf = (body: object, path: string) =>
  path.split('.').reduce<unknown>((at, name) => Reflect.get(Object(at), name), body);

/** `a.b.0.c` for every value in it. */
function placesIn(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    `${prefix}${name}`,
    ...placesIn(member, `${prefix}${name}.`),
  ]);
}

/** The database takes it, people may follow what is a link, and what must be there is there. */
function expectKeepable(event: RepositoryEvent): void {
  const json = JSON.stringify(event);
  expect(json).not.toContain('\\u0000');
  expect(json.isWellFormed() && !/\\ud[89a-f]/i.test(json)).toBe(true);
  for (const address of [event.commit_url, event.compare_url, event.sender?.html_url, event.pull_request?.url]) {
    expect(address ?? 'https://').toMatch(/^https?:/);
  }
  expect(event.branch ?? event.tag).toBeTruthy();
  expect(event.commit_sha ?? event.pull_request?.head_branch).toBeTruthy();
}

describe('§4.2 vcs-repo: which files changed', () => {
  const commits = (count: number) => Array.from({ length: count }, (_, n) => ({ id: after, added: [`${n}.tf`] }));
  const filesOf = (provider: ServiceProvider, path: string, value: unknown, then?: [string, unknown]) => {
    const sample = changed(samples[provider].push, path, value);
    return read(provider, then ? changed(sample, ...then) : sample)[0]?.changed_files;
  };

  test('§4.2 GitHub does not say whether there were more commits than it lists', () => {
    expect(filesOf('github', 'commits', commits(19))).toHaveLength(19);
    expect(filesOf('github', 'commits', commits(20))).toBe(null);
  });

  test('§4.2 GitHub tells of a branch whose history is another now: everything counts', () => {
    const [event] = read('github', changed(samples.github.push, 'forced', true));
    expect(event).toMatchObject({ base_sha: null, changed_files: null });
  });

  test.each([
    ['gitlab_hosted', 'total_commits_count'],
    ['gitea', 'total_commits'],
  ] as const)('§4.2 %s counts the commits that it does not list', (provider, total) => {
    expect(filesOf(provider, 'commits', commits(2), [total, 2])).toEqual(['0.tf', '1.tf']);
    expect(filesOf(provider, 'commits', commits(2), [total, 3])).toBe(null);
    expect(filesOf(provider, total, undefined)).toBe(null);
  });

  test.each(['github', 'gitlab_hosted', 'gitea', 'forgejo'] as const)(
    '§4.2 %s: a new branch, and one that is set back, say nothing',
    provider => {
      expect(filesOf(provider, 'before', nothing)).toBe(null);
      expect(filesOf(provider, 'commits', [])).toBe(null);
    },
  );
});

describe('§4.2 vcs-repo: what forges tell in their own way', () => {
  test('§4.2 one delivery of Bitbucket and of Azure DevOps tells of all branches of a push, up to a limit', () => {
    const most = limits.pushedReferences_items.value;
    const places = [
      ['bitbucket_hosted', 'push.changes'],
      ['bitbucket_server', 'changes'],
      ['ado_services', 'resource.refUpdates'],
    ] as const;
    for (const [provider, path] of places) {
      const one = memberOf(samples[provider].push.body, path) as object[];
      const many = (count: number) => changed(samples[provider].push, path, Array(count).fill(one[0]));
      expect(read(provider, many(most))).toHaveLength(most);
      expect(() => read(provider, many(most + 1))).toThrow(MalformedDelivery);
    }
  });

  test('§4.2 a pull request begins anew with new commits, and where it goes to another branch', () => {
    const { pullRequest } = samples.github;
    const actions = ['opened', 'reopened', 'synchronize', 'edited', 'labeled', 'closed'];
    expect(actions.filter(action => read('github', changed(pullRequest, 'action', action)).length)).toEqual(
      actions.slice(0, 3),
    );
    const edited = changed(changed(pullRequest, 'action', 'edited'), 'changes', { base: { ref: { from: 'next' } } });
    expect(read('github', edited)).toHaveLength(1);
    const merge = changed(samples.gitlab_hosted.pullRequest, 'object_attributes.action', 'update');
    expect(read('gitlab_hosted', merge)).toEqual([]);
    expect(read('gitlab_hosted', changed(merge, 'object_attributes.oldrev', before))).toHaveLength(1);
    expect(read('gitea', changed(samples.gitea.pullRequest, 'action', 'synchronized'))).toHaveLength(1);
    expect(read('gitea', changed(samples.gitea.pullRequest, 'action', 'edited'))).toEqual([]);
  });

  test('§4.2 a fork that is gone is one, and so is a pull request without a branch, which readers may make', () => {
    const gone = changed(samples.github.pullRequest, 'pull_request.head.repo', null);
    expect(read('github', gone)[0]?.pull_request?.is_fork).toBe(true);
    const bare = changed(samples.gitea.pullRequest, 'pull_request.head.ref', 'refs/pull/7/head');
    expect(read('gitea', bare)[0]?.pull_request?.is_fork).toBe(true);
  });

  test.each([
    ['https://dev.azure.com/acme/Shop/_git/net', 'acme/Shop/_git/net'],
    ['https://ann@dev.azure.com/acme/Shop/_git/net', 'acme/Shop/_git/net'],
    ['https://acme.visualstudio.com/Shop/_git/net', 'acme/Shop/_git/net'],
    ['https://acme.visualstudio.com/DefaultCollection/Shop/_git/net', 'DefaultCollection/Shop/_git/net'],
    ['https://dev.azure.com/acme/_git/net', 'acme/Shop/_git/net'],
    ['https://ado.example/tfs/acme/Shop/_git/net', 'acme/Shop/_git/net'],
  ])('§4.2 Azure DevOps: %s is %s', (address, identifier) => {
    const sample = changed(samples.ado_services.push, 'resource.repository.remoteUrl', address);
    expect(read('ado_services', sample)[0]?.repository).toBe(identifier);
  });

  test('§4.2 Azure DevOps: a password is compared, whatever name is beside it', () => {
    const forge = forgeOf('ado_services');
    const isSigned = (authorization: string) =>
      forge.isSigned({ headers: { authorization }, body: Buffer.of() }, 'a:b');
    expect(isSigned(`Basic ${Buffer.from('x:a:b').toString('base64')}`)).toBe(true);
    expect(isSigned(`basic ${Buffer.from(':a:b').toString('base64')}`)).toBe(true);
    expect(isSigned(`Basic ${Buffer.from('a:b').toString('base64')}`)).toBe(false);
    expect(isSigned('Bearer a:b')).toBe(false);
  });
});
