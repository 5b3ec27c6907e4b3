/** Two organizations on a store without a server, for tests of the SQL of access; and who calls, as actors. */
import { organizationAccessBits } from '../../src/access/organization-access.ts';
import { type Actor, type RunScope, type Standing, visitor } from '../../src/core/access/actor.ts';
import { openStore, type Sql, type Store } from '../../src/core/store/store.ts';
import type { TestApp } from '../app.ts';
import { organization, type TestOrganization, team } from '../builders/records.ts';
import { project, projectAccess, workspace, workspaceAccess } from '../builders/workspace.ts';
import { createDatabase } from '../running/database.ts';

export interface Granted {
  app: TestApp;
  store: Store;
  acme: TestOrganization;
  globex: TestOrganization;
  /** `platform` and `quiet` of acme, beside the default projects of both. */
  projects: { acme: string; globex: string; platform: string; quiet: string };
  workspaces: Record<WorkspaceName, string>;
  teams: Record<TeamName, string>;
  close: () => Promise<void>;
}

const workspaceNames = [
  'own',
  'beside',
  'sharing',
  'open',
  'ofProject',
  'ofPlatform',
  'closed',
  'hushed',
  'foreign',
  'foreignOpen',
  'foreignSharing',
] as const;
type WorkspaceName = (typeof workspaceNames)[number];

const teamNames = ['variables', 'locking', 'reading', 'platform', 'planning', 'sets', 'none', 'foreign'] as const;
type TeamName = (typeof teamNames)[number];

export async function buildGranted(): Promise<Granted> {
  const database = await createDatabase();
  const store = openStore(database.connection, { connections: 3 });
  const app = { store } as TestApp;
  const acme = await organization(app);
  const globex = await organization(app);
  const platform = await project(app, acme);
  const projects = { acme: acme.projectId, globex: globex.projectId, platform, quiet: await project(app, acme) };
  const workspaces = {} as Granted['workspaces'];
  const columns: Partial<Record<WorkspaceName, object>> = {
    open: { project_id: platform, global_remote_state: true },
    ofProject: { project_remote_state: true },
    ofPlatform: { project_id: platform, project_remote_state: true },
    closed: { project_id: platform },
    hushed: { project_id: projects.quiet },
    foreignOpen: { global_remote_state: true },
  };
  for (const name of workspaceNames)
    workspaces[name] = await workspace(app, name.startsWith('foreign') ? globex : acme, { ...columns[name] });
  // The second is none that a request could make: what is of another organization is not shared in any way.
  for (const one of [workspaces.sharing, workspaces.foreignSharing])
    await store.read`
      insert into remote_state_consumers (workspace_id, consumer_id) values (${one}, ${workspaces.own})`;
  const teams = {} as Granted['teams'];
  for (const name of teamNames) teams[name] = await team(app, name === 'foreign' ? globex : acme);
  await workspaceAccess(app, teams.variables, workspaces.own, { variables: 'read' });
  await workspaceAccess(app, teams.locking, workspaces.own, { 'workspace-locking': true });
  await workspaceAccess(app, teams.locking, workspaces.closed, { 'workspace-locking': true });
  await workspaceAccess(app, teams.reading, workspaces.hushed, 'read');
  await workspaceAccess(app, teams.foreign, workspaces.foreign, 'plan');
  await projectAccess(app, teams.platform, platform, 'custom', { variables: 'write', 'variable-sets': 'read' });
  await projectAccess(app, teams.planning, platform, 'custom', { runs: 'plan', create: true });
  await projectAccess(app, teams.sets, projects.quiet, 'custom', { 'variable-sets': 'write' });
  const close = async () => {
    await store.close();
    await database.drop();
  };
  return { app, store, acme, globex, projects, workspaces, teams, close };
}

/** For what should not ask the database anything. */
export const nothingAsked = (() => {
  throw new Error('Nothing should be asked.');
}) as unknown as Sql;

/** Everybody who looks at that world, by what a failed test calls them. */
export function actorsOf({ acme, globex, teams, workspaces }: Granted): Record<string, Actor> {
  const actor = (organization: TestOrganization, standing: Partial<Standing>, ...names: TeamName[]): Actor => {
    const whole = { isMember: true, isOwner: false, organizationAccess: 0, ...standing };
    const teamIds = names.map(name => teams[name]);
    return { ...visitor, kind: 'user', teamIds, standings: new Map([[organization.key, whole]]) };
  };
  const member = (...names: TeamName[]) => actor(acme, {}, ...names);
  const withKey = (key: Parameters<typeof organizationAccessBits>[0]) =>
    actor(acme, { organizationAccess: organizationAccessBits(key) });
  const run = (name: WorkspaceName, of: TestOrganization, phase: RunScope['phase']): Actor => {
    const scope = { runId: 'run-1', workspaceId: workspaces[name], organizationId: of.key, phase };
    return { ...actor(of, {}), kind: 'run', run: scope };
  };
  return {
    'a visitor': visitor,
    'a member without a team': member(),
    'a member of a team without access': member('none'),
    'one who reads the variables of a workspace': member('variables'),
    'one who locks two workspaces': member('locking'),
    'one on two teams of a workspace': member('variables', 'locking'),
    'one who reads a workspace of a project alone': member('reading'),
    'one with a custom access to a project': member('platform'),
    'one on two teams of a project': member('platform', 'planning'),
    'one who writes the variable sets of a project': member('sets'),
    'one with access to a project and to workspaces in it': member('platform', 'locking', 'reading'),
    'one on a team of another organization': member('foreign'),
    'one on teams in two organizations': member('foreign', 'variables'),
    'an owner': actor(acme, { isOwner: true }),
    'an owner of the other organization': actor(globex, { isOwner: true }, 'variables'),
    'one who reads workspaces': withKey({ 'read-workspaces': true }),
    'one who manages workspaces': withKey({ 'manage-workspaces': true }),
    'one who reads projects': withKey({ 'read-projects': true }),
    'one who manages projects': withKey({ 'manage-projects': true }),
    'a plan': run('own', acme, 'plan'),
    'an apply': run('own', acme, 'apply'),
    'a task': run('own', acme, 'task'),
    'a plan in the other project': run('closed', acme, 'plan'),
    'a plan in the other organization': run('foreign', globex, 'plan'),
  };
}
