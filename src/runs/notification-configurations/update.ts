/** Update a notification configuration. Where it is enabled afterwards, another address is tried first. */
import { policy } from '../../access/policy.ts';
import type { Config } from '../../core/config.ts';
import { ApiError, attributeFault, type Fault } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { open } from '../../core/store/secrets.ts';
import { row, type Sql } from '../../core/store/store.ts';
import {
  given,
  type NotificationConfiguration,
  notificationConfigurationById,
  notificationConfigurations,
  sealContext,
  subscribableOf,
} from './notification-configuration.ts';
import { addResponses } from './responses.ts';
import { destinationFaults, triggerFaults } from './rules.ts';
import type { Hook } from './send.ts';
import { columnsFrom, type Given, givenLinks, tried, userFaults, writeUsers } from './settings.ts';

export const updateNotificationConfiguration = endpoint({
  operation: 'notification-configurations.update',
  section: '§1',
  summary: 'Update a notification configuration',
  method: 'PATCH',
  paths: ['/notification-configurations/:notification_configuration_id'],
  subject: notificationConfigurationById,
  needs: policy['notification-configuration:manage'],
  body: documentBody(given, { relationships: givenLinks }),
  answer: { status: 200, document: notificationConfigurations, reads: notificationConfigurationById },
  errors: ['invalid-relationship', 'destination-refused'],
  prepare: async ({ subject, body: { attributes, relationships }, config, deployment }) => {
    const faults = faultsOf(subject, attributes, relationships.users);
    if (faults.length > 0) throw new ApiError(faults);
    const hook = hookToTry(config, subject, attributes);
    return hook && tried(config, deployment.publicUrl, subject, hook);
  },
  check: async ({ sql, subject, body: { attributes, relationships }, faults }) => {
    faults.push(...faultsOf(subject, attributes, relationships.users));
    faults.push(...(await userFaults(sql, subject.organization_id, relationships.users ?? [])));
  },
  handle: async ({ sql, subject, body: { attributes, relationships }, received: response, config }) => {
    const { id } = subject;
    await sql`
      update notification_configurations
      set ${row(sql, { ...columnsFrom(config, id, attributes), updated_at: sql`now()` })}
      where notification_configurations.id = ${id}`;
    await writeUsers(sql, id, relationships.users);
    if (response) await addResponses(sql, config, id, [response]);
    if (attributes.enabled === false) await forgetPending(sql, id);
  },
});

function faultsOf(subject: NotificationConfiguration, attributes: Given, users: string[] | undefined): Fault[] {
  const type = subject.destination_type;
  const wanted = attributes['destination-type'] ?? type;
  const others = attributes['email-addresses'] ?? (type === 'email' ? subject.email_addresses : []);
  return [
    ...(wanted === type ? [] : [attributeFault('destination-type', `Destination type cannot be changed from ${type}`)]),
    ...triggerFaults(subscribableOf(subject).type, attributes.triggers ?? []),
    // An address that is there already was judged when it came.
    ...destinationFaults({
      destination_type: type,
      url: attributes.url === undefined && type !== 'email' ? 'https://kept.example' : (attributes.url ?? null),
      email_addresses: others,
      user_ids: users ?? [],
    }),
  ];
}

/** Nothing is asked where only a name or the triggers change. */
function hookToTry(config: Config, subject: NotificationConfiguration, attributes: Given): Hook | null {
  const { id, destination_type: type, sealed_url, sealed_token } = subject;
  const isTouched = attributes.url !== undefined || attributes.token !== undefined || attributes.enabled === true;
  if (!(attributes.enabled ?? subject.enabled) || !isTouched || type === 'email') return null;
  const kept = (sealed: Buffer | null, member: 'url' | 'token') =>
    sealed && open(config, sealed, sealContext(id, member));
  return {
    type,
    url: attributes.url ?? kept(sealed_url, 'url')!,
    token: attributes.token === undefined ? kept(sealed_token, 'token') : attributes.token,
  };
}

async function forgetPending(sql: Sql, id: string): Promise<void> {
  await sql`delete from pending_notifications where pending_notifications.notification_configuration_id = ${id}`;
}
