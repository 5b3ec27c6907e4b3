// terraform and tofu, unmodified, with configurations that nobody uploads: a repository is linked, and then somebody pushes to it.
import { createHmac } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { type GitServer, login, repositoryIn, startGitServer } from '../../test/running/git-server.ts';
import { describeExecuting, organization } from './executing.ts';

const configuration = (color: string) => `
variable "TFC_CONFIGURATION_VERSION_GIT_COMMIT_SHA" {}
variable "TFC_CONFIGURATION_VERSION_GIT_BRANCH" {}
resource "terraform_data" "one" {
  input = "${color}"
}
output "told" {
  value = "\${terraform_data.one.output} \${var.TFC_CONFIGURATION_VERSION_GIT_COMMIT_SHA} \${var.TFC_CONFIGURATION_VERSION_GIT_BRANCH}"
}
`;

let host: GitServer;
const settings = async () => {
  host = await startGitServer();
  return { SSL_CERT_FILE: host.certificate, TERRANE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8, ::1' };
};

describeExecuting(({ server, workspace, runsOf }) => {
  afterAll(() => host?.close());

  const create = async (path: string, type: string, attributes: object, more: object = {}) =>
    (await server().api('POST', path, { data: { type, attributes, ...more } })).data;
  const outputOf = async (name: string) => {
    const { id } = await workspace(name);
    const { data } = await server().api('GET', `workspaces/${id}/current-state-version-outputs`);
    return data[0]?.attributes.value;
  };
  const isApplied = (name: string, count: number) =>
    expect
      .poll(async () => (await runsOf(name)).map((run: { attributes: { status: string } }) => run.attributes.status), {
        timeout: 90_000,
        interval: 300,
      })
      .toEqual(Array.from({ length: count }, () => 'applied'));

  test('§4.2 vcs-repo: a workspace that is linked applies the head of its branch, and then what is pushed to it', async () => {
    const repository = repositoryIn(host.directory, 'acme/net');
    const first = repository.commit('Blue', { 'net/main.tf': configuration('blue'), 'net/README.md': '# Blue' });
    const connection = await create(`organizations/${organization}/oauth-clients`, 'oauth-clients', {
      'service-provider': 'git',
      'http-url': host.address,
      'api-url': host.address,
      'oauth-token-string': `${login.username}:${login.password}`,
    });
    const linked = await create(`organizations/${organization}/workspaces`, 'workspaces', {
      name: 'linked',
      'auto-apply': true,
      'queue-all-runs': true,
      'working-directory': 'net',
      'vcs-repo': {
        identifier: 'acme/net',
        'oauth-token-id': connection.relationships['oauth-tokens'].data[0].id,
      },
    });
    await isApplied('linked', 1);
    expect(await outputOf('linked')).toBe(`blue ${first} main`);
    const { included } = await server().api('GET', `workspaces/${linked.id}?include=readme`);
    expect(included[0].attributes['raw-markdown']).toBe('# Blue');

    const { data } = await server().api('POST', `oauth-clients/${connection.id}/actions/rotate-webhook-secret`);
    const { secret, 'webhook-url': url } = data.attributes;
    const second = repository.commit('Red', { 'net/main.tf': configuration('red') });
    const pushed = { event: 'push', repository: 'acme/net', branch: 'main', commit: { sha: second, message: 'Red' } };
    const body = JSON.stringify({ ...pushed, changed_files: ['net/main.tf'] });
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const answer = await fetch(url, { method: 'POST', headers: { 'terrane-signature': signature }, body });
    expect(answer.status).toBe(202);
    await isApplied('linked', 2);
    expect(await outputOf('linked')).toBe(`red ${second} main`);
    expect((await runsOf('linked'))[0].attributes).toMatchObject({
      message: 'Red',
      source: 'tfe-configuration-version',
    });
  });
}, settings);
