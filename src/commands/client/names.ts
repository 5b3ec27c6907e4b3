// Records by the names that people know: an id is taken as it is, any other word is looked up in the organization.
import { CommandError } from '../command-error.ts';
import { RemoteError, type Resource, type Server } from '../remote/server.ts';

interface Lookup {
  prefix: string;
  /** Below the organization, unless it begins with a slash. */
  path: (name: string) => string;
  attribute: string;
}

const listed = (prefix: string, path: string, attribute = 'name'): Lookup => ({ prefix, path: () => path, attribute });
const filtered = (prefix: string, path: string): Lookup => ({
  prefix,
  path: name => `${path}?filter%5Bnames%5D=${encodeURIComponent(name)}`,
  attribute: 'name',
});

const lookups: Record<string, Lookup> = {
  workspaces: { prefix: 'ws-', path: name => `workspaces/${encodeURIComponent(name)}`, attribute: 'name' },
  teams: filtered('team-', 'teams'),
  projects: filtered('prj-', 'projects'),
  varsets: listed('varset-', 'varsets'),
  'agent-pools': listed('apool-', 'agent-pools'),
  'ssh-keys': listed('sshkey-', 'ssh-keys'),
  'oauth-clients': listed('oc-', 'oauth-clients'),
  'organization-memberships': listed('ou-', 'organization-memberships', 'email'),
  'reserved-tag-keys': listed('rtk-', 'reserved-tag-keys', 'key'),
  accounts: {
    prefix: 'user-',
    path: name => `/api/v2/admin/users?q=${encodeURIComponent(name)}`,
    attribute: 'username',
  },
};

/** `workspace_id` → `workspaces`. */
const types: Record<string, string> = {
  // Where a list takes people, the server takes their usernames itself.
  user_id: 'accounts',
  workspace_id: 'workspaces',
  team_id: 'teams',
  project_id: 'projects',
  variable_set_id: 'varsets',
  agent_pool_id: 'agent-pools',
  ssh_key_id: 'ssh-keys',
  oauth_client_id: 'oauth-clients',
  organization_membership_id: 'organization-memberships',
  reserved_tag_key_id: 'reserved-tag-keys',
};

export const typeOfPlace = (place: string) => types[place];

/** The id of a record that is named by its id or by its name. Throws RemoteError 404 where there is none. */
export async function idOf(
  server: Server,
  organization: () => Promise<string>,
  type: string | undefined,
  word: string,
): Promise<string> {
  const lookup = type === undefined ? undefined : lookups[type];
  if (!lookup || isId(word, lookup.prefix)) return word;
  const path = lookup.path(word);
  const place = path.startsWith('/') ? path : `organizations/${encodeURIComponent(await organization())}/${path}`;
  const found = await records(server, place, type === 'workspaces');
  const same = found.filter(({ attributes }) => attributes[lookup.attribute] === word);
  if (same.length === 1) return same[0]!.id;
  if (same.length > 1) throw new CommandError(`There are ${same.length} ${type} called "${word}": name one by its id.`);
  throw new RemoteError(`Among the ${type} that you may see none is called "${word}"`, 404, []);
}

const isId = (word: string, prefix: string) =>
  word.startsWith(prefix) && /^[0-9A-Za-z]{16}$/.test(word.slice(prefix.length));

async function records(server: Server, path: string, isOne: boolean): Promise<Resource[]> {
  if (!isOne) return server.list(path);
  const found = await server.find(path);
  return found ? [found] : [];
}
