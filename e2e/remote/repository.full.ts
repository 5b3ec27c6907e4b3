// terraform and tofu, unmodified, with a configuration that nobody uploads: what a repository holds, and what a run knows of it.
import { afterAll, expect, test } from 'vitest';
import { type GitServer, login, repositoryIn, startGitServer } from '../../test/running/git-server.ts';
import { describeExecuting, organization } from './executing.ts';

const configuration = `
variable "TFC_CONFIGURATION_VERSION_GIT_COMMIT_SHA" {}
variable "TFC_CONFIGURATION_VERSION_GIT_BRANCH" {}
module "color" {
  source = "../modules/color"
}
resource "terraform_data" "one" {
  input = module.color.name
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

describeExecuting(({ server, workspace, runsOf, statusIs }) => {
  afterAll(() => host?.close());
  const create = async (path: string, type: string, attributes: object) =>
    (await server().api('POST', path, { data: { type, attributes } })).data;

  test('§4.2 vcs-repo: a run has the submodules of its commit, runs in the working directory, and knows its commit', async () => {
    const color = repositoryIn(host.directory, 'acme/color');
    const module = color.commit('A color', { 'main.tf': 'output "name" {\n  value = "blue"\n}\n' });
    const net = repositoryIn(host.directory, 'acme/net');
    net.commit('A net', { 'prod/main.tf': configuration, 'prod/README.md': '# The net' });
    const sha = net.submodule('modules/color', '../color', module);
    const connection = await create(`organizations/${organization}/oauth-clients`, 'oauth-clients', {
      'service-provider': 'git',
      'http-url': host.address,
      'api-url': host.address,
      'oauth-token-string': `${login.username}:${login.password}`,
    });
    const [token] = connection.relationships['oauth-tokens'].data;
    const { id } = await create(`organizations/${organization}/workspaces`, 'workspaces', {
      name: 'linked',
      'auto-apply': true,
      'queue-all-runs': true,
      'working-directory': 'prod',
      'vcs-repo': { identifier: 'acme/net', 'oauth-token-id': token.id, 'ingress-submodules': true },
    });
    await statusIs('linked', 'applied');
    const { data } = await server().api('GET', `workspaces/${id}/current-state-version-outputs`);
    expect(data[0].attributes.value).toBe(`blue ${sha} main`);
    expect(await runsOf('linked')).toHaveLength(1);
    const { included } = await server().api('GET', `workspaces/${(await workspace('linked')).id}?include=readme`);
    expect(included[0].attributes['raw-markdown']).toBe('# The net');
  });
}, settings);
