/** An organization with something of everything, for screens to show. */
import { seed } from '../../src/commands/seed/seed.ts';
import { bodyOf } from '../../test/builders/records.ts';
import { runTask, taskResult, workspaceTask } from '../../test/builders/run-task.ts';
import type { Site } from './browser.ts';
import { seedRuns } from './seeded-runs.ts';

/** Names and ids of what was made. */
export interface Seeded {
  workspace: string;
  workspaceId: string;
  /** Another one, that nobody has locked. */
  open: { name: string; id: string };
  team: string;
  project: string;
  variableSet: string;
  notification: string;
  signInProvider: string;
  /** Of the workspace: it waits for somebody's word. */
  run: string;
  /** Of the workspace: the latest, and the one before. */
  state: string;
  stateBefore: string;
}

/** Seeds `workspaces` and what stands round them, and makes by the API what seeding does not. */
export async function seedSite(site: Site, workspaces: number): Promise<Seeded> {
  const { app, organization, owner } = site;
  await seed(app.store, owner, { organization: organization.name, workspaces, teams: 6, seed: '1' });
  const { token } = owner;
  const path = `organizations/${organization.name}`;
  const [workspace, ...rest] = (await app.get(`${path}/workspaces?page[size]=60&filter[locked]=false`, token)).data;
  const open = rest.at(-1);
  const [team] = (await app.get(`${path}/teams?page[size]=1`, token)).data;
  const [project] = (await app.get(`${path}/projects?page[size]=1`, token)).data;
  const make = (to: string, type: string, attributes: object) => app.post(to, token, bodyOf(type, attributes));
  await make(`workspaces/${workspace.id}/vars`, 'vars', { key: 'region', value: 'eu-west', category: 'terraform' });
  await make(`workspaces/${workspace.id}/vars`, 'vars', { key: 'TOKEN', value: 's', category: 'env', sensitive: true });
  const flat = { data: [{ type: 'tags', attributes: { name: 'legacy' } }] };
  await app.post(`workspaces/${open.id}/relationships/tags`, token, flat);
  await app.patch(`projects/${project.id}/tag-bindings`, token, {
    data: [{ type: 'tag-bindings', attributes: { key: 'cost-center', value: '4711' } }],
  });
  const { data: set } = await make(`${path}/varsets`, 'varsets', { name: 'common', global: true });
  await make(`${path}/ssh-keys`, 'ssh-keys', { name: 'modules', value: 'key' });
  const { data: pool } = await make(`${path}/agent-pools`, 'agent-pools', { name: 'on-premises' });
  const told = { 'destination-type': 'slack', name: 'on-call', url: 'https://hooks.example/1', enabled: false };
  const kind = 'notification-configurations';
  const { data: notification } = await make(`workspaces/${workspace.id}/${kind}`, kind, told);
  // Screens of the site show nothing to others.
  await app.store.read`update users set is_admin = true where users.id = ${owner.id}`;
  const known = { name: 'company', label: 'Example Inc.', kind: 'openid-connect', issuer: 'https://login.example' };
  const { data: provider } = await make('admin/sign-in-providers', 'sign-in-providers', {
    ...known,
    'client-id': 'terrane',
    'client-secret': 'never shown',
  });
  const runs = await seedRuns(site, workspace.id, pool.id);
  const task = await runTask(app, organization, {
    name: 'cost-estimates',
    description: 'Says what a plan would cost.',
  });
  await workspaceTask(app, workspace.id, task, { stages: ['post_plan', 'pre_apply'], enforcement_level: 'mandatory' });
  await taskResult(app, runs.run, task, { message: 'It would cost 12 more a month.', url: 'https://task.example/1' });
  return {
    workspace: workspace.attributes.name,
    workspaceId: workspace.id,
    open: { name: open.attributes.name, id: open.id },
    team: team.id,
    project: project.id,
    variableSet: set.id,
    notification: notification.id,
    signInProvider: provider.id,
    ...runs,
  };
}

/** Every screen that somebody can go to, with a name for it. */
export function screensOf(organization: string, seeded: Seeded): Record<string, string> {
  const { workspace, team, project } = seeded;
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
    run: `${inside}/runs/${seeded.run}`,
    states: `${inside}/states`,
    state: `${inside}/states/${seeded.state}`,
    'state difference': `${inside}/states/~diff?from=${seeded.stateBefore}&to=${seeded.state}`,
    configurations: `${inside}/configurations`,
    variables: `${inside}/variables`,
    ...pages(
      `${inside}/settings`,
      'general locking tags remote-state run-triggers run-tasks notifications ssh-key version-control team-access retention deletion',
    ),
    'notifications sent': `${inside}/settings/notifications?open=${seeded.notification}`,
    projects: `${of}/projects`,
    project: `${of}/projects/${project}`,
    'project access': `${of}/projects/${project}?tab=access`,
    'project notifications': `${of}/projects/${project}?tab=notifications`,
    'project settings': `${of}/projects/${project}?tab=settings`,
    'all runs': `${of}/runs`,
    'run queue': `${of}/runs/~queue`,
    'queue of a pool': `${of}/runs/~queue?pool=on-premises`,
    'variable sets': `${of}/variable-sets`,
    'variable set': `${of}/variable-sets/${seeded.variableSet}`,
    teams: `${of}/teams`,
    team: `${of}/teams/${team}`,
    ...pages(`${of}/teams/${team}`, 'places members tokens settings'),
    members: `${of}/members`,
    audit: `${of}/audit`,
    ...pages(
      `${of}/settings`,
      'general execution tags tokens audit agent-pools run-tasks ssh-keys version-control retention deletion',
    ),
    ...pages('/app/~/settings', 'profile organizations second-factor tokens sessions appearance keyboard'),
    ...pages('/app/~/admin', 'users sign-in versions feature-sets general audit health'),
    'terraform login': '/app/~/settings/tokens?source=terraform-login',
    'at a provider': `/app/~/admin/sign-in?open=${seeded.signInProvider}`,
    'signed in beside': '/app/~/signed-in',
    welcome: '/app/~/welcome',
    'not found': `${of}/workspaces/there-is-none`,
  };
}
