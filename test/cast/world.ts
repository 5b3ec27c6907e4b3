/** The standing cast: one organization, and every kind of caller that §5 tells apart. Made once for a file of tests. */
import type { TestApp } from '../app.ts';
import {
  member,
  organization,
  type Person,
  person,
  serviceTokenOf,
  sessionOf,
  type TestOrganization,
  team,
  tokenOf,
} from '../builders/records.ts';
import { project, projectAccess, workspace, workspaceAccess } from '../builders/workspace.ts';

/** The callers, in the order of the matrix: at most five letters for the table, then who that is. */
export const cast = {
  none: 'nobody: no token at all',
  bad: 'a token that was never issued',
  stale: 'an expired token of an owner',
  gone: 'a revoked token of an owner',
  site: 'a site administrator who is not a member',
  owner: 'a member of the owners team',
  'own-t': 'the token of the owners team',
  'org-t': "the organization's token",
  lone: 'a member without a team',
  read: 'a member of a team with read access to the workspace',
  plan: '… with plan access',
  write: '… with write access',
  admin: '… with admin access',
  part: '… with custom access that reads runs and nothing else',
  'm-wor': 'a member of a team that manages all workspaces (manage-workspaces)',
  'r-wor': '… that reads all workspaces (read-workspaces)',
  'm-pro': '… that manages all projects (manage-projects, with manage-workspaces)',
  'm-mem': '… that manages membership (manage-membership)',
  'm-tea': '… that manages teams (manage-teams, manage-organization-access, access-secret-teams, manage-membership)',
  'm-vcs': '… that manages VCS settings and agent pools (manage-vcs-settings, manage-agent-pools)',
  'p-adm': "a member of a team with admin access to the workspace's project",
  'rea-t': 'the token of the team with read access to the workspace',
  'own-s': 'another owner, by a session',
  'rea-s': 'another member of the team with read access to the workspace, by a session',
  other: 'an owner of another organization',
} as const;

export type CallerName = keyof typeof cast;
export const callerNames = Object.keys(cast) as CallerName[];

export interface Caller {
  name: CallerName;
  token: string | null;
  /** The account behind the token; of the callers without one, an owner's. */
  userId: string;
  /** In whose name the caller locks a workspace (§3): a team's token in the team's. */
  holder: { type: 'users' | 'teams'; id: string };
}

/** The teams whose access is given on every workspace that the rows make. */
const workspaceTeams = ['read', 'plan', 'write', 'admin', 'part'] as const;
export type WorkspaceTeam = (typeof workspaceTeams)[number];

export interface World {
  app: TestApp;
  acme: TestOrganization;
  /** The other organization, of the caller `other`. */
  rival: TestOrganization;
  /** A project on which the team of `p-adm` has admin access. */
  projectId: string;
  /** A workspace of that project that the teams have their access to. */
  workspaceId: string;
  projectAdminTeamId: string;
  workspaceTeamIds: Record<WorkspaceTeam, string>;
  callers: Record<CallerName, Caller>;
}

export async function buildWorld(app: TestApp): Promise<World> {
  const acme = await organization(app);
  const rival = await organization(app);
  const projectId = await project(app, acme);
  const workspaceTeamIds = {} as Record<WorkspaceTeam, string>;
  for (const level of workspaceTeams) workspaceTeamIds[level] = await team(app, acme);
  const projectAdminTeamId = await team(app, acme);
  await projectAccess(app, projectAdminTeamId, projectId, 'admin');
  const workspaceId = await workspace(app, acme, { project_id: projectId });
  for (const level of workspaceTeams) {
    await workspaceAccess(app, workspaceTeamIds[level], workspaceId, level === 'part' ? { runs: 'read' } : level);
  }
  const world: World = {
    app,
    acme,
    rival,
    projectId,
    workspaceId,
    projectAdminTeamId,
    workspaceTeamIds,
    callers: {} as Record<CallerName, Caller>,
  };
  await addPeople(world);
  await addTokens(world);
  return world;
}

