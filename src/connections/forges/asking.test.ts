/** What forges are asked and told, sent to what stands in for their APIs in the way in which the server sends it. */
import { afterEach, describe, expect, test } from 'vitest';
import { after, deliver, samples } from '../../../test/builders/deliveries.ts';
import { forgeToken, standIn } from '../../../test/running/forge.ts';
import { fetchOutside } from '../../core/outbound.ts';
import type { CommitStatus, Connection, ForgeRequest, RepositoryEvent } from './forge.ts';
import { forgeOf } from './forges.ts';
import { type ServiceProvider, serviceProviders } from './providers.ts';

const loopback = { allowPrivateAddresses: ['127.0.0.0/8'] };
const open: (() => void)[] = [];
afterEach(() => open.splice(0).forEach(close => void close()));

type Hosted = Exclude<ServiceProvider, 'git'>;
const hosted = serviceProviders.filter((provider): provider is Hosted => provider !== 'git');
const files = ['gate.tf', 'modules/lock/main.tf'];

async function connected(provider: Hosted, changed: readonly string[] = files) {
  const { address, api_url, statuses, close } = await standIn(provider, changed);
  open.push(close);
  const connection: Connection = { service_provider: provider, http_url: address, api_url, token: forgeToken };
  return { connection, statuses, forge: forgeOf(provider) };
}

const send = ({ url, ...request }: ForgeRequest) => fetchOutside(loopback, url, request);

const eventOf = (provider: Hosted, kind: 'push' | 'pullRequest') =>
  forgeOf(provider).read(deliver(provider, samples[provider][kind], ''))[0] as RepositoryEvent;

const statusOf = (provider: Hosted, state: CommitStatus['state']): CommitStatus => ({
  state,
  context: 'terrane/acme/a-workspace-with-a-name-that-is-quite-long',
  description: `The plan has 1 to add. ${'And more. '.repeat(30)}`,
  url: 'https://terrane.example/app/acme/workspaces/net/runs/run-1',
  sha: after,
  repository: eventOf(provider, 'push').repository,
});

describe.each(hosted)('§4.2 vcs-repo: the API of %s', provider => {
  test('§4.2 is asked which files a push changed', async () => {
    const { connection, forge } = await connected(provider);
    const question = forge.changedFiles(connection, eventOf(provider, 'push'))!;
    const answer = await send(question.request);
    expect(answer.status).toBe(200);
    expect(question.read(await answer.json())).toEqual(files);
  });

  test('§4.2 says nothing where it does not say all, or something else', async () => {
    const { connection, forge } = await connected(provider);
    const { read } = forge.changedFiles(connection, eventOf(provider, 'push'))!;
    const answers = [
      null,
      [],
      {},
      'x',
      { message: 'Not found' },
      { files: [{}] },
      { values: [null], isLastPage: true },
    ];
    expect(answers.map(read)).toEqual(answers.map(() => null));
    const many = await connected(
      provider,
      Array.from({ length: 6000 }, (_, n) => `${n}.tf`),
    );
    const { request } = forge.changedFiles(many.connection, eventOf(provider, 'push'))!;
    expect(read(await (await send(request)).json())).toBe(null);
  });

  test('§4.2 is told what became of a commit, in its own words', async () => {
    const { connection, statuses, forge } = await connected(provider);
    const states = ['pending', 'running', 'succeeded', 'failed', 'canceled'] as const;
    for (const state of states) {
      const answer = await send(forge.status(connection, statusOf(provider, state))!);
      expect([state, answer.ok]).toEqual([state, true]);
    }
    const told = statuses.map(({ body }) => body['state']);
    expect(told).toHaveLength(states.length);
    // What is over is told from what goes on, and what failed from what succeeded.
    expect(new Set([told[0], told[2], told[3]]).size).toBe(3);
    expect(told[1]).not.toBe(told[2]);
    expect(told[4]).not.toBe(told[2]);
    expect(JSON.stringify(statuses[0])).toContain('https://terrane.example/app/acme/workspaces/net/runs/run-1');
  });

  test('§4.2 is asked for the default branch where its deliveries do not name it', async () => {
    const { connection, forge } = await connected(provider);
    const event = eventOf(provider, 'push');
    const question = forge.defaultBranch(connection, event.repository);
    if (event.default_branch !== null && question === null) return;
    const answer = await send(question!.request);
    expect(question!.read(await answer.json())).toBe('main');
    expect(question!.read({ message: 'Not found' })).toBe(null);
  });

  test('§4.2 a token stands in a header, and in no address', async () => {
    const { connection, forge } = await connected(provider);
    const event = eventOf(provider, 'push');
    const requests = [
      forge.changedFiles(connection, event)?.request,
      forge.defaultBranch(connection, event.repository)?.request,
      forge.status(connection, statusOf(provider, 'failed')),
    ];
    const { url } = forge.clone(connection, event.repository);
    const shown = requests.map(request => [request?.url, request?.body]);
    expect(JSON.stringify([shown, url, forge.sshAddress(connection, event.repository)])).not.toContain(forgeToken);
  });
});

