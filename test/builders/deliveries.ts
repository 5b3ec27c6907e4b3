/**
 * Deliveries as forges document them, of one story that all of them tell: in `acme/net`, whose default branch is `main`, ann
 * changes `main.tf` and pushes, tags `v1.0`, deletes `old`, and opens a pull request from `gate`, which somebody else also does
 * from a fork. `deliver` signs what it is given as the forge does.
 */
import { createHmac } from 'node:crypto';
import type { Delivery } from '../../src/connections/forges/forge.ts';
import type { ServiceProvider } from '../../src/connections/forges/providers.ts';
import { azureDevops } from './deliveries-of-azure-devops.ts';
import { bitbucketCloud, bitbucketServer } from './deliveries-of-bitbucket.ts';

export const before = 'a'.repeat(40);
export const after = 'b'.repeat(40);
export const nothing = '0'.repeat(40);

export interface Sample {
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

export interface Samples {
  push: Sample;
  tag: Sample;
  deleted: Sample;
  pullRequest: Sample;
  fork: Sample;
  closed: Sample;
  /** An event that nothing follows from. */
  other: Sample;
}

const repository = { id: 1, full_name: 'acme/net', default_branch: 'main', html_url: 'https://forge.example/acme/net' };
const ann = { login: 'ann', avatar_url: 'https://forge.example/ann.png', html_url: 'https://forge.example/ann' };
const commit = { id: after, message: 'Open the gate', url: `https://forge.example/acme/net/commit/${after}` };
const changes = { added: ['gate.tf'], removed: [], modified: ['main.tf'] };

const github = (): Samples => {
  const headers = (event: string) => ({ 'x-github-event': event, 'x-github-delivery': `github-${event}` });
  const compare = 'https://forge.example/acme/net/compare/a...b';
  const pushed = { repository, sender: ann, pusher: { name: 'ann' }, forced: false, compare, created: false };
  const head_commit = { ...commit, ...changes };
  const push = { ...pushed, ref: 'refs/heads/main', before, after, head_commit, commits: [head_commit] };
  const head = { ref: 'gate', sha: after, repo: repository };
  const pull_request = { title: 'A gate', body: 'So that one can enter.', html_url: `${repository.html_url}/pull/7` };
  const opened = { action: 'opened', number: 7, repository, sender: ann };
  const asked = { ...pull_request, state: 'open', head, base: { ref: 'main', sha: before, repo: repository } };
  const forked = { ...head, repo: { ...repository, full_name: 'eve/net' } };
  return {
    push: { headers: headers('push'), body: push },
    tag: { headers: headers('push'), body: { ...push, ref: 'refs/tags/v1.0', before: nothing, after: before } },
    deleted: { headers: headers('push'), body: { ...push, ref: 'refs/heads/old', after: nothing, head_commit: null } },
    pullRequest: { headers: headers('pull_request'), body: { ...opened, pull_request: asked } },
    fork: { headers: headers('pull_request'), body: { ...opened, pull_request: { ...asked, head: forked } } },
    closed: { headers: headers('pull_request'), body: { ...opened, action: 'closed', pull_request: asked } },
    other: { headers: headers('ping'), body: { zen: 'Speak like a human.', hook_id: 1 } },
  };
};

const gitea = (name: 'gitea' | 'forgejo'): Samples => {
  const headers = (event: string) => ({
    'x-gitea-event': event,
    'x-gitea-delivery': `gitea-${event}`,
    ...(name === 'forgejo' && { 'x-forgejo-event': event, 'x-forgejo-delivery': `forgejo-${event}` }),
  });
  const head_commit = { ...commit, ...changes };
  const pushed = { repository, sender: ann, pusher: ann, compare_url: 'https://forge.example/acme/net/compare/a...b' };
  const push = {
    ...pushed,
    ref: 'refs/heads/main',
    before,
    after,
    head_commit,
    commits: [head_commit],
    total_commits: 1,
  };
  const head = { ref: 'gate', sha: after, repo_id: 1 };
  const pull = { title: 'A gate', body: 'So that one can enter.', html_url: `${repository.html_url}/pulls/7`, head };
  const opened = { action: 'opened', number: 7, repository, sender: ann };
  const asked = { ...pull, base: { ref: 'main', sha: before, repo_id: 1 } };
  return {
    push: { headers: headers('push'), body: push },
    tag: { headers: headers('push'), body: { ...push, ref: 'refs/tags/v1.0', before: nothing, after: before } },
    deleted: { headers: headers('push'), body: { ...push, ref: 'refs/heads/old', after: nothing, head_commit: null } },
    pullRequest: { headers: headers('pull_request'), body: { ...opened, pull_request: asked } },
    fork: {
      headers: headers('pull_request'),
      body: { ...opened, pull_request: { ...asked, head: { ...head, repo_id: 2 } } },
    },
    closed: { headers: headers('pull_request'), body: { ...opened, action: 'closed', pull_request: asked } },
    other: { headers: headers('create'), body: { ref: 'gate', ref_type: 'branch', repository, sender: ann } },
  };
};

const gitlab = (): Samples => {
  const headers = (event: string) => ({ 'x-gitlab-event': event, 'idempotency-key': `gitlab-${event}` });
  const project = { id: 1, path_with_namespace: 'acme/net', default_branch: 'main', web_url: repository.html_url };
  const by = { user_username: 'ann', user_name: 'Ann', user_avatar: ann.avatar_url, project };
  const push = { object_kind: 'push', ref: 'refs/heads/main', before, after, checkout_sha: after, ...by };
  const commits = { commits: [{ ...commit, ...changes }], total_commits_count: 1 };
  const asked = {
    ...{ iid: 7, action: 'open', state: 'opened', title: 'A gate', description: 'So that one can enter.' },
    ...{ source_branch: 'gate', target_branch: 'main', source_project_id: 1, target_project_id: 1 },
    ...{ url: `${repository.html_url}/-/merge_requests/7`, last_commit: commit },
  };
  const merge = (object_attributes: object): Sample => ({
    headers: headers('Merge Request Hook'),
    body: {
      object_kind: 'merge_request',
      user: { username: 'ann', avatar_url: ann.avatar_url },
      project,
      object_attributes,
    },
  });
  return {
    push: { headers: headers('Push Hook'), body: { ...push, ...commits } },
    tag: {
      headers: headers('Tag Push Hook'),
      body: { ...push, ...commits, object_kind: 'tag_push', ref: 'refs/tags/v1.0', before: nothing, after: before },
    },
    deleted: {
      headers: headers('Push Hook'),
      body: { ...push, ref: 'refs/heads/old', after: nothing, checkout_sha: null, commits: [], total_commits_count: 0 },
    },
    pullRequest: merge(asked),
    fork: merge({ ...asked, source_project_id: 2 }),
    closed: merge({ ...asked, action: 'close', state: 'closed' }),
    other: { headers: headers('Note Hook'), body: { object_kind: 'note' } },
  };
};

const git = (): Samples => {
  const headers = { 'terrane-delivery': 'git-1' };
  const sender = { username: 'ann', avatar_url: ann.avatar_url, html_url: ann.html_url };
  const told = { sha: after, message: commit.message, url: commit.url };
  const pushed = { repository: 'acme/net', branch: 'main', default_branch: 'main', commit: told, sender };
  const push = { event: 'push', ...pushed, base_sha: before, changed_files: ['gate.tf', 'main.tf'] };
  const pull_request = { number: 7, title: 'A gate', body: 'So that one can enter.', head_branch: 'gate' };
  const asked = { event: 'pull-request', ...pushed, pull_request };
  return {
    push: { headers, body: push },
    tag: { headers, body: { ...pushed, event: 'tag', branch: undefined, tag: 'v1.0' } },
    deleted: { headers, body: { ...push, branch: 'old', commit: { sha: nothing } } },
    pullRequest: { headers, body: asked },
    fork: { headers, body: { ...asked, pull_request: { ...pull_request, is_fork: true } } },
    closed: { headers, body: { ...asked, commit: { sha: nothing } } },
    other: { headers, body: { ...push, commit: { sha: nothing } } },
  };
};

export const samples: Record<ServiceProvider, Samples> = {
  ado_server: azureDevops('https://ado.example/tfs/acme'),
  ado_services: azureDevops('https://dev.azure.com/acme'),
  bitbucket_data_center: bitbucketServer(),
  bitbucket_hosted: bitbucketCloud(),
  bitbucket_server: bitbucketServer(),
  forgejo: gitea('forgejo'),
  git: git(),
  gitea: gitea('gitea'),
  github: github(),
  github_enterprise: github(),
  gitlab_community_edition: gitlab(),
  gitlab_enterprise_edition: gitlab(),
  gitlab_hosted: gitlab(),
};

/** What the webhook of such a connection sends, signed. */
export function deliver(provider: ServiceProvider, { headers, body }: Sample, secret: string): Delivery {
  const bytes = Buffer.from(JSON.stringify(body));
  const type = { 'content-type': 'application/json' };
  return { headers: { ...type, ...headers, ...signature(provider, bytes, secret) }, body: bytes };
}

function signature(provider: ServiceProvider, body: Buffer, secret: string): Record<string, string> {
  const hmac = createHmac('sha256', secret).update(body).digest('hex');
  if (provider.startsWith('ado')) {
    return { authorization: `Basic ${Buffer.from(`terrane:${secret}`).toString('base64')}` };
  }
  if (provider.startsWith('bitbucket')) return { 'x-hub-signature': `sha256=${hmac}` };
  if (provider.startsWith('github')) return { 'x-hub-signature-256': `sha256=${hmac}` };
  if (provider.startsWith('gitlab')) return { 'x-gitlab-token': secret };
  if (provider === 'git') return { 'terrane-signature': `sha256=${hmac}` };
  return { 'x-gitea-signature': hmac, ...(provider === 'forgejo' && { 'x-forgejo-signature': hmac }) };
}
