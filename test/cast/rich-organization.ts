/** An organization with a record of every kind, made through the API as its people would: for tests of all of it at once. */

import { randomBase62 } from '../../src/core/store/ids.ts';
import { endpoints } from '../../src/http/endpoints.ts';
import { authenticator } from '../../src/people/second-factor/codes.ts';
import type { Answer, Document, TestApp } from '../app.ts';
import { signedIn } from '../builders/agent.ts';
import {
  bodyOf,
  join,
  organization,
  type Person,
  person,
  sessionOf,
  type TestOrganization,
} from '../builders/records.ts';
import { leave, move, run } from '../builders/run.ts';
import { runTask } from '../builders/run-task.ts';
import { stateOf, transfer, versionBody } from '../builders/state.ts';
import { addRepository } from './rich-repository.ts';

export interface RichOrganization extends TestOrganization {
  /** In every name and every text of the organization, and nowhere else. */
  marker: string;
  /** A member of the team `platform`, and one of the team `secret`. */
  members: [Person, Person];
  tokens: { team: string; organization: string };
  /** Ids by what they are called below. */
  ids: Record<string, string>;
}

interface Builder {
  app: TestApp;
  home: TestOrganization;
  marker: string;
  ids: Record<string, string>;
  /** `data` of the answer. Throws what was refused. */
  send: (method: string, path: string, body?: unknown, token?: string) => Promise<Document>;
  /** The same for what is created under a name of its own. */
  make: (name: string, path: string, body: unknown) => Promise<Document>;
}

const served = new Set(endpoints.map(({ operation }) => operation));

export async function richOrganization(app: TestApp): Promise<RichOrganization> {
  const marker = `zq${randomBase62(10).toLowerCase()}`;
  const owner = await person(app, { username: `owner-${marker}` });
  const home = await organization(app, { name: `org-${marker}`, owner });
  const ids: Record<string, string> = { project: home.projectId, owners: home.ownersTeamId };
  const send = async (method: string, path: string, body?: unknown, token = owner.token) =>
    accepted(`${method} ${path}`, await app.call(method, path, { token, body })).data;
  const make = async (name: string, path: string, body: unknown) => {
    const made = await send('POST', path, body);
    ids[name] = made.id;
    return made;
  };
  const builder: Builder = { app, home, marker, ids, send, make };
  await addSubscription(builder);
  await addProjects(builder);
  const members = await addPeople(builder);
  await addConnections(builder);
  await addWorkspaces(builder);
  await addVariableSets(builder);
  await addTags(builder);
  await addAccess(builder);
  await addState(builder);
  await addRuns(builder);
  const { oauthClient, agents } = ids;
  if (oauthClient && agents) await addRepository(app, home, marker, { oauthClient, agents });
  await addSignIn(builder);
  await addAgent(builder);
  return { ...home, marker, members, ids, tokens: await addTokens(builder, members[0]) };
}

function accepted(what: string, answer: Answer): Answer {
  if (answer.status < 300) return answer;
  throw new Error(`${what} answered ${answer.status}: ${answer.text}`);
}

const one = (type: string, id: string) => ({ data: { type, id } });
const many = (type: string, ...ids: string[]) => ({ data: ids.map(id => ({ type, id })) });

async function addProjects({ home, marker, ids, make }: Builder): Promise<void> {
  const path = `organizations/${home.name}`;
  await make('pool', `${path}/agent-pools`, bodyOf('agent-pools', { name: `pool-${marker}` }));
  await make('projectPool', `${path}/agent-pools`, bodyOf('agent-pools', { name: `project-${marker}` }));
  await make('sparePool', `${path}/agent-pools`, bodyOf('agent-pools', { name: `spare-${marker}` }));
  const bindings = [{ type: 'tag-bindings', attributes: { key: 'region', value: `east-${marker}` } }];
  await make(
    'platform',
    `${path}/projects`,
    bodyOf(
      'projects',
      { name: `platform ${marker}`, description: `For ${marker}`, 'default-execution-mode': 'agent' },
      { 'default-agent-pool': one('agent-pools', ids['projectPool']!), 'tag-bindings': { data: bindings } },
    ),
  );
  await make('idle', `${path}/projects`, bodyOf('projects', { name: `idle ${marker}` }));
  await make(
    'reservedKey',
    `${path}/reserved-tag-keys`,
    bodyOf('reserved-tag-keys', { key: `kept-${marker}`, 'disable-overrides': true }),
  );
}

