/** What kinds of version control a connection can name, and the addresses that follow from one (§2.2 `vcs-repo`). Pure. */

export const providerNames = {
  ado_server: 'Azure DevOps Server',
  ado_services: 'Azure DevOps Services',
  bitbucket_data_center: 'Bitbucket Data Center',
  bitbucket_hosted: 'Bitbucket Cloud',
  bitbucket_server: 'Bitbucket Server',
  forgejo: 'Forgejo',
  git: 'Git',
  gitea: 'Gitea',
  github: 'GitHub',
  github_enterprise: 'GitHub Enterprise',
  gitlab_community_edition: 'GitLab Community Edition',
  gitlab_enterprise_edition: 'GitLab Enterprise Edition',
  gitlab_hosted: 'GitLab.com',
} as const;

export type ServiceProvider = keyof typeof providerNames;

export const serviceProviders = Object.keys(providerNames) as ServiceProvider[];

/** Signs requests with a key pair, so that its `key` is what tells it from others. */
export function signsRequests(provider: ServiceProvider): boolean {
  return provider === 'bitbucket_server' || provider === 'bitbucket_data_center';
}

/** Where people see a repository. One family of servers keeps repositories below their projects. */
export function repositoryAddress(provider: ServiceProvider, httpUrl: string, identifier: string): string {
  const base = httpUrl.replace(/\/+$/, '');
  const [project, ...rest] = identifier.split('/');
  if (signsRequests(provider) && rest.length === 1) return `${base}/projects/${project}/repos/${rest[0]}`;
  return `${base}/${identifier}`;
}
