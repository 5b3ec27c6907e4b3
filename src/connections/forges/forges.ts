/** Which forge a kind of connection is. */
import { azureDevops } from './azure-devops.ts';
import { bitbucketCloud } from './bitbucket-cloud.ts';
import { bitbucketServer } from './bitbucket-server.ts';
import type { Forge } from './forge.ts';
import { git } from './git.ts';
import { gitea } from './gitea.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import type { ServiceProvider } from './providers.ts';

const forges: Record<ServiceProvider, Forge> = {
  ado_server: azureDevops,
  ado_services: azureDevops,
  bitbucket_data_center: bitbucketServer,
  bitbucket_hosted: bitbucketCloud,
  bitbucket_server: bitbucketServer,
  forgejo: gitea,
  git,
  gitea,
  github,
  github_enterprise: github,
  gitlab_community_edition: gitlab,
  gitlab_enterprise_edition: gitlab,
  gitlab_hosted: gitlab,
};

export function forgeOf(provider: ServiceProvider): Forge {
  return forges[provider];
}