async function addPeople({ app, home, marker, ids, send, make }: Builder): Promise<[Person, Person]> {
  const path = `organizations/${home.name}`;
  const access = { 'manage-workspaces': true, 'manage-projects': true };
  await make(
    'team',
    `${path}/teams`,
    bodyOf('teams', { name: `platform-${marker}`, visibility: 'organization', 'organization-access': access }),
  );
  await make('secretTeam', `${path}/teams`, bodyOf('teams', { name: `secret-${marker}`, visibility: 'secret' }));
  const first = await person(app, { username: `first-${marker}` });
  const second = await person(app, { username: `second-${marker}` });
  ids['membership'] = await join(app, home, first);
  ids['secretMembership'] = await join(app, home, second);
  await send('POST', `teams/${ids['team']}/relationships/users`, many('users', first.username));
  await send(
    'POST',
    `teams/${ids['secretTeam']}/relationships/organization-memberships`,
    many('organization-memberships', ids['secretMembership']!),
  );
  const email = `guest-${marker}@example.com`;
  await make(
    'invitation',
    `${path}/organization-memberships`,
    bodyOf('organization-memberships', { email }, { teams: many('teams', ids['team']!) }),
  );
  Object.assign(ids, { first: first.id, second: second.id });
  return [first, second];
}

async function addSubscription({ app, home, send }: Builder): Promise<void> {
  const { token } = await person(app, { isAdmin: true });
  const body = bodyOf('subscriptions', {}, { 'feature-set': one('feature-sets', 'fs-free') });
  await send('POST', `admin/organizations/${home.name}/subscription`, body, token);
}

async function addConnections({ home, marker, ids, make }: Builder): Promise<void> {
  const path = `organizations/${home.name}`;
  const value = `-----BEGIN ${marker} KEY-----`;
  await make('sshKey', `${path}/ssh-keys`, bodyOf('ssh-keys', { name: `key-${marker}`, value }));
  await make('spareSshKey', `${path}/ssh-keys`, bodyOf('ssh-keys', { name: `spare-${marker}`, value }));
  if (!served.has('oauth-clients.create')) return;
  const connection = await make(
    'oauthClient',
    `${path}/oauth-clients`,
    bodyOf(
      'oauth-clients',
      {
        name: `hub-${marker}`,
        'service-provider': 'github',
        'http-url': 'https://github.com',
        'api-url': 'https://api.github.com',
        'oauth-token-string': `secret-${marker}`,
        'organization-scoped': false,
      },
      { projects: many('projects', ids['platform']!), 'agent-pool': one('agent-pools', ids['sparePool']!) },
    ),
  );
  ids['oauthToken'] = connection.relationships['oauth-tokens'].data[0].id;
}

