/** Every address of the interface, below /app. Names hold letters, digits, - and _; what is no name begins with ~. */
const encode = encodeURIComponent;
const of = (organization: string) => `/${encode(organization)}`;
const workspace = (organization: string, name: string) => `${of(organization)}/workspaces/${encode(name)}`;

type AccountPage = 'profile' | 'organizations' | 'second-factor' | 'tokens' | 'sessions' | 'appearance' | 'keyboard';

export const paths = {
  home: () => '/',
  signIn: () => '/~/sign-in',
  setPassword: () => '/~/password',
  welcome: () => '/~/welcome',
  account: (page: AccountPage) => `/~/settings/${page}`,
  signedIn: () => '/~/signed-in',
  admin: (page: 'users' | 'sign-in' | 'versions' | 'feature-sets' | 'general' | 'audit' | 'health') =>
    `/~/admin/${page}`,
  organization: of,
  workspaces: (organization: string) => `${of(organization)}/workspaces`,
  newWorkspace: (organization: string) => `${of(organization)}/workspaces/~new`,
  workspace,
  runById: (id: string) => `/~/runs/${encode(id)}`,
  workspaceById: (id: string) => `/~/workspaces/${encode(id)}`,
  workspaceRuns: (organization: string, name: string) => `${workspace(organization, name)}/runs`,
  run: (organization: string, name: string, run: string) => `${workspace(organization, name)}/runs/${encode(run)}`,
  states: (organization: string, name: string) => `${workspace(organization, name)}/states`,
  state: (organization: string, name: string, id: string) => `${workspace(organization, name)}/states/${encode(id)}`,
  stateDifference: (organization: string, name: string) => `${workspace(organization, name)}/states/~diff`,
  configurations: (organization: string, name: string) => `${workspace(organization, name)}/configurations`,
  variables: (organization: string, name: string) => `${workspace(organization, name)}/variables`,
  workspaceSettings: (organization: string, name: string, page = 'general') =>
    `${workspace(organization, name)}/settings/${page}`,
  projects: (organization: string) => `${of(organization)}/projects`,
  project: (organization: string, id: string) => `${of(organization)}/projects/${encode(id)}`,
  runs: (organization: string) => `${of(organization)}/runs`,
  runQueue: (organization: string) => `${of(organization)}/runs/~queue`,
  variableSets: (organization: string) => `${of(organization)}/variable-sets`,
  variableSet: (organization: string, id: string) => `${of(organization)}/variable-sets/${encode(id)}`,
  teams: (organization: string) => `${of(organization)}/teams`,
  team: (organization: string, id: string) => `${of(organization)}/teams/${encode(id)}`,
  members: (organization: string) => `${of(organization)}/members`,
  audit: (organization: string) => `${of(organization)}/audit`,
  settings: (organization: string, page = 'general') => `${of(organization)}/settings/${page}`,
} as const;

/**
 * An address with what stands after the question mark, for links and for `navigate`. Addresses are texts here, so the router
 * cannot know which search belongs to which.
 */
export const at = (to: string, search: object = {}) => ({ to, search: search as never });
