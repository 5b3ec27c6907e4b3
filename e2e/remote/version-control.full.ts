// From `git push` to resources: a real repository with the hook of docs/version-control.md, git's own server, a real engine.
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hookOfPage } from '../../test/builders/webhook.ts';
import { createDirectory } from '../../test/running/database.ts';
import { type GitServer, login, type Repository, repositoryIn, startGitServer } from '../../test/running/git-server.ts';
import { describeExecuting, organization } from './executing.ts';

const configuration = (color: string) => `
resource "terraform_data" "one" {
  input = "${color}"
}
output "color" {
  value = terraform_data.one.output
}
`;

let host: GitServer;
const settings = async () => {
  host = await startGitServer();
  return {
    GIT_SSL_CAINFO: host.certificate,
    SSL_CERT_FILE: host.certificate,
    TERRANE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8, ::1',
  };
};

describeExecuting(({ server, workspace, runsOf }) => {
  let net: Repository;
  let secret: string;
  let clientId: string;
  const post = (path: string, type: string, attributes: object) =>
    server().api('POST', path, { data: { type, attributes } });
  afterAll(() => host.close());

  beforeAll(async () => {
    net = repositoryIn(host.directory, 'acme/net');
    net.commit('First', { 'main.tf': configuration('red'), 'README.md': '# The net' });
    const connection = await post(`organizations/${organization}/oauth-clients`, 'oauth-clients', {
      'service-provider': 'git',
      'http-url': host.address,
      'api-url': host.address,
      'oauth-token-string': `${login.username}:${login.password}`,
    });
    clientId = connection.data.id;
    const rotated = await server().api('POST', `oauth-clients/${clientId}/actions/rotate-webhook-secret`);
    ({ secret } = rotated.data.attributes);
    const secret_file = join(createDirectory(), 'secret');
    writeFileSync(secret_file, secret);
    const address = rotated.data.attributes['webhook-url'];
    const hook = hookOfPage({ address, secret_file, repository: net.path });
    writeFileSync(join(host.directory, net.path, 'hooks/post-receive'), hook, { mode: 0o755 });
    const [token] = connection.data.relationships['oauth-tokens'].data;
    await post(`organizations/${organization}/workspaces`, 'workspaces', {
      name: 'net',
      'auto-apply': true,
      'queue-all-runs': true,
      'trigger-patterns': ['/**/*.tf'],
      'vcs-repo': { identifier: net.path, 'oauth-token-id': token.id },
    });
  });

  /** Waits for so many runs, of which the last has come to this end. */
  async function lastRun(count: number, status: string) {
    const read = async () => {
      const runs = await runsOf('net');
      return [runs.length, runs[0]?.attributes.status];
    };
    await expect.poll(read, { timeout: 90_000, interval: 250 }).toEqual([count, status]);
    const [run] = await runsOf('net');
    const version = run.relationships['configuration-version'].data.id;
    const { data } = await server().api('GET', `configuration-versions/${version}/ingress-attributes`);
    return { ...run.attributes, commit: data.attributes };
  }
  const outputs = async () => {
    const { id } = await workspace('net');
    const { data } = await server().api('GET', `workspaces/${id}/current-state-version-outputs`);
    return data.map(({ attributes }: { attributes: { value: unknown } }) => attributes.value);
  };

  test('§4.2 a workspace that is linked applies its head, a push applies its commit, a pull request plans', async () => {
    const first = await lastRun(1, 'applied');
    expect(first.commit).toMatchObject({ branch: 'main', 'commit-message': 'First', 'on-default-branch': true });
    expect(await outputs()).toEqual(['red']);

    const sha = net.commit('Now it is blue', { 'main.tf': configuration('blue') });
    const second = await lastRun(2, 'applied');
    expect([second.message, second.commit['commit-sha']]).toEqual(['Now it is blue', sha]);
    expect(await outputs()).toEqual(['blue']);

    net.commit('Words alone', { 'README.md': '# The wide net' });
    net.git('checkout', '--quiet', '-b', 'green');
    const proposed = net.commit('Now it is green', { 'main.tf': configuration('green') });
    const body = JSON.stringify({
      event: 'pull-request',
      repository: net.path,
      branch: 'main',
      commit: { sha: proposed },
      pull_request: { number: 7, title: 'Green', head_branch: 'green' },
    });
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const answer = await fetch(`${server().address}/webhooks/vcs/${clientId}`, {
      method: 'POST',
      body,
      headers: { 'terrane-signature': signature },
    });
    expect(answer.status).toBe(202);
    const third = await lastRun(3, 'planned_and_finished');
    expect([third.message, third['plan-only'], third.commit['commit-sha']]).toEqual([
      'Pull request 7: Green',
      true,
      proposed,
    ]);
    expect(await outputs()).toEqual(['blue']);

    const { data } = await server().api('GET', `oauth-clients/${clientId}/webhook-deliveries`);
    const said = data.map(({ attributes }: { attributes: { outcomes: { begins: string; reason: string }[] } }) =>
      attributes.outcomes.map(({ begins, reason }) => begins ?? reason),
    );
    expect(said).toEqual([
      ['speculative run'],
      ['it follows the branch main, and this is green'],
      ['none of the changed files is under its trigger-patterns'],
      ['run'],
    ]);
  });
}, settings);
