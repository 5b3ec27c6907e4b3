/** Notification configuration: who is told of what in a workspace, a project or a team: the document, the SELECT and the finder. */

import { Type } from 'typebox';
import { notificationPowers } from '../../access/policy.ts';
import { projectPowers, projectPowersFromOrganization } from '../../access/project-levels.ts';
import { projectGrant, projectIsReadable } from '../../access/projects.ts';
import { teamIsVisible } from '../../access/teams.ts';
import { workspacePowers } from '../../access/workspace-levels.ts';
import { type Granted, grantColumns, grantedPowers, workspaceIsReadable } from '../../access/workspaces.ts';
import { type Actor, standingIn } from '../../core/access/actor.ts';
import {
  boolean,
  choice,
  column,
  computed,
  type Deployment,
  emailAddress,
  nullable,
  references,
  text,
  texts,
  timestamp,
  word,
} from '../../core/jsonapi/fields.ts';
import { printableName } from '../../core/jsonapi/forms.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { limits } from '../../core/limits.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import {
  type DestinationType,
  destinationTypes,
  type SubscribableType,
  subscribableTypes,
  triggers,
} from './triggers.ts';

interface NotificationConfigurationRow extends Subject<'notification-configuration'>, Granted {
  sealed_responses: Buffer | null;
  own_project_powers: number;
  organization_id: string;
  workspace_id: string | null;
  project_id: string | null;
  team_id: string | null;
  destination_type: DestinationType;
  sealed_url: Buffer | null;
  sealed_token: Buffer | null;
  email_addresses: string[];
  /** Those that are still members. */
  user_ids: string[];
}

export interface DeliveryResponse {
  /** Of mail, a `mailto:` address. */
  url: string;
  /** As text; empty where there was no answer. */
  code: string;
  /** Its beginning, or why there is none. */
  body: string;
  headers: Record<string, string[]>;
  sent_at: string;
  successful: boolean;
}

const address = Type.String({
  pattern: '^https?://[^\\s]+$',
  maxLength: 2048,
  'x-rule': 'must be an http or https URL',
});
const triggerList = Type.Array(word(...triggers), { maxItems: 2 * triggers.length });
const addressList = Type.Array(emailAddress, { maxItems: limits.notificationReceivers_items.value });
const responseShape = Type.Object({
  url: text,
  code: text,
  body: text,
  headers: Type.Unsafe<Record<string, string[]>>({ type: 'object', additionalProperties: texts }),
  'sent-at': timestamp,
  successful: word('true', 'false'),
});

const opened = (row: NotificationConfigurationRow, member: SealedMember, { unseal }: Deployment): string | null => {
  const sealed = row[`sealed_${member}`];
  return sealed && unseal(sealed, sealContext(row.id, member));
};

const attributes = {
  'created-at': column(timestamp),
  'delivery-responses': computed(Type.Array(responseShape), (row: NotificationConfigurationRow, deployment) =>
    (JSON.parse(opened(row, 'responses', deployment) ?? '[]') as DeliveryResponse[]).map(
      ({ sent_at, successful, ...rest }) => ({
        ...rest,
        'sent-at': sent_at,
        successful: successful ? ('true' as const) : ('false' as const),
      }),
    ),
  ),
  'destination-type': column(word(...destinationTypes), { write: true }),
  'email-addresses': column(texts, {
    write: nullable(addressList),
    when: ({ edition }) => edition === 'self-hosted',
  }),
  enabled: column(boolean, { write: true }),
  name: column(text, { write: printableName }),
  triggers: column(texts, { write: nullable(triggerList) }),
  'updated-at': column(timestamp),
  url: computed(nullable(text), (row: NotificationConfigurationRow, deployment) => opened(row, 'url', deployment), {
    write: nullable(address),
  }),
};

export const notificationConfigurations = resource({
  type: 'notification-configurations',
  attributes,
  relationships: {
    subscribable: choice(subscribableTypes, subscribableOf),
    users: references('users', 'user_ids'),
  },
  links: row => ({ self: `/api/v2/notification-configurations/${row.id}` }),
});

/** The document with the token that bodies carry and answers do not. */
export const given = resource({
  type: notificationConfigurations.type,
  attributes: {
    ...attributes,
    token: column(nullable(text), { write: nullable(Type.String({ maxLength: 255 })) }),
  },
  relationships: {},
});

type Subscribing = Pick<NotificationConfigurationRow, 'id' | `${'workspace' | 'project' | 'team'}_id`>;

/** Whose news it tells. */
export function subscribableOf(one: Subscribing): {
  type: SubscribableType;
  id: string;
} {
  if (one.workspace_id !== null) return { type: 'workspaces', id: one.workspace_id };
  return one.project_id !== null ? { type: 'projects', id: one.project_id } : { type: 'teams', id: one.team_id! };
}

type SealedMember = 'url' | 'token' | 'responses';

/** A sealed value of a configuration opens under this context alone. */
export const sealContext = (id: string, member: SealedMember) => `notification-configurations/${id}/${member}`;

/** One of the three ids is there. */
export interface NotificationConfiguration extends RowOf<typeof attributes>, NotificationConfigurationRow {}

export const notificationConfigurationRecords = records<NotificationConfiguration>({
  table: 'notification_configurations',
  columns: (sql, actor) => sql`
    notification_configurations.*, ${organizationOfIt(sql)} as organization_id, ${grantColumns(sql, actor)},
    ${projectGrant(sql, actor)} as own_project_powers,
    array(
      select notification_configuration_users.user_id from notification_configuration_users
      join organization_memberships on organization_memberships.user_id = notification_configuration_users.user_id
        and organization_memberships.organization_id = ${organizationOfIt(sql)}
      where notification_configuration_users.notification_configuration_id = notification_configurations.id
      order by notification_configuration_users.user_id
    ) as user_ids`,
  from: sql => sql`
    notification_configurations
    left join workspaces on workspaces.id = notification_configurations.workspace_id
    left join projects on projects.id = notification_configurations.project_id
    left join teams on teams.id = notification_configurations.team_id`,
  isVisible: (sql, actor) => sql`(
    workspaces.id is not null and ${workspaceIsReadable(sql, actor)}
    or projects.id is not null and ${projectIsReadable(sql, actor)}
    or teams.id is not null and ${teamIsVisible(sql, actor)}
  )`,
  powers: (row, actor) => notificationPowers.where({ manage: manages(row, actor) }),
});

const organizationOfIt = (sql: Sql): Fragment =>
  sql`coalesce(workspaces.organization_id, projects.organization_id, teams.organization_id)`;

/** What it takes to make one: policy.ts says the same of workspace, project and team. */
function manages(row: Omit<NotificationConfiguration, 'powers'>, actor: Actor): boolean {
  const { type } = subscribableOf(row);
  if (type === 'workspaces') return workspacePowers.has(grantedPowers(row, actor), 'administer');
  if (type === 'teams') return standingIn(actor, row.organization_id).isOwner;
  const granted = projectPowers.from(row.own_project_powers);
  return projectPowers.has(
    projectPowers.union(granted, projectPowersFromOrganization(actor, row.organization_id)),
    'update',
  );
}

export const notificationConfigurationById = notificationConfigurationRecords.byId('notification_configuration_id');
