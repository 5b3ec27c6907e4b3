/** What hosts of code told of repositories, and what followed in which workspace, in words: why did my push begin nothing? */
import { Type } from 'typebox';
import { oauthAccess } from '../../access/owned.ts';
import { workspaceIsReadable } from '../../access/workspaces.ts';
import type { RepositoryEvent } from '../../connections/forges/forge.ts';
import type { Actor } from '../../core/access/actor.ts';
import { addressed, column, computed, integer, nullable, text, timestamp, word } from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { limits } from '../../core/limits.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';

interface Outcome {
  event: number;
  'workspace-id': string;
  'workspace-name': string;
  begins: string | null;
  reason: string;
  'configuration-version-id': string | null;
  'configuration-version-status': string | null;
  'error-message': string | null;
  'run-id': string | null;
}

interface WebhookDelivery extends Subject<'oauth'> {
  organization_id: string;
  worked_off_at: string | null;
  events: RepositoryEvent[];
  outcomes: Outcome[];
  /** Of all, also those that the caller may not see. */
  outcome_count: number;
}

const event = Type.Object({
  kind: word('push', 'tag', 'pull-request'),
  repository: text,
  branch: nullable(text),
  tag: nullable(text),
  'commit-sha': nullable(text),
  'pull-request-number': nullable(integer),
  sender: nullable(text),
});

const outcome = Type.Object({
  event: integer,
  'workspace-id': text,
  'workspace-name': text,
  begins: nullable(word('run', 'speculative run')),
  reason: text,
  'configuration-version-id': nullable(text),
  'configuration-version-status': nullable(text),
  'error-message': nullable(text),
  'run-id': nullable(text),
});

export const webhookDeliveries = resource({
  type: 'webhook-deliveries',
  attributes: {
    'delivery-id': column(text),
    'received-at': column(timestamp),
    status: computed(word('waiting', 'worked-off'), ({ worked_off_at }: WebhookDelivery) =>
      worked_off_at === null ? 'waiting' : 'worked-off',
    ),
    explanation: column(nullable(text)),
    events: computed(Type.Array(event), ({ events }: WebhookDelivery) => events.map(shown)),
    /** By workspace; `event` is a position in `events`. Those that began something come first. */
    outcomes: column(Type.Array(outcome)),
    /** In workspaces that the caller does not see, and beyond those that are shown. */
    'further-outcomes': computed(
      integer,
      ({ outcomes, outcome_count }: WebhookDelivery) => outcome_count - outcomes.length,
    ),
  },
  relationships: {
    'oauth-client': addressed('oauth-clients', 'oauth_client_id'),
  },
});

const shown = (one: RepositoryEvent) => ({
  kind: one.kind,
  repository: one.repository,
  branch: one.branch,
  tag: one.tag,
  'commit-sha': one.commit_sha,
  'pull-request-number': one.pull_request?.number ?? null,
  sender: one.sender?.username ?? null,
});

export const webhookDeliveryRecords = records<WebhookDelivery>({
  table: 'webhook_deliveries',
  columns: (sql, actor) => sql`
    webhook_deliveries.id, webhook_deliveries.oauth_client_id, oauth_clients.organization_id,
    webhook_deliveries.delivery_id, webhook_deliveries.received_at, webhook_deliveries.worked_off_at,
    webhook_deliveries.explanation, webhook_deliveries.events, ${visibleOutcomes(sql, actor)} as outcomes,
    (
      select count(*)::integer from webhook_outcomes
      where webhook_outcomes.webhook_delivery_id = webhook_deliveries.id
    ) as outcome_count`,
  from: sql => sql`
    webhook_deliveries
    join oauth_clients on oauth_clients.id = webhook_deliveries.oauth_client_id`,
  isVisible: (sql, actor) => sql`oauth_clients.organization_id = any(${oauthAccess.organizationsOf(actor)})`,
  powers: (row, actor) => oauthAccess.powersIn(actor, row.organization_id),
});

/** Whoever manages a connection need not see each workspace that it is linked to. */
const visibleOutcomes = (sql: Sql, actor: Actor): Fragment => sql`
  coalesce((
    select jsonb_agg(shown.document order by shown.place) from (
      select row_number() over (
          order by webhook_outcomes.begins is null, workspaces.name, webhook_outcomes.event_position, workspaces.id
        ) as place,
        jsonb_build_object(
          'event', webhook_outcomes.event_position, 'workspace-id', workspaces.id, 'workspace-name', workspaces.name,
          'begins', webhook_outcomes.begins, 'reason', webhook_outcomes.reason,
          'configuration-version-id', configuration_versions.id,
          'configuration-version-status', configuration_versions.status,
          'error-message', configuration_versions.error_message,
          'run-id', (
            select runs.id from runs
            where runs.configuration_version_id = configuration_versions.id
            order by runs.position limit 1
          )
        ) as document
      from webhook_outcomes
      join workspaces on workspaces.id = webhook_outcomes.workspace_id
      left join configuration_versions on configuration_versions.id = webhook_outcomes.configuration_version_id
      where webhook_outcomes.webhook_delivery_id = webhook_deliveries.id and ${workspaceIsReadable(sql, actor)}
      order by place
      limit ${limits.shownOutcomes_items.value}
    ) as shown
  ), '[]'::jsonb)`;
