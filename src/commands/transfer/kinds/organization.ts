// The organization itself: its settings, and the tag keys that it reserves.

import { organizations } from '../../../organizations/organizations/organization.ts';
import { reservedTagKeys } from '../../../workspaces/reserved-tag-keys/reserved-tag-key.ts';
import { CommandError } from '../../command-error.ts';
import { attributesOf, named, organizationPath, reference } from '../place.ts';
import type { Missing } from '../record.ts';
import type { Kind } from './kind.ts';

// Each could shut out whoever moves the organization, before the move is done.
const leftAlone = ['user-tokens-enabled', 'collaborator-auth-policy', 'session-timeout', 'session-remember'];
const notSettings = ['name', 'email', 'default-agent-pool-id', ...leftAlone];

export const organizationKind: Kind = {
  type: 'organizations',
  title: 'organization',
  read: async place => {
    const document = await place.server.find(organizationPath(place));
    if (!document) throw new CommandError(`${place.server.address} shows no organization ${place.organization}.`);
    const missing = leftAlone.flatMap(name => setByHand(name, document.attributes[name]));
    const attributes = attributesOf(document, organizations, notSettings);
    const content = { attributes, 'default-agent-pool': named(place, document, 'default-agent-pool') };
    return [{ name: 'settings', id: document.id, content, missing }];
  },
  write: async (target, { record }) => {
    const pool = record.content['default-agent-pool'] as string | null;
    await target.change('PATCH', organizationPath(target), {
      type: 'organizations',
      attributes: record.content['attributes'],
      relationships: { 'default-agent-pool': pool ? reference(target, 'agent-pools', pool) : { data: null } },
    });
  },
};

function setByHand(name: string, value: unknown): Missing[] {
  if (value === null || value === undefined || value === true || value === 'password') return [];
  const why = `it could shut you out before the move is done; it was ${JSON.stringify(value)}`;
  return [{ what: name, why, toFill: true }];
}

export const reservedTagKeyKind: Kind = {
  type: 'reserved-tag-keys',
  title: 'reserved tag keys',
  read: async place => {
    const keys = await place.server.list(organizationPath(place, '/reserved-tag-keys'));
    return keys.map(key => ({
      name: String(key.attributes['key']),
      id: key.id,
      content: { attributes: attributesOf(key, reservedTagKeys, ['key']) },
      missing: [],
    }));
  },
  write: async (target, { record, present }) => {
    const attributes = { key: record.name, ...(record.content['attributes'] as object) };
    const data = { type: 'reserved-tag-keys', attributes };
    if (present) await target.change('PATCH', `reserved-tag-keys/${present.id}`, data);
    else await target.create(organizationPath(target, '/reserved-tag-keys'), data);
  },
};