async function addWorkspaces({ app, home, marker, ids, send, make }: Builder): Promise<void> {
  const path = `organizations/${home.name}/workspaces`;
  const inPlatform = { project: one('projects', ids['platform']!) };
  await make(
    'network',
    path,
    bodyOf(
      'workspaces',
      {
        name: `network-${marker}`,
        description: `Of ${marker}`,
        'execution-mode': 'remote',
        'global-remote-state': false,
      },
      inPlatform,
    ),
  );
  const repository = ids['oauthToken'] && { identifier: `acme/${marker}`, 'oauth-token-id': ids['oauthToken'] };
  await make(
    'agents',
    path,
    bodyOf(
      'workspaces',
      {
        name: `agents-${marker}`,
        'execution-mode': 'agent',
        'agent-pool-id': ids['pool'],
        ...(repository && { 'vcs-repo': repository }),
      },
      inPlatform,
    ),
  );
  await make('locked', path, bodyOf('workspaces', { name: `locked-${marker}`, 'execution-mode': 'local' }));
  await make('shared', path, bodyOf('workspaces', { name: `alone-${marker}`, 'global-remote-state': true }));
  await send('PATCH', `workspaces/${ids['shared']}`, bodyOf('workspaces', { name: `shared-${marker}` }));
  await send('POST', `workspaces/${ids['locked']}/actions/lock`, { reason: `Busy ${marker}` });
  if (served.has('workspaces.assign-ssh-key')) {
    await send(
      'PATCH',
      `workspaces/${ids['network']}/relationships/ssh-key`,
      bodyOf('workspaces', { id: ids['sshKey'] }),
    );
  }
  await send(
    'POST',
    `workspaces/${ids['network']}/relationships/remote-state-consumers`,
    many('workspaces', ids['agents']!, ids['locked']!),
  );
  await make(
    'notifications',
    `workspaces/${ids['network']}/notification-configurations`,
    bodyOf(
      'notification-configurations',
      { 'destination-type': 'email', enabled: true, name: `mail of ${marker}`, triggers: ['run:created'] },
      { users: many('users', ids['first']!) },
    ),
  );
  ids['task'] = await runTask(app, home, { name: `task-${marker}` });
  await make(
    'workspaceTask',
    `workspaces/${ids['network']}/tasks`,
    bodyOf(
      'workspace-tasks',
      { 'enforcement-level': 'advisory', stages: ['post_apply'] },
      { task: one('tasks', ids['task']) },
    ),
  );
  const source = { sourceable: one('workspaces', ids['network']!) };
  await make('runTrigger', `workspaces/${ids['agents']}/run-triggers`, bodyOf('run-triggers', {}, source));
  await make(
    'scopedPool',
    `organizations/${home.name}/agent-pools`,
    bodyOf(
      'agent-pools',
      { name: `scoped-${marker}`, 'organization-scoped': false },
      {
        'allowed-projects': many('projects', ids['platform']!),
        'allowed-workspaces': many('workspaces', ids['locked']!),
        'excluded-workspaces': many('workspaces', ids['network']!),
      },
    ),
  );
  for (const [name, sensitive] of [
    ['variable', false],
    ['secret', true],
  ] as const) {
    const attributes = { key: `${name}_${marker}`, value: `v-${marker}`, category: 'terraform', sensitive };
    await make(name, `workspaces/${ids['network']}/vars`, bodyOf('vars', attributes));
  }
  if (!served.has('workspaces.set-data-retention-policy')) return;
  const policy = bodyOf('data-retention-policy-delete-olders', { 'delete-older-than-n-days': 30 });
  await make('retention', `workspaces/${ids['network']}/relationships/data-retention-policy`, policy);
  await make('defaultRetention', `organizations/${home.name}/relationships/data-retention-policy`, policy);
}

async function addVariableSets({ home, marker, ids, send, make }: Builder): Promise<void> {
  const path = `organizations/${home.name}/varsets`;
  const places = {
    workspaces: many('workspaces', ids['network']!, ids['locked']!),
    projects: many('projects', ids['platform']!, ids['idle']!),
  };
  await make('variableSet', path, bodyOf('varsets', { name: `set ${marker}`, priority: true }, places));
  await make('globalSet', path, bodyOf('varsets', { name: `global ${marker}`, global: true }));
  await make(
    'projectSet',
    path,
    bodyOf(
      'varsets',
      { name: `own ${marker}`, description: `Of ${marker}` },
      { parent: one('projects', ids['platform']!), workspaces: many('workspaces', ids['agents']!) },
    ),
  );
  for (const [name, sensitive] of [
    ['variableSet', false],
    ['globalSet', true],
    ['projectSet', true],
  ] as const) {
    const attributes = { key: `${name}_${marker}`, value: `v-${marker}`, category: 'env', sensitive };
    const made = await send('POST', `varsets/${ids[name]}/relationships/vars`, bodyOf('vars', attributes));
    ids[`${name}Variable`] = made.id;
  }
}

