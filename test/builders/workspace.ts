/** Workspaces, projects and access for tests, made straight in the database. */
import {
  type ProjectAccess,
  type ProjectLevel,
  type ProjectWorkspaceAccess,
  projectAccessOf,
  projectPowersFrom,
  workspacePowersFromProject,
} from '../../src/access/project-levels.ts';
import {
  customWorkspacePowers,
  type WorkspaceAccess,
  type WorkspaceLevel,
  workspaceAccessOf,
  workspaceLevels,
} from '../../src/access/workspace-levels.ts';
import { tokenContext } from '../../src/connections/oauth-tokens/oauth-token.ts';
import { newId } from '../../src/core/store/ids.ts';
import { seal } from '../../src/core/store/secrets.ts';
import { row } from '../../src/core/store/store.ts';
import { countWorkspaces } from '../../src/workspaces/projects/count.ts';
import { addPlaces } from '../../src/workspaces/variable-sets/places.ts';
import { pepper, type TestApp } from '../app.ts';
import { randomName, type TestOrganization } from './records.ts';

/** A project; returns its id. */
export async function project(
  app: TestApp,
  of: TestOrganization,
  given: Record<string, unknown> = {},
): Promise<string> {
  const id = newId('prj');
  const members = { id, organization_id: of.key, name: randomName('project'), ...given };
  await app.store.read`insert into projects ${row(app.store.read, members)}`;
  return id;
}

/** An agent pool; returns its id. */
export async function agentPool(app: TestApp, of: TestOrganization): Promise<string> {
  const id = newId('apool');
  const members = { id, organization_id: of.key, name: randomName('pool') };
  await app.store.read`insert into agent_pools ${row(app.store.read, members)}`;
  return id;
}

/** A connection to version control with one token: `given` are columns of the connection's row. Returns the ids of both. */
export async function oauthConnection(
  app: TestApp,
  of: TestOrganization,
  given: Record<string, unknown> = {},
  secrets: { token?: string; sshKey?: string } = {},
): Promise<{ clientId: string; tokenId: string }> {
  const sql = app.store.read;
  const clientId = newId('oc');
  const tokenId = newId('ot');
  await sql`
    insert into oauth_clients ${row(sql, {
      id: clientId,
      organization_id: of.key,
      service_provider: 'github',
      http_url: 'https://github.example',
      api_url: 'https://api.github.example',
      ...given,
    })}`;
  const sealed = (member: 'token' | 'ssh-key', value: string) =>
    seal({ tokenPepper: pepper }, value, tokenContext(tokenId, member));
  await sql`
    insert into oauth_tokens ${row(sql, {
      id: tokenId,
      oauth_client_id: clientId,
      sealed_token: sealed('token', secrets.token ?? 'a token'),
      sealed_ssh_key: secrets.sshKey === undefined ? null : sealed('ssh-key', secrets.sshKey),
    })}`;
  return { clientId, tokenId };
}

/** A workspace: `given` are columns of the row. Returns its id. */
export async function workspace(
  app: TestApp,
  of: TestOrganization,
  given: Record<string, unknown> = {},
): Promise<string> {
  const sql = app.store.read;
  const id = newId('ws');
  const members = { id, organization_id: of.key, project_id: of.projectId, name: randomName('ws'), ...given };
  await sql`insert into workspaces ${row(sql, { engine_version: '1.9.0', ...members })}`;
  await countWorkspaces(sql, of.key, { [members.project_id]: 1 });
  return id;
}

const customAccess: WorkspaceAccess = {
  runs: 'read',
  variables: 'none',
  'state-versions': 'none',
  'sentinel-mocks': 'none',
  'workspace-locking': false,
  'run-tasks': false,
  'policy-overrides': false,
};

/** Gives a team access to a workspace: a level, or a custom set. */
export async function workspaceAccess(
  app: TestApp,
  teamId: string,
  workspaceId: string,
  given: WorkspaceLevel | Partial<WorkspaceAccess>,
): Promise<void> {
  const access = typeof given === 'string' ? workspaceAccessOf[given] : { ...customAccess, ...given };
  await app.store.read`
    insert into team_workspaces ${row(app.store.read, {
      id: newId('tws'),
      team_id: teamId,
      workspace_id: workspaceId,
      access: typeof given === 'string' ? given : 'custom',
      runs: access.runs,
      variables: access.variables,
      state_versions: access['state-versions'],
      sentinel_mocks: access['sentinel-mocks'],
      workspace_locking: access['workspace-locking'],
      run_tasks: access['run-tasks'],
      policy_overrides: access['policy-overrides'],
      powers: typeof given === 'string' ? workspaceLevels[given] : customWorkspacePowers(access),
    })}`;
}

