/** What S5 changes, and the tests that should see it, the quickest first. Tests of the whole server see what is left. */

export interface Target {
  files: readonly string[];
  tests: readonly (readonly string[])[];
}

const access = 'src/access';
const workspaces = 'src/workspaces';
const server = 'test/server';

const tables = [`${access}/tables.test.ts`, `${access}/printed.test.ts`];
const workspaceTests = [
  `${workspaces}/workspaces/list.test.ts`,
  `${workspaces}/workspaces/kept.test.ts`,
  `${workspaces}/team-workspaces/create.test.ts`,
  `${workspaces}/explanations/explanations.test.ts`,
];
const everybody = [
  [`${server}/matrix.test.ts`],
  [`${server}/isolation.test.ts`, `${server}/visibility.property.test.ts`],
];

export const targets: readonly Target[] = [
  {
    files: ['organization-access', 'project-levels', 'workspace-levels', 'policy', 'owned', 'team-access'].map(
      name => `${access}/${name}.ts`,
    ),
    tests: [tables, ['src/people/teams/create.test.ts', `${workspaces}/projects/powers.test.ts`], ...everybody],
  },
  { files: ['src/core/access/powers.ts', 'src/core/access/actor.ts'], tests: [tables, workspaceTests, ...everybody] },
  {
    files: [`${access}/workspaces.ts`, `${access}/named.ts`, `${access}/projects.ts`, `${access}/teams.ts`],
    tests: [
      workspaceTests,
      [
        `${workspaces}/workspaces/remote-state-consumers.test.ts`,
        `${workspaces}/projects/list.test.ts`,
        'src/people/teams/list.test.ts',
        'src/runs/door/life.test.ts',
      ],
      ...everybody,
    ],
  },
  {
    files: [`${access}/variable-sets.ts`],
    tests: [[`${workspaces}/variable-sets/access.test.ts`, `${workspaces}/variable-sets/places.test.ts`], ...everybody],
  },
  {
    files: ['src/core/jsonapi/guard.ts'],
    tests: [['src/core/jsonapi/guard.test.ts'], [`${server}/bad-input.test.ts`, `${server}/bad-query.test.ts`]],
  },
  {
    files: [
      'src/core/jsonapi/admission.ts',
      'src/core/jsonapi/decide.ts',
      'src/people/callers/authenticate.ts',
      'src/people/callers/shown.ts',
    ],
    tests: [
      ['src/people/callers/authenticate.test.ts', 'src/organizations/organizations/user-tokens.test.ts'],
      [
        'src/people/second-factor/second-factor.test.ts',
        'src/people/sessions/sessions.test.ts',
        `${workspaces}/workspaces/delete.test.ts`,
      ],
      [`${server}/entity-tags.test.ts`, `${server}/revoked.test.ts`, 'src/runs/door/life.test.ts'],
      ...everybody,
    ],
  },
  {
    files: ['src/people/teams/rules.ts'],
    tests: [['src/people/teams/rules.test.ts'], ['src/people/teams/create.test.ts', 'src/people/teams/update.test.ts']],
  },
  {
    files: [`${workspaces}/tags/binding-rules.ts`],
    tests: [[`${workspaces}/tags/binding-rules.test.ts`], [`${workspaces}/workspaces/tag-bindings.test.ts`]],
  },
  {
    files: [`${workspaces}/team-projects/rules.ts`],
    tests: [[`${workspaces}/team-projects/create.test.ts`, `${workspaces}/team-projects/update.test.ts`]],
  },
  {
    files: ['execution-mode', 'settings', 'vcs-repo', 'triggers', 'ssh-key'].map(
      name => `${workspaces}/workspaces/${name}.ts`,
    ),
    tests: [
      ['execution-mode', 'vcs-repo', 'ssh-key', 'create', 'update', 'connection'].map(
        name => `${workspaces}/workspaces/${name}.test.ts`,
      ),
    ],
  },
  {
    files: ['lock', 'lock-body', 'delete', 'remote-state-consumers'].map(name => `${workspaces}/workspaces/${name}.ts`),
    tests: [
      [`${workspaces}/workspaces/lock-rules.test.ts`],
      ['lock', 'delete', 'remote-state-consumers'].map(name => `${workspaces}/workspaces/${name}.test.ts`),
      [`${workspaces}/workspaces/lock-leases.test.ts`, `${workspaces}/workspaces/update.test.ts`],
    ],
  },
  {
    files: [`${workspaces}/projects/execution-mode.ts`, `${workspaces}/projects/move-workspaces.ts`],
    tests: [['execution-mode', 'move-workspaces', 'projects'].map(name => `${workspaces}/projects/${name}.test.ts`)],
  },
  {
    files: ['src/runs/queue/statuses.ts'],
    tests: [['src/runs/queue/statuses.test.ts'], ['src/runs/runs/actions.test.ts', 'src/runs/door/life.test.ts']],
  },
  {
    files: ['src/runs/runs/actions.ts'],
    tests: [['src/runs/runs/actions.test.ts', 'src/runs/door/life.test.ts'], ['src/runs/runs/create.test.ts']],
  },
];
