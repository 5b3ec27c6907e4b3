/** Where the kinds of connections are usually found. */
import type { Connection } from './connections.ts';

type Provider = Connection['attributes']['service-provider'];

/** Of those that there is one of. */
const hosted: Partial<Record<Provider, [site: string, api: string]>> = {
  github: ['https://github.com', 'https://api.github.com'],
  gitlab_hosted: ['https://gitlab.com', 'https://gitlab.com/api/v4'],
  bitbucket_hosted: ['https://bitbucket.org', 'https://api.bitbucket.org/2.0'],
  ado_services: ['https://dev.azure.com', 'https://dev.azure.com'],
};

/** Of servers that people run: where the API begins below their address. */
const below: Partial<Record<Provider, string>> = {
  github_enterprise: '/api/v3',
  gitlab_community_edition: '/api/v4',
  gitlab_enterprise_edition: '/api/v4',
  gitea: '/api/v1',
  forgejo: '/api/v1',
};

export function addressesOf(provider: Provider) {
  const [site, api] = hosted[provider] ?? ['', ''];
  return { 'http-url': site, 'api-url': api };
}

export function apiOf(provider: Provider, site: string): string {
  const [usual, api] = hosted[provider] ?? [];
  if (usual === site) return api ?? '';
  // What is reached by ssh has no API there; the address must be one of the web all the same.
  if (site.startsWith('ssh:')) {
    const host = URL.canParse(site) && new URL(site).hostname;
    return host ? `https://${host}` : '';
  }
  return site === '' ? '' : `${site.replace(/\/+$/, '')}${below[provider] ?? ''}`;
}
