/** What S5 changes, and the tests that should see it, the quickest first. Of these run those that reach the change. */

export interface Target {
  files: readonly string[];
  tests: readonly string[];
}

const access = 'src/access';
const spaces = 'src/workspaces';
const server = 'test/server';

const within = (folder: string, ...names: string[]) => names.map(name => `${folder}/${name}.ts`);
const testsIn = (folder: string, ...names: string[]) => names.map(name => `${folder}/${name}.test.ts`);

const tables = testsIn(access, 'tables', 'printed');
const everybody = testsIn(server, 'matrix', 'isolation', 'visibility.property');
const people = testsIn('src/people', 'teams/create', 'teams/list', 'teams/update');
const workspaceLists = [
  ...testsIn(`${spaces}/workspaces`, 'list', 'kept', 'create', 'update'),
  ...testsIn(spaces, 'team-workspaces/create', 'explanations/explanations'),
];
const runs = testsIn('src/runs', 'door/life', 'runs/actions', 'runs/create', 'runs/list');

export const targets: readonly Target[] = [
  {
    files: within(access, 'organization-access', 'project-levels', 'workspace-levels', 'policy', 'owned'),
    tests: [...tables, ...people, `${spaces}/projects/powers.test.ts`, ...everybody],
  },
  {
    files: [`${access}/team-access.ts`],
    tests: [
      `${access}/team-access.test.ts`,
      ...testsIn(`${spaces}/team-projects`, 'create', 'update', 'list'),
      ...testsIn(`${spaces}/team-workspaces`, 'create', 'update', 'list'),
    ],
  },
  {
    files: within('src/core/access', 'powers', 'actor'),
    tests: ['src/core/access/actor.test.ts', ...tables, `${access}/readable.test.ts`, ...workspaceLists, ...everybody],
  },
  {
    files: within(access, 'workspaces', 'named', 'projects', 'teams'),
    tests: [
      `${access}/readable.test.ts`,
      ...workspaceLists,
      ...people,
      ...testsIn(`${spaces}/workspaces`, 'remote-state-consumers', 'pages'),
      ...testsIn(`${spaces}/projects`, 'list', 'powers', 'projects'),
      ...runs,
      ...everybody,
    ],
  },
  {
    files: [`${access}/variable-sets.ts`],
    tests: [
      `${access}/variable-sets.test.ts`,
      ...testsIn(`${spaces}/variable-sets`, 'access', 'places', 'variable-sets', 'variables'),
      `${spaces}/variables/variables.test.ts`,
      ...everybody,
    ],
  },
  {
    files: ['src/core/jsonapi/guard.ts'],
    tests: ['src/core/jsonapi/guard.test.ts', ...testsIn(server, 'bad-input', 'bad-query')],
  },
  {
    files: within('src/people/callers', 'authenticate', 'shown'),
    tests: [
      ...testsIn('src/people/callers', 'stands-for', 'authenticate'),
      'src/organizations/organizations/user-tokens.test.ts',
      'src/people/sessions/sessions.test.ts',
      `${server}/revoked.test.ts`,
      'src/runs/door/life.test.ts',
      ...everybody,
    ],
  },
  {
    files: within('src/core/jsonapi', 'admission', 'decide', 'change', 'context', 'precondition'),
    tests: [
      ...testsIn('src/core/jsonapi', 'admission', 'decide', 'change'),
      ...testsIn(`${spaces}/workspaces`, 'delete', 'lock'),
      ...testsIn(server, 'revoked', 'entity-tags', 'bad-bytes'),
      ...testsIn(spaces, 'state-versions/upload', 'workspaces/list'),
      ...testsIn('src/people', 'callers/authenticate', 'second-factor/second-factor', 'sessions/sessions'),
      ...testsIn('src/runs', 'task-results/task-results', 'door/life'),
      'src/organizations/organizations/user-tokens.test.ts',
      `${server}/second-factor.test.ts`,
      ...everybody,
    ],
  },
  {
    files: ['src/people/teams/rules.ts'],
    tests: testsIn('src/people/teams', 'rules', 'create', 'update'),
  },
  {
    files: [`${spaces}/tags/binding-rules.ts`],
    tests: [`${spaces}/tags/binding-rules.test.ts`, `${spaces}/workspaces/tag-bindings.test.ts`],
  },
  {
    files: [`${spaces}/team-projects/rules.ts`],
    tests: testsIn(`${spaces}/team-projects`, 'create', 'update'),
  },
  {
    files: within(`${spaces}/workspaces`, 'execution-mode', 'settings', 'vcs-repo', 'triggers', 'ssh-key'),
    tests: [
      `${server}/openapi.test.ts`,
      ...testsIn(`${spaces}/workspaces`, 'vcs-repo', 'triggers', 'execution-mode', 'settings', 'ssh-key'),
      `${spaces}/workspaces/default-engine-version.test.ts`,
      ...testsIn(`${spaces}/workspaces`, 'update', 'create', 'connection'),
      ...testsIn(`${spaces}/projects`, 'execution-mode', 'move-workspaces'),
      'src/runs/runs/create.test.ts',
    ],
  },
  {
    files: within(`${spaces}/workspaces`, 'lock', 'lock-body', 'delete'),
    tests: [
      `${server}/openapi.test.ts`,
      ...testsIn(`${spaces}/workspaces`, 'lock-rules', 'lock', 'delete'),
      ...testsIn(`${spaces}/workspaces`, 'lock-leases', 'update'),
      'src/runs/door/life.test.ts',
    ],
  },
  {
    files: [`${spaces}/workspaces/remote-state-consumers.ts`],
    tests: [`${spaces}/workspaces/remote-state-consumers.test.ts`, `${server}/openapi.test.ts`],
  },
  {
    files: within(`${spaces}/projects`, 'execution-mode', 'move-workspaces'),
    tests: [
      ...testsIn(`${spaces}/projects`, 'execution-mode', 'move-workspaces', 'workspace-count', 'projects'),
      `${server}/openapi.test.ts`,
    ],
  },
  {
    files: ['src/runs/queue/statuses.ts'],
    tests: ['src/runs/queue/statuses.test.ts', ...runs],
  },
  {
    files: ['src/runs/runs/actions.ts'],
    tests: [...testsIn('src/runs/runs', 'actions', 'again'), `${server}/openapi.test.ts`, ...runs],
  },
  {
    files: [
      ...within('src/runs/repository-events', 'decide', 'watched-paths', 'link', 'linked'),
      ...within('src/runs/webhook-deliveries', 'take', 'list', 'webhook-delivery'),
      'src/http/webhooks.ts',
    ],
    tests: [
      `${server}/openapi.test.ts`,
      'src/runs/repository-events/decide.test.ts',
      ...testsIn('src/runs', 'webhook-deliveries/webhook-deliveries', 'repository-events/work-off'),
    ],
  },
  {
    files: within(
      'src/connections/forges',
      'signatures',
      'reading',
      'requests',
      'addresses',
      'github',
      'gitea',
      'gitlab',
      'bitbucket-cloud',
      'bitbucket-server',
      'azure-devops',
      'git',
    ),
    tests: [
      ...testsIn('src/connections/forges', 'git', 'seldom', 'forges', 'asking'),
      ...testsIn('src/runs', 'webhook-deliveries/webhook-deliveries', 'repository-events/commit-statuses'),
    ],
  },
  {
    files: within('src/runs/runs', 'run', 'create', 'force-execute'),
    tests: [
      'src/runs/runs/powers.test.ts',
      `${server}/openapi.test.ts`,
      ...runs,
      ...testsIn('src/runs', 'runs/again', 'task-results/task-results', 'door/hand-out'),
    ],
  },
  {
    files: within('src/runs/queue', 'move', 'phases', 'of-workspace', 'outcome', 'insert', 'jobs'),
    tests: [
      ...testsIn('src/runs', 'queue/phases', 'door/life', 'runs/actions', 'runs/create'),
      ...testsIn('src/runs', 'configuration-versions/content', 'run-triggers/fire', 'task-results/task-results'),
      ...testsIn('src/runs', 'notification-configurations/deliver', 'assessment-results/assessment-results'),
      ...testsIn('src/runs', 'door/hand-out', 'runs/list'),
    ],
  },
  {
    files: ['src/runs/queue/stages.ts'],
    tests: testsIn('src/runs', 'task-results/task-results', 'run-tasks/global', 'run-tasks/run-tasks', 'door/life'),
  },
  {
    files: within(
      'src/runs/configuration-versions',
      'create',
      'content',
      'read',
      'configuration-version',
      'archive',
      'backing-data',
      'fetch',
      'fetched',
    ),
    tests: [
      `${server}/openapi.test.ts`,
      ...testsIn('src/runs/configuration-versions', 'configuration-versions', 'content', 'fetch'),
      ...runs,
      ...everybody,
    ],
  },
  {
    files: within(
      `${spaces}/state-versions`,
      'rules',
      'create',
      'upload',
      'rollback',
      'read',
      'backing-data',
      'intake',
      'state-version',
    ),
    tests: [
      `${server}/openapi.test.ts`,
      ...testsIn(`${spaces}/state-versions`, 'create', 'read', 'upload', 'upload-again', 'damage'),
      'src/runs/door/life.test.ts',
      ...everybody,
    ],
  },
  {
    files: within('src/connections/ssh-keys', 'ssh-key', 'create', 'list', 'show', 'update', 'delete'),
    tests: [`${server}/openapi.test.ts`, 'src/connections/ssh-keys/ssh-keys.test.ts', ...everybody],
  },
  {
    files: [
      ...within('src/people/passwords', 'rules', 'change', 'hash'),
      ...within('src/people', 'attempts/attempts', 'sign-in/sign-in', 'sign-in/options'),
      ...within('src/people/sessions', 'session', 'own', 'of-user', 'by-id', 'start'),
      ...within('src/people/second-factor', 'codes', 'second-factor', 'own', 'turn-off'),
      ...within('src/people/password-links', 'password-link', 'request', 'redeem', 'create'),
    ],
    tests: [
      ...testsIn('src/people', 'passwords/hash', 'attempts/attempts', 'sign-in/recognise'),
      `${server}/openapi.test.ts`,
      ...testsIn('src/people', 'sign-in/sign-in', 'sessions/sessions', 'second-factor/second-factor'),
      ...testsIn('src/people/password-links', 'password-links', 'mail'),
      ...everybody,
    ],
  },
  {
    files: [
      ...within('src/people/organization-memberships', 'create', 'list', 'accept', 'delete', 'organization-membership'),
      ...within('src/people/users', 'create', 'list', 'show', 'delete', 'update-own', 'user', 'take-account'),
    ],
    tests: [
      `${server}/openapi.test.ts`,
      ...testsIn('src/people/organization-memberships', 'create', 'list', 'delete'),
      ...testsIn('src/people/users', 'users', 'update-own'),
      ...everybody,
    ],
  },
  {
    files: within('src/people/tokens', 'issue', 'token', 'team-token', 'team-tokens', 'organization-token', 'by-id'),
    tests: [
      `${server}/openapi.test.ts`,
      ...testsIn('src/people/tokens', 'issue', 'user-tokens', 'organization-token', 'team-tokens', 'agent-tokens'),
      ...everybody,
    ],
  },
  {
    files: within('src/people/single-sign-on', 'admit', 'account', 'groups', 'arrivals', 'begun', 'unlink', 'profile'),
    tests: testsIn('src/people/single-sign-on', 'openid', 'hostile', 'saml'),
  },
];
