/** Rows of the access matrix for what teams and workspaces hang from (§1): organizations, people, projects and keys. */
import { randomInt } from 'node:crypto';
import { newId } from '../../../src/core/store/ids.ts';
import { row } from '../../../src/core/store/store.ts';
import { agentRow } from '../../builders/agent.ts';
import { bodyOf, organization, person, randomName } from '../../builders/records.ts';
import { workspace } from '../../builders/workspace.ts';
import { buildWorld, type World } from '../../cast/world.ts';
import { type Asked, type Row, type Rows, withheldFrom } from './fresh.ts';

let spare: World | undefined;

/** For what would end the world: the same caller in another one, which stands until a cell did end it. */
export const elsewhere: Row = async ({ world: { app } }, { name }) => {
  const isWhole = spare && (await app.get('account/details', spare.callers['org-t'].token)).status === 200;
  if (!spare || !isWhole) spare = await buildWorld(app);
  return { params: { organization_name: spare.acme.name }, token: spare.callers[name].token };
};

const email = () => `${randomName('guest')}@example.com`;

export const organizationRows: Rows = {
  'organizations.list': () => ({ params: {} }),
  'organizations.create': () => ({
    params: {},
    body: bodyOf('organizations', { name: randomName('org'), email: email() }),
  }),
  'organizations.show': {
    '': ({ organization }) => organization(),
    "that takes no users' tokens": withheldFrom(({ organization }) => organization()),
  },
  'organizations.update': ({ organization }) => ({
    ...organization(),
    body: bodyOf('organizations', { email: email() }),
  }),
  'token-ttl-policies.list': ({ organization }) => organization(),
  'token-ttl-policies.update': ({ organization }) => ({
    ...organization(),
    body: bodyOf('organization-token-ttl-policies', {
      'token-ttl-policies': [{ 'token-type': 'user', 'max-ttl-ms': 31_536_000_000 }],
    }),
  }),
  'organizations.delete': elsewhere,
  'entitlement-sets.show': ({ organization }) => organization(),
  'subscriptions.create': ({ organization }) => ({
    ...organization(),
    body: bodyOf('subscriptions', {}, { 'feature-set': { data: { type: 'feature-sets', id: 'fs-free' } } }),
  }),
};

/** An invitation by an organization that the account has nothing to do with yet. */
async function invitationOf(app: World['app'], userId: string): Promise<Asked> {
  const inviting = await organization(app);
  const id = newId('ou');
  await app.store.read`
    insert into organization_memberships (id, organization_id, user_id, status, email)
    values (${id}, ${inviting.key}, ${userId}, 'invited', 'someone@example.com')`;
  return { params: { organization_membership_id: id } };
}

export const membershipRows: Rows = {
  'organization-memberships.list': ({ organization }) => organization(),
  'organization-memberships.create': ({ organization }) => ({
    ...organization(),
    body: bodyOf('organization-memberships', { email: email() }),
  }),
  'organization-memberships.list-own': () => ({ params: {} }),
  'organization-memberships.show': async ({ member }) => ({ params: (await member()).params }),
  'organization-memberships.accept': {
    "the caller's own": async ({ world: { app } }, { userId }) => invitationOf(app, userId),
    'of another': async ({ world: { app } }) => invitationOf(app, (await person(app)).id),
  },
  'organization-memberships.delete': {
    'a member': async ({ member }) => ({ params: (await member()).params }),
    'an owner': async ({ world, member }) => ({ params: (await member(world.acme.ownersTeamId)).params }),
  },
};

export const userRows: Rows = {
  'users.show-own': () => ({ params: {} }),
  'users.update-own': () => ({ params: {}, body: bodyOf('users', {}) }),
  'users.show': async ({ member }) => ({ params: (await member()).params }),
  'users.list': () => ({ params: {} }),
  'users.create': () => ({ params: {}, body: bodyOf('users', { username: randomName('user'), email: email() }) }),
  'users.inspect': async ({ member }) => ({ params: (await member()).params }),
  'users.delete': async ({ world }) => ({ params: { user_id: (await person(world.app)).id } }),
};

export const siteRows: Rows = {
  'feature-sets.list': () => ({ params: {} }),
  'health-reports.show': () => ({ params: {} }),
  'general-settings.show': () => ({ params: {} }),
  'general-settings.update': () => ({
    params: {},
    body: bodyOf('general-settings', { 'limit-user-organization-creation': true }),
  }),
};

const named = (type: string, prefix: string) => bodyOf(type, { name: randomName(prefix) });