describe('§4.2 vcs-repo: where a repository is cloned from', () => {
  const cloneOf = (service_provider: ServiceProvider, identifier: string, token = 't0k') => {
    const connection = { service_provider, http_url: 'https://forge.example/', api_url: '', token };
    const forge = forgeOf(service_provider);
    const { url, username, password } = forge.clone(connection, identifier);
    return [url, username, password, forge.sshAddress(connection, identifier)];
  };

  test.each<[ServiceProvider, string, string, string, string]>([
    [
      'github',
      'acme/net',
      'https://forge.example/acme/net.git',
      'x-access-token',
      'ssh://git@forge.example/acme/net.git',
    ],
    ['gitlab_hosted', 'a/b/net', 'https://forge.example/a/b/net.git', 'oauth2', 'ssh://git@forge.example/a/b/net.git'],
    ['gitea', 'acme/net', 'https://forge.example/acme/net.git', 'oauth2', 'ssh://git@forge.example/acme/net.git'],
    [
      'bitbucket_hosted',
      'acme/net',
      'https://forge.example/acme/net.git',
      'x-token-auth',
      'ssh://git@forge.example/acme/net.git',
    ],
    [
      'bitbucket_data_center',
      'ACME/net',
      'https://forge.example/scm/ACME/net.git',
      'x-token-auth',
      'ssh://git@forge.example:7999/ACME/net.git',
    ],
    [
      'ado_services',
      'acme/My Shop/_git/net',
      'https://forge.example/acme/My%20Shop/_git/net',
      'terrane',
      'ssh://git@ssh.dev.azure.com/v3/acme/My%20Shop/net',
    ],
    [
      'ado_server',
      'acme/Shop/_git/net',
      'https://forge.example/acme/Shop/_git/net',
      'terrane',
      'ssh://git@forge.example/acme/Shop/_git/net',
    ],
  ])('§4.2 %s %s', (provider, identifier, url, username, ssh) => {
    expect(cloneOf(provider, identifier)).toEqual([url, username, 't0k', ssh]);
  });

  test('§4.2 Bitbucket: a token may come with the name that it belongs to', () => {
    expect(cloneOf('bitbucket_data_center', 'A/net', 'ann:t0k').slice(1, 3)).toEqual(['ann', 't0k']);
    expect(cloneOf('bitbucket_hosted', 'acme/net', 'ann:t0k').slice(1, 3)).toEqual(['ann', 't0k']);
    // Git does not know people by their address of mail, the API does.
    const mailed = 'ann@acme.example:t0k';
    expect(cloneOf('bitbucket_hosted', 'acme/net', mailed)[1]).toBe('x-bitbucket-api-token-auth');
    const connection = {
      service_provider: 'bitbucket_hosted',
      http_url: '',
      api_url: 'https://a.example',
      token: mailed,
    };
    const { request } = forgeOf('bitbucket_hosted').defaultBranch(connection as Connection, 'acme/net')!;
    expect(request.headers['authorization']).toBe(`Basic ${Buffer.from(mailed).toString('base64')}`);
  });

  test('§4.2 plain git has no API: nothing is asked of it, and nothing told', () => {
    const connection = { service_provider: 'git' as const, http_url: 'https://git.example', api_url: '', token: '' };
    const event = forgeOf('git').read(deliver('git', samples.git.push, ''))[0]!;
    expect([
      forgeOf('git').changedFiles(connection, event),
      forgeOf('git').defaultBranch(connection, event.repository),
      forgeOf('git').status(connection, statusOf('github', 'failed')),
    ]).toEqual([null, null, null]);
  });
});