async function addPeople({ app, acme, rival, callers, workspaceTeamIds, projectAdminTeamId }: World): Promise<void> {
  const add = (name: CallerName, { id, token }: Person) => {
    callers[name] = { name, token, userId: id, holder: { type: 'users', id } };
  };
  const onTeamWith = async (...keys: string[]) => {
    const access = Object.fromEntries(keys.map(key => [key, true]));
    return member(app, acme, await team(app, acme, { access }));
  };
  add('site', await person(app, { isAdmin: true }));
  add('owner', await member(app, acme, acme.ownersTeamId));
  add('lone', await member(app, acme));
  for (const level of workspaceTeams) add(level, await member(app, acme, workspaceTeamIds[level]));
  add('m-wor', await onTeamWith('manage-workspaces', 'read-workspaces'));
  add('r-wor', await onTeamWith('read-workspaces'));
  add('m-pro', await onTeamWith('manage-projects', 'read-projects', 'manage-workspaces', 'read-workspaces'));
  add('m-mem', await onTeamWith('manage-membership'));
  add(
    'm-tea',
    await onTeamWith('manage-teams', 'manage-organization-access', 'access-secret-teams', 'manage-membership'),
  );
  add('m-vcs', await onTeamWith('manage-vcs-settings', 'manage-agent-pools'));
  add('p-adm', await member(app, acme, projectAdminTeamId));
  const bySession = async (someone: Person) => ({ ...someone, token: await sessionOf(app, someone) });
  add('own-s', await bySession(await member(app, acme, acme.ownersTeamId)));
  add('rea-s', await bySession(await member(app, acme, workspaceTeamIds.read)));
  add('other', rival.owner);
}

async function addTokens({ app, acme, callers, workspaceTeamIds }: World): Promise<void> {
  const ofOwner = { kind: 'user', user_id: acme.owner.id };
  const revoked = await tokenOf(app, { ...ofOwner, description: 'revoked' });
  await app.store.read`delete from tokens where tokens.description = 'revoked'`;
  const tokens: Partial<Record<CallerName, string | null>> = {
    none: null,
    bad: 'terrane_0000000000000000000000000000000000000000_00000000',
    stale: await tokenOf(app, { ...ofOwner, expired_at: '2020-01-01T00:00:00.000Z' }),
    gone: revoked,
    'own-t': await serviceTokenOf(app, acme, acme.ownersTeamId),
    'org-t': await serviceTokenOf(app, acme),
    'rea-t': await serviceTokenOf(app, acme, workspaceTeamIds.read),
  };
  const behind: Partial<Record<CallerName, string>> = {
    'own-t': acme.ownersTeamId,
    'org-t': acme.key,
    'rea-t': workspaceTeamIds.read,
  };
  for (const [name, token] of Object.entries(tokens) as [CallerName, string | null][]) {
    const serviceOf = behind[name] ?? null;
    const [account] = await app.store.read`select users.id from users where users.service_of_id = ${serviceOf}`;
    const userId: string = account?.['id'] ?? acme.owner.id;
    const isTeam = serviceOf !== null && serviceOf !== acme.key;
    callers[name] = {
      name,
      token,
      userId,
      holder: isTeam ? { type: 'teams', id: serviceOf } : { type: 'users', id: userId },
    };
  }
}

/** Gives the standing teams their access to a workspace: the same that they have to the world's own. */
export async function openToTeams({ app, workspaceId: template }: World, workspaceId: string): Promise<void> {
  await app.store.read`
    insert into team_workspaces (
      id, team_id, workspace_id, access, runs, variables, state_versions, sentinel_mocks, workspace_locking, run_tasks,
      policy_overrides, powers
    )
    select 'tws-' || substr(md5(given.team_id || ${workspaceId}), 1, 16), given.team_id, ${workspaceId}, given.access,
      given.runs, given.variables, given.state_versions, given.sentinel_mocks, given.workspace_locking, given.run_tasks,
      given.policy_overrides, given.powers
    from team_workspaces as given where given.workspace_id = ${template}`;
}
