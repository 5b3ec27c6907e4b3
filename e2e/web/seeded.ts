/** An organization with something of everything, for screens to show. */
import { seed } from '../../src/commands/seed/seed.ts';
import type { Site } from './browser.ts';

export interface Seeded {
  workspace: string;
  workspaceId: string;
  team: string;
  project: string;
}

/** Seeds `workspaces` and what stands round them, and makes by the API what seeding does not. */
export async function seedSite({ app, organization, owner }: Site, workspaces: number): Promise<Seeded> {
  await seed(app.store, owner, { organization: organization.name, workspaces, teams: 6, seed: '1' });
  const { token } = owner;
  const path = `organizations/${organization.name}`;
  const [workspace] = (await app.get(`${path}/workspaces?page[size]=1`, token)).data;
  const [team] = (await app.get(`${path}/teams?page[size]=1`, token)).data;
  const [project] = (await app.get(`${path}/projects?page[size]=1`, token)).data;
  const make = (to: string, type: string, attributes: object) => app.post(to, token, { data: { type, attributes } });
  await make(`workspaces/${workspace.id}/vars`, 'vars', { key: 'region', value: 'eu-west', category: 'terraform' });
  await make(`workspaces/${workspace.id}/vars`, 'vars', { key: 'TOKEN', value: 's', category: 'env', sensitive: true });
  await make(`${path}/varsets`, 'varsets', { name: 'common', global: true });
  await make(`${path}/ssh-keys`, 'ssh-keys', { name: 'modules', value: 'key' });
  await make(`${path}/agent-pools`, 'agent-pools', { name: 'on-premises' });
  return { workspace: workspace.attributes.name, workspaceId: workspace.id, team: team.id, project: project.id };
}

/** Every screen that somebody can go to, with a name for it. */
export function screensOf(organization: string, { workspace, team, project }: Seeded): Record<string, string> {
  const of = `/app/${organization}`;
  const inside = `${of}/workspaces/${workspace}`;
  const pages = (base: string, names: string) =>
    Object.fromEntries(names.split(' ').map(name => [`${base} ${name}`, `${base}/${name}`]));
  return {
    workspaces: `${of}/workspaces`,
    'no match': `${of}/workspaces?q=nothing-is-called-so`,
    'new workspace': `${of}/workspaces/~new`,
    overview: inside,
    runs: `${inside}/runs`,
    states: `${inside}/states`,
    variables: `${inside}/variables`,
    ...pages(
      `${inside}/settings`,
      'general locking tags remote-state run-triggers ssh-key version-control team-access retention deletion',
    ),
    projects: `${of}/projects`,
    project: `${of}/projects/${project}`,
    'project access': `${of}/projects/${project}?tab=access`,
    'project settings': `${of}/projects/${project}?tab=settings`,
    'all runs': `${of}/runs`,
    'variable sets': `${of}/variable-sets`,
    teams: `${of}/teams`,
    team: `${of}/teams/${team}`,
    ...pages(`${of}/teams/${team}`, 'places members tokens settings'),
    members: `${of}/members`,
    audit: `${of}/audit`,
    ...pages(`${of}/settings`, 'general execution tags tokens agent-pools ssh-keys version-control retention deletion'),
    ...pages('/app/~/settings', 'profile tokens sessions appearance keyboard'),
    'terraform login': '/app/~/settings/tokens?source=terraform-login',
    welcome: '/app/~/welcome',
    'not found': `${of}/workspaces/there-is-none`,
  };
}
