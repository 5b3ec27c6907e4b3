// What workspaces lean on: agent pools, SSH keys, connections to version control. Of keys and tokens only names can be read.
import { agentPools } from '../../../connections/agent-pools/agent-pool.ts';
import { oauthClients } from '../../../connections/oauth-clients/oauth-client.ts';
import type { Identifier } from '../../remote/server.ts';
import { allNamed, attributesOf, organizationPath, references } from '../place.ts';
import type { Content } from '../record.ts';
import type { Kind } from './kind.ts';

export const agentPoolKind: Kind = {
  type: 'agent-pools',
  title: 'agent pools',
  read: async place => {
    const pools = await place.server.list(organizationPath(place, '/agent-pools'));
    for (const pool of pools) place.directory.learn('agent-pools', pool.id, String(pool.attributes['name']));
    return pools.map(pool => ({
      name: String(pool.attributes['name']),
      id: pool.id,
      content: {
        attributes: attributesOf(pool, agentPools, ['name']),
        'allowed-projects': allNamed(place, pool, 'allowed-projects'),
        'allowed-workspaces': allNamed(place, pool, 'allowed-workspaces'),
        'excluded-workspaces': allNamed(place, pool, 'excluded-workspaces'),
      },
      missing: [{ what: 'tokens', why: 'they cannot be read: make new ones for its agents', toFill: true }],
    }));
  },
  // Open to all at first: a pool that is not cannot name workspaces before they are there, nor they the pool.
  write: async (target, { record, present }) => {
    if (present) return;
    const data = { type: 'agent-pools', attributes: { name: record.name, 'organization-scoped': true } };
    const { id } = await target.create(organizationPath(target, '/agent-pools'), data, record.id);
    target.directory.learn('agent-pools', id, record.name);
  },
  link: async (target, { record, change }) => {
    if (Object.keys(change).length === 0) return;
    const relationships = Object.fromEntries(
      Object.entries(scopes).map(([name, type]) => [name, references(target, type, record.content[name])]),
    );
    const data = { type: 'agent-pools', attributes: record.content['attributes'], relationships };
    await target.change('PATCH', `agent-pools/${target.directory.idOf('agent-pools', record.name)}`, data);
  },
};

/** Whom a pool names, and of which type. */
const scopes = {
  'allowed-projects': 'projects',
  'allowed-workspaces': 'workspaces',
  'excluded-workspaces': 'workspaces',
};

/** Taken until somebody puts the real one in its place. */
const placeholder = 'replace-me';

export const sshKeyKind: Kind = {
  type: 'ssh-keys',
  title: 'SSH keys',
  read: async place => {
    const keys = await place.server.list(organizationPath(place, '/ssh-keys'));
    for (const key of keys) place.directory.learn('ssh-keys', key.id, String(key.attributes['name']));
    return keys.map(key => ({
      name: String(key.attributes['name']),
      id: key.id,
      content: {},
      missing: [{ what: 'value', why: 'it cannot be read: make a key with the value in its place', toFill: true }],
    }));
  },
  write: async (target, { record, present }) => {
    if (present) return;
    const data = { type: 'ssh-keys', attributes: { name: record.name, value: placeholder } };
    const { id } = await target.create(organizationPath(target, '/ssh-keys'), data, record.id);
    target.directory.learn('ssh-keys', id, record.name);
  },
};

export const oauthClientKind: Kind = {
  type: 'oauth-clients',
  title: 'connections to version control',
  read: async place => {
    const clients = await place.server.list(organizationPath(place, '/oauth-clients'));
    return clients.map(client => {
      const { name: own, 'service-provider': provider, 'http-url': url } = client.attributes;
      const name = String(own ?? `${provider} ${url}`);
      const tokens = (client.relationships?.['oauth-tokens']?.data ?? []) as Identifier[];
      for (const { id } of tokens.slice().reverse()) place.directory.learn('oauth-tokens', id, name);
      place.directory.learn('oauth-clients', client.id, name);
      const attributes: Content = attributesOf(client, oauthClients, ['rsa-public-key']);
      return {
        name,
        id: client.id,
        content: { attributes, projects: allNamed(place, client, 'projects') },
        missing: [{ what: 'token and secret', why: 'they cannot be read: connect it anew', toFill: true }],
      };
    });
  },
  write: async (target, { record, present }) => {
    if (present) return;
    const attributes = { ...(record.content['attributes'] as object), 'oauth-token-string': placeholder };
    const projects = references(target, 'projects', record.content['projects']);
    const data = { type: 'oauth-clients', attributes, relationships: { projects } };
    const { id } = await target.create(organizationPath(target, '/oauth-clients'), data);
    target.directory.learn('oauth-clients', id, record.name);
    const tokens = target.isDry ? [{ id }] : await target.server.list(`oauth-clients/${id}/oauth-tokens`);
    for (const token of tokens) target.directory.learn('oauth-tokens', token.id, record.name);
  },
};