/** Gives a team access to a project, at a level; `custom` takes what it may do with workspaces and with variable sets. */
export async function projectAccess(
  app: TestApp,
  teamId: string,
  projectId: string,
  level: ProjectLevel,
  { 'variable-sets': sets, ...given }: Partial<ProjectWorkspaceAccess & ProjectAccess> = {},
): Promise<void> {
  const isAdmin = level === 'admin';
  const settings = {
    settings: isAdmin ? 'delete' : 'read',
    teams: isAdmin ? 'manage' : 'none',
    'variable-sets': sets ?? projectAccessOf[level]['variable-sets'],
  } as const;
  const { 'workspace-locking': _locking, ...custom } = customAccess;
  const access: ProjectWorkspaceAccess = {
    ...custom,
    create: isAdmin || level === 'maintain',
    move: isAdmin,
    locking: false,
    delete: false,
    ...given,
  };
  await app.store.read`
    insert into team_projects ${row(app.store.read, {
      id: newId('tprj'),
      team_id: teamId,
      project_id: projectId,
      access: level,
      project_access: settings,
      workspace_access: access,
      powers: projectPowersFrom(settings, access),
      workspace_powers: workspacePowersFromProject(level, access),
    })}`;
}

/** A run trigger; returns its id. */
export async function runTrigger(app: TestApp, workspaceId: string, sourceId: string): Promise<string> {
  const id = newId('rt');
  const members = { id, workspace_id: workspaceId, sourceable_id: sourceId };
  await app.store.read`insert into run_triggers ${row(app.store.read, members)}`;
  return id;
}

/** A flat tag on a workspace. */
export async function tag(app: TestApp, of: TestOrganization, workspaceId: string, name: string): Promise<void> {
  const sql = app.store.read;
  await sql`
    insert into tags (id, organization_id, name) values (${newId('tag')}, ${of.key}, ${name})
    on conflict (organization_id, name) do nothing`;
  await sql`
    insert into workspace_tags (workspace_id, tag_id)
    select ${workspaceId}, tags.id from tags where tags.organization_id = ${of.key} and tags.name = ${name}`;
}

/** A key-value tag bound to a workspace or a project. */
export async function binding(
  app: TestApp,
  of: TestOrganization,
  target: { workspaceId: string } | { projectId: string },
  key: string,
  value = '',
): Promise<void> {
  const sql = app.store.read;
  const members = { id: newId('tb'), organization_id: of.key, key, value };
  if ('workspaceId' in target) {
    await sql`insert into workspace_tag_bindings ${row(sql, { ...members, workspace_id: target.workspaceId })}`;
  } else {
    await sql`insert into project_tag_bindings ${row(sql, { ...members, project_id: target.projectId })}`;
  }
}

/** A variable set: `given` are columns of its row, and what it applies to. Returns its id. */
export async function variableSet(
  app: TestApp,
  of: TestOrganization,
  given: Record<string, unknown> = {},
  places: { workspaces?: string[]; projects?: string[] } = {},
): Promise<string> {
  const sql = app.store.read;
  const id = newId('varset');
  await sql`insert into variable_sets ${row(sql, { id, organization_id: of.key, name: randomName('set'), ...given })}`;
  await app.store.transaction(inner => addPlaces(inner, id, places));
  return id;
}

/** A variable of a set; returns its id. */
export async function setVariable(
  app: TestApp,
  of: TestOrganization,
  variableSetId: string,
  given: Record<string, unknown> = {},
): Promise<string> {
  const sql = app.store.read;
  const id = newId('var');
  const members = { id, organization_id: of.key, variable_set_id: variableSetId, key: randomName('key'), value: 'eu' };
  const more = { category: 'terraform', sensitive: false, hcl: false, version_id: randomName('version'), ...given };
  await sql`insert into variables ${row(sql, { ...members, ...more })}`;
  return id;
}