async function addTags({ home, marker, ids, send }: Builder): Promise<void> {
  const named = { data: [{ type: 'tags', attributes: { name: `tag-${marker}` } }] };
  await send('POST', `workspaces/${ids['network']}/relationships/tags`, named);
  await send('POST', `workspaces/${ids['locked']}/relationships/tags`, named);
  const bindings = [{ type: 'tag-bindings', attributes: { key: `layer-${marker}`, value: 'base' } }];
  await send('PATCH', `workspaces/${ids['network']}/tag-bindings`, { data: bindings });
  const [tag] = await send('GET', `organizations/${home.name}/tags`);
  ids['tag'] = tag.id;
}

async function addAccess({ ids, make }: Builder): Promise<void> {
  for (const [name, team, access] of [
    ['teamWorkspace', 'team', 'write'],
    ['secretTeamWorkspace', 'secretTeam', 'read'],
  ] as const) {
    const related = { team: one('teams', ids[team]!), workspace: one('workspaces', ids['network']!) };
    await make(name, 'team-workspaces', bodyOf('team-workspaces', { access }, related));
  }
  const related = { team: one('teams', ids['team']!), project: one('projects', ids['platform']!) };
  await make('teamProject', 'team-projects', bodyOf('team-projects', { access: 'maintain' }, related));
}

async function addState({ app, marker, ids, send, make }: Builder): Promise<void> {
  if (!served.has('state-versions.create')) return;
  const outputs = { address: { value: `10.0.0.1-${marker}`, type: 'string' } };
  const state = stateOf({ serial: 1, resources: 2, outputs, lineage: `lineage-${marker}` });
  const given = { lineage: `lineage-${marker}` };
  const path = `workspaces/${ids['locked']}/state-versions`;
  await make('stateVersion', path, versionBody(state, given));
  const next = stateOf({ serial: 2, resources: 2, outputs, lineage: `lineage-${marker}` });
  const pending = await make('intermediate', path, versionBody(next, { ...given, serial: 2 }, false));
  const uploaded = await transfer(app, 'PUT', pending.attributes['hosted-state-upload-url'], next);
  if (uploaded.status >= 300) throw new Error(`The upload answered ${uploaded.status}: ${uploaded.problems}`);
  await make('pending', path, versionBody(next, { ...given, serial: 3 }, false));
  const [output] = await send('GET', `state-versions/${ids['stateVersion']}/outputs`);
  ids['output'] = output.id;
  // As a server leaves it that ends before the resources of a large state are those of the workspace.
  await app.store.read`
    insert into unfinished_resources (workspace_id, state_version_id)
    values (${ids['locked']}, ${ids['stateVersion']})`;
}

async function addRuns({ app, home, marker, ids, send, make }: Builder): Promise<void> {
  if (!served.has('runs.create')) return;
  const path = `workspaces/${ids['network']}/configuration-versions`;
  const version = await make(
    'configurationVersion',
    path,
    bodyOf('configuration-versions', { 'auto-queue-runs': false }),
  );
  const uploaded = await transfer(app, 'PUT', version.attributes['upload-url'], Buffer.from(`slug of ${marker}`));
  if (uploaded.status >= 300) throw new Error(`The upload answered ${uploaded.status}: ${uploaded.problems}`);
  const related = {
    workspace: one('workspaces', ids['network']!),
    'configuration-version': one('configuration-versions', version.id),
  };
  await make('discarded', 'runs', bodyOf('runs', { message: `First ${marker}` }, related));
  const variables = [{ key: 'password', value: `"Secret of ${marker}"` }];
  await make('run', 'runs', bodyOf('runs', { message: `Second ${marker}`, variables }, related));
  // The server makes them by itself, once a day.
  const given = { message: `Assessment of ${marker}`, plan_only: true, is_assessment: true };
  const assessing = await run(app, home, ids['agents']!, given);
  for (const name of ['json', 'schemas']) await leave(app, assessing, ids['agents']!, name);
  await move(app, assessing, 'planning', 'assessed');
  await make('comment', `runs/${ids['run']}/comments`, bodyOf('comments', { body: `Well, ${marker}` }));
  await make('waiting', 'runs', bodyOf('runs', { message: `Third ${marker}` }, related));
  const [event] = await send('GET', `runs/${ids['run']}/run-events`);
  ids['runEvent'] = event?.id;
}

