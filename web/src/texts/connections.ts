import { counted } from './common.ts';

export const connections = {
  title: 'Version control',
  add: 'New connection…',
  submit: 'Create connection',
  provider: 'Provider',
  providers: {
    github: 'GitHub',
    github_enterprise: 'GitHub Enterprise',
    gitlab_hosted: 'GitLab',
    gitlab_community_edition: 'GitLab Community Edition',
    gitlab_enterprise_edition: 'GitLab Enterprise Edition',
    gitea: 'Gitea',
    forgejo: 'Forgejo',
    bitbucket_hosted: 'Bitbucket Cloud',
    bitbucket_data_center: 'Bitbucket Data Center',
    bitbucket_server: 'Bitbucket Server',
    ado_services: 'Azure DevOps Services',
    ado_server: 'Azure DevOps Server',
    git: 'Git, on a server of its own',
  },
  name: 'Name',
  http: 'Address',
  httpHint:
    'Where repositories are cloned from and people look at them: https://git.example.com. Plain git may be at one of ssh: ssh://git@git.example.com:2222',
  api: 'Address of its API',
  apiHint:
    'It is asked which files have changed, and told what became of a commit. Plain git has none: give the address once more.',
  token: 'Access token',
  tokenHint:
    'It is sealed, and never shown again. Plain git and Bitbucket take a name with it, where it belongs to somebody: name:token.',
  tokenKeep: 'Leave it empty to keep the one that it has.',
  scope: 'Open to every project',
  scopeHint: 'Off: only workspaces of the projects below may use it.',
  projects: 'Projects',
  chosenProjects: 'chosen projects',
  key: 'Set private key…',
  keyTitle: (name: string) => `Private key of ${name}`,
  keyLabel: 'Private key',
  keyHint: 'Repositories and submodules are fetched with it over SSH. It is sealed, and never shown again.',
  keySubmit: 'Set private key',
  keyRemove: 'Take private key away',
  keyGone: (name: string) => `${name} has no private key any more`,
  hasKey: 'private key',
  none: 'No connection yet',
  noneDetail: 'Workspaces fetch their configurations through it.',
} as const;

interface Event {
  kind: 'push' | 'tag' | 'pull-request';
  repository: string;
  branch: string | null;
  tag: string | null;
  'commit-sha': string | null;
  'pull-request-number': number | null;
  sender: string | null;
}

const pullRequests = 'Events: pushes and pull requests, as application/json.';
const ofGitlab = 'It goes under “Secret token”. Triggers: push events, tag push events and merge request events.';
const ofBitbucket = 'Triggers: push; pull request opened, and its source branch updated.';
const ofAzure =
  'Under service hooks, a web hook for each of: code pushed, pull request created, pull request updated (source branch updated). Basic authentication: any name, and the secret as the password.';

export const webhooks = {
  title: (name: string) => `Webhook of ${name}`,
  lead: 'What happens in its repositories is to be sent here. One webhook of an organization or a group serves all that are in it.',
  copy: 'Copy address',
  setUp: {
    github: pullRequests,
    github_enterprise: pullRequests,
    gitlab_hosted: ofGitlab,
    gitlab_community_edition: ofGitlab,
    gitlab_enterprise_edition: ofGitlab,
    gitea: pullRequests,
    forgejo: pullRequests,
    bitbucket_hosted: 'Triggers: push; pull request created and updated.',
    bitbucket_data_center: ofBitbucket,
    bitbucket_server: ofBitbucket,
    ado_services: ofAzure,
    ado_server: ofAzure,
    git: 'A hook of the repository sends it as JSON, with the header Terrane-Signature: sha256= and the HMAC-SHA256 of the body in hexadecimal.',
  },
  noSecret: 'It has no secret yet: nothing that is sent is believed.',
  make: 'Make secret',
  renew: 'New secret…',
  renewTitle: (name: string) => `A new secret for ${name}?`,
  renewEnds: 'What is signed with the one before is believed no longer, until the webhook has the new one.',
  renewSubmit: 'Make new secret',
  secretTitle: 'Secret of the webhook',
  secretDetail: 'The webhook signs with it. It is sealed here, and never shown again.',
  stored: 'The webhook has it',
  deliveries: (name: string) => `What ${name} was told`,
  none: 'Nothing was sent yet',
  noneDetail: 'The last deliveries stand here, with what followed from each, and why nothing did.',
  waiting: 'waits',
  failed: 'could not fetch',
  begun: (runs: number) => (runs === 0 ? 'began nothing' : `began ${counted(runs, 'run')}`),
  event: ({ kind, repository, branch, tag, sender, ...event }: Event) =>
    [
      kind === 'push' && `push to ${branch}`,
      kind === 'tag' && `tag ${tag}`,
      kind === 'pull-request' && `pull request #${event['pull-request-number']} to ${branch}`,
      `of ${repository}`,
      event['commit-sha']?.slice(0, 8),
      sender && `by ${sender}`,
    ]
      .filter(Boolean)
      .join(' '),
  nothing: 'Nothing',
  begins: { run: 'Run', 'speculative run': 'Plan only' },
  further: (count: number) => `${counted(count, 'workspace')} more, or such as you cannot see.`,
} as const;
