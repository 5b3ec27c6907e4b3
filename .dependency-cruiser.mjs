/** The rooms of src in their order: each imports only from those before it. docs/architecture.md says what each is for. */
const rooms = ['core', 'access', 'organizations', 'people', 'connections', 'workspaces', 'runs', 'http', 'commands'];
const tests = '\\.(?:test|full)\\.ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...rooms.slice(1).map((room, position) => ({
      name: `nothing-below-imports-${room}`,
      severity: 'error',
      from: { path: `^src/(${rooms.slice(0, position + 1).join('|')})/`, pathNot: tests },
      to: { path: `^src/${room}/` },
    })),
    {
      name: 'no-circle-of-files',
      severity: 'error',
      from: { path: '^(src|bench|reliability)/' },
      to: { circular: true },
    },
    {
      name: 'no-circle-of-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'an-act-is-imported-by-its-own-folder-alone',
      comment: 'A folder imports from another only its document and rules: see principle 15 in CONTRIBUTING.md.',
      severity: 'error',
      from: { path: '^src/([^/]+)/([^/]+)/', pathNot: tests },
      to: {
        path: '^src/(organizations|people|connections|workspaces|runs)/[^/]+/(list|create|show|update|delete|endpoints)\\.ts$',
        pathNot: '^src/$1/$2/',
      },
    },
    {
      name: 'the-server-needs-no-tool',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: '@types/' },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: tests },
    moduleSystems: ['es6'],
  },
};