/** How the owner signs in: a password, a link for another one, a session, what it allowed, and a second factor. */
async function addSignIn({ app, home: { owner }, marker, make, send }: Builder) {
  const password = `Four words of ${marker}`;
  accepted('password', await app.patch('account/password', owner.token, bodyOf('passwords', { password })));
  await make('session', 'sessions', bodyOf('sessions', { name: owner.email, password }));
  const administrator = await person(app, { isAdmin: true });
  await send('POST', `admin/users/${owner.id}/password-links`, undefined, administrator.token);
  const login = {
    'client-id': 'terraform-cli',
    'response-type': 'code',
    'redirect-uri': 'http://localhost:10000/login',
    'code-challenge': 'x'.repeat(43),
    'code-challenge-method': 'S256',
    'is-allowed': true,
  };
  const session = await sessionOf(app, owner);
  await send('POST', 'account/login-authorizations', bodyOf('login-authorizations', login), session);
  const path = 'account/second-factor';
  const begun = await send('POST', path, bodyOf('second-factors', { 'current-password': password }));
  const code = authenticator(begun.attributes.secret).generate();
  await send('POST', `${path}/actions/confirm`, bodyOf('second-factors', { code }));
  // No provider stands beside every test that wants an organization which has everything.
  await app.store.read`
    insert into sign_in_identities (issuer, subject, user_id)
    values ('https://provider.example', ${marker}, ${owner.id})`;
}

/** An agent of a pool that has taken a run, and left what it said and planned. */
async function addAgent({ app, marker, ids, send, make }: Builder): Promise<void> {
  const described = bodyOf('authentication-tokens', { description: `Agents of ${marker}` });
  const token = await send('POST', `agent-pools/${ids['pool']}/authentication-tokens`, described);
  const agent = await signedIn(app, token.attributes.token, { name: `agent-${marker}` });
  ids['agent'] = agent.id;
  const path = `workspaces/${ids['agents']}/configuration-versions`;
  const version = await send('POST', path, bodyOf('configuration-versions', { 'auto-queue-runs': false }));
  await transfer(app, 'PUT', version.attributes['upload-url'], Buffer.from(`slug of ${marker}`));
  const related = {
    workspace: one('workspaces', ids['agents']!),
    'configuration-version': one('configuration-versions', version.id),
  };
  await make('executed', 'runs', bodyOf('runs', { message: `Executed ${marker}` }, related));
  const job = await agent.claim();
  await job!.start();
  await job!.log(0, `Planning ${marker}`);
  await job!.leave('json', JSON.stringify({ marker }));
}

async function addTokens({ home, marker, ids, send, make }: Builder, member: Person) {
  const described = (text: string) => bodyOf('authentication-tokens', { description: `${text} ${marker}` });
  const life = { 'token-ttl-policies': [{ 'token-type': 'audit_trails', 'max-ttl-ms': 86_400_000 }] };
  await send('PATCH', `organizations/${home.name}/token-ttl-policies`, bodyOf('organization-token-ttl-policies', life));
  const team = await make('teamToken', `teams/${ids['team']}/authentication-token`, undefined);
  await make('describedToken', `teams/${ids['team']}/authentication-tokens`, described('For'));
  const whole = await make('organizationToken', `organizations/${home.name}/authentication-token`, undefined);
  const path = `users/${member.id}/authentication-tokens`;
  ids['userToken'] = (await send('POST', path, described('Of'), member.token)).id;
  return { team: team.attributes.token as string, organization: whole.attributes.token as string };
}
