/** What bodies say of a configuration: its members as columns, the members of the organization that get letters, its trial. */

import type { Config } from '../../core/config.ts';
import { ApiError, type Fault, relationshipFault } from '../../core/errors.ts';
import { toMany, type WriteOf } from '../../core/jsonapi/body.ts';
import { seal } from '../../core/store/secrets.ts';
import type { Sql } from '../../core/store/store.ts';
import type { Told } from './messages.ts';
import { type DeliveryResponse, type given, sealContext } from './notification-configuration.ts';
import { type Hook, post } from './send.ts';

export type Given = WriteOf<(typeof given)['attributes']>;

export const givenLinks = { users: toMany('users') };

/** The columns that a body sets; those of which it is silent stay. */
export function columnsFrom(config: Config, id: string, attributes: Given): Record<string, unknown> {
  const sealed = (member: 'url' | 'token') => {
    const value = attributes[member];
    return value === undefined ? undefined : value && seal(config, value, sealContext(id, member));
  };
  return {
    name: attributes.name,
    enabled: attributes.enabled,
    triggers: listed(attributes.triggers),
    email_addresses: listed(attributes['email-addresses']),
    sealed_url: sealed('url'),
    sealed_token: sealed('token') || (attributes.token === undefined ? undefined : null),
  };
}

const listed = (values: readonly string[] | null | undefined) =>
  values === undefined ? undefined : [...new Set(values)];

/** Of users who are not members, or are no users at all. The memberships are held. */
export async function userFaults(sql: Sql, organizationId: string, ids: readonly string[]): Promise<Fault[]> {
  const found = await sql<{ user_id: string }[]>`
    select organization_memberships.user_id from organization_memberships
    where organization_memberships.organization_id = ${organizationId}
      and organization_memberships.user_id = any(${ids as string[]})
    order by organization_memberships.id for key share`;
  const members = new Set(found.map(({ user_id }) => user_id));
  const isComplete = ids.every(id => members.has(id));
  return isComplete ? [] : [relationshipFault('users', 'Users must be members of the organization')];
}

export async function writeUsers(sql: Sql, id: string, userIds: readonly string[] | undefined): Promise<void> {
  if (!userIds) return;
  await sql`
    delete from notification_configuration_users
    where notification_configuration_users.notification_configuration_id = ${id}`;
  await sql`
    insert into notification_configuration_users (notification_configuration_id, user_id)
    select ${id}, named.id from unnest(${[...new Set(userIds)]}::text[]) as named (id)`;
}

/** Asks the address whether it is there. Throws `destination-refused` unless it takes the message. */
export async function tried(
  config: Config,
  publicUrl: string,
  { id, name }: { id: string; name: string },
  hook: Hook,
): Promise<DeliveryResponse> {
  const response = await post(config, hook, trial(id, name, publicUrl));
  if (response.successful) return response;
  const answer = response.code ? `it answered ${response.code}` : response.body;
  throw new ApiError('destination-refused', { reason: answer.replace(/\.$/, '') });
}

export const trial = (id: string, name: string, publicUrl: string): Told => ({
  configuration_id: id,
  configuration_name: name,
  trigger: 'verification',
  message: `Verification of ${name}`,
  workspace: null,
  run: null,
  details: null,
  public_url: publicUrl,
});
