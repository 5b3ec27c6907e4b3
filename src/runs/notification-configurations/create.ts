/** Create a notification configuration. One that is enabled tries its address first: what does not answer is not saved. */

import { ApiError, attributeFault, type Fault, relationshipFault } from '../../core/errors.ts';
import { documentBody, toOneOf } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Subject } from '../../core/jsonapi/records.ts';
import { limits } from '../../core/limits.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { given, notificationConfigurationById, notificationConfigurations } from './notification-configuration.ts';
import { sealedResponses } from './responses.ts';
import { destinationFaults, triggerFaults } from './rules.ts';
import { columnsFrom, type Given, givenLinks, tried, userFaults, writeUsers } from './settings.ts';
import { ofProjects, ofTeams, ofWorkspaces, type Subscribable } from './subscribables.ts';

type Holder = Subject<string> & { id: string; organization_id: string };

const summaries = {
  workspace: 'Let somebody be told of what happens in a workspace',
  project: 'Let somebody be told of what happens in the workspaces of a project',
  team: 'Let somebody be told of what concerns a team',
};

interface Named {
  users?: string[];
  subscribable?: { id: string } | null;
}

const createFor = <Found extends Holder>(operation: string, of: Subscribable<Found>) =>
  endpoint({
    operation,
    section: '§1',
    summary: summaries[of.one],
    method: 'POST',
    paths: [of.path],
    subject: of.subject,
    needs: of.needs,
    // They are counted.
    holds: 'no key update',
    body: documentBody(given, {
      required: ['destination-type', 'enabled', 'name'],
      relationships: { ...givenLinks, subscribable: toOneOf(of.type) },
    }),
    answer: { status: 201, document: notificationConfigurations, reads: notificationConfigurationById },
    errors: ['invalid-relationship', 'destination-refused'],
    prepare: async ({ subject, body: { attributes, relationships }, config, deployment }) => {
      const faults = faultsOf(of, subject.id, attributes, relationships);
      if (faults.length > 0) throw new ApiError(faults);
      const id = newId('nc');
      const { 'destination-type': type, name, enabled, url, token } = attributes;
      if (!enabled || type === 'email') return { id, response: null };
      const hook = { type: type!, url: url!, token: token ?? null };
      return { id, response: await tried(config, deployment.publicUrl, { id, name: name! }, hook) };
    },
    check: async ({ sql, subject, body: { relationships }, faults }) => {
      const count = await countConfigurations(sql, of.column, subject.id);
      const most = limits.notificationConfigurations_items.value;
      if (count >= most) faults.push(attributeFault('name', `Name cannot be added: a ${of.one} has at most ${most}`));
      faults.push(...(await userFaults(sql, subject.organization_id, relationships.users ?? [])));
    },
    handle: async ({ sql, subject, body: { attributes, relationships }, received: { id, response }, config }) => {
      await sql`
      insert into notification_configurations ${row(sql, {
        ...columnsFrom(config, id, attributes),
        id,
        [of.column]: subject.id,
        destination_type: attributes['destination-type'],
        sealed_responses: response ? sealedResponses(config, id, [response]) : null,
      })}`;
      await writeUsers(sql, id, relationships.users);
      return id;
    },
  });

export const createNotificationConfigurations = [
  createFor('notification-configurations.create', ofWorkspaces),
  createFor('notification-configurations.create-for-project', ofProjects),
  createFor('notification-configurations.create-for-team', ofTeams),
];

function faultsOf(
  { type, one }: Pick<Subscribable<Holder>, 'type' | 'one'>,
  id: string,
  attributes: Given,
  { users, subscribable }: Named,
): Fault[] {
  const isElsewhere = subscribable !== undefined && subscribable?.id !== id;
  return [
    ...triggerFaults(type, attributes.triggers ?? []),
    ...destinationFaults({
      destination_type: attributes['destination-type'],
      url: attributes.url ?? null,
      email_addresses: attributes['email-addresses'] ?? [],
      user_ids: users ?? [],
    }),
    ...(isElsewhere ? [relationshipFault('subscribable', `Subscribable must be the ${one} of the address`)] : []),
  ];
}

async function countConfigurations(sql: Sql, column: string, id: string): Promise<number> {
  const [counted] = await sql<{ total: number }[]>`
    select count(*) as total from notification_configurations
    where notification_configurations.${sql(column)} = ${id}`;
  return counted!.total;
}