export const projectRows: Rows = {
  'projects.list': ({ organization }) => organization(),
  'projects.create': ({ organization }) => ({ ...organization(), body: named('projects', 'project') }),
  'projects.show': {
    'with a workspace': async fresh => {
      const target = await fresh.project();
      await fresh.workspace({ project_id: target.id });
      return target;
    },
    empty: ({ project }) => project(),
  },
  'projects.update': async ({ project }) => ({ ...(await project()), body: named('projects', 'project') }),
  'projects.delete': ({ project }) => project(),
  'projects.move-workspaces': {
    'from a project of p-adm': async ({ world, project, workspace }) => {
      const target = await project();
      const { id } = await workspace({ project_id: world.projectId });
      return { ...target, body: { data: [{ type: 'workspaces', id }] } };
    },
    'from the default project': async ({ world, project }) => {
      const target = await project();
      return { ...target, body: { data: [{ type: 'workspaces', id: await workspace(world.app, world.acme) }] } };
    },
  },
};

export const sshKeyRows: Rows = {
  'ssh-keys.list': ({ organization }) => organization(),
  'ssh-keys.create': ({ organization }) => ({
    ...organization(),
    body: bodyOf('ssh-keys', { name: randomName('key'), value: 'a private key' }),
  }),
  'ssh-keys.show': ({ sshKey }) => sshKey(),
  'ssh-keys.update': async ({ sshKey }) => ({ ...(await sshKey()), body: named('ssh-keys', 'key') }),
  'ssh-keys.delete': ({ sshKey }) => sshKey(),
};

/** One of a pool that has gone. */
const agent: Row = async fresh => {
  const { params } = await fresh.agentPool();
  const gone = { agent_pool_id: params['agent_pool_id'], exited_at: new Date().toISOString() };
  return { params: { agent_id: await agentRow(fresh.world.app, gone) } };
};

export const agentPoolRows: Rows = {
  'agent-pools.list': ({ organization }) => organization(),
  'agent-pools.create': ({ organization }) => ({ ...organization(), body: named('agent-pools', 'pool') }),
  'agent-pools.show': ({ agentPool }) => agentPool(),
  'agent-pools.update': async ({ agentPool }) => ({ ...(await agentPool()), body: named('agent-pools', 'pool') }),
  'agent-pools.delete': ({ agentPool }) => agentPool(),
  'agents.list': ({ agentPool }) => agentPool(),
  'agents.show': agent,
  'agents.delete': agent,
  'authentication-tokens.list-of-agent-pool': ({ agentPool }) => agentPool(),
  'authentication-tokens.create-for-agent-pool': async ({ agentPool }) => ({
    ...(await agentPool()),
    body: bodyOf('authentication-tokens', { description: randomName('agent') }),
  }),
};

/** A version that the installation does not know yet. */
const version = () => `0.${randomInt(10_000, 100_000)}.${randomInt(100_000)}`;

const engineVersion: Row = async ({ world: { app } }) => {
  const id = newId('tool');
  await app.store.read`insert into engine_versions ${row(app.store.read, { id, version: version() })}`;
  return { params: { version_id: id } };
};

export const engineVersionRows: Rows = {
  'engine-versions.list': () => ({ params: {} }),
  'engine-versions.create': () => ({ params: {}, body: bodyOf('terraform-versions', { version: version() }) }),
  'engine-versions.show': engineVersion,
  'engine-versions.update': async (fresh, caller) => ({
    ...(await engineVersion(fresh, caller)),
    body: bodyOf('terraform-versions', { beta: true }),
  }),
  'engine-versions.delete': engineVersion,
};

const reservedKey: Row = async ({ world: { app, acme } }) => {
  const members = { id: newId('rtk'), organization_id: acme.key, key: randomName('key'), disable_overrides: false };
  await app.store.read`insert into reserved_tag_keys ${row(app.store.read, members)}`;
  return { params: { reserved_tag_key_id: members.id } };
};

const keyBody = () => bodyOf('reserved-tag-keys', { key: randomName('key') });

export const reservedTagKeyRows: Rows = {
  'reserved-tag-keys.list': ({ organization }) => organization(),
  'reserved-tag-keys.create': ({ organization }) => ({ ...organization(), body: keyBody() }),
  'reserved-tag-keys.update': async (fresh, caller) => ({ ...(await reservedKey(fresh, caller)), body: keyBody() }),
  'reserved-tag-keys.delete': reservedKey,
};
