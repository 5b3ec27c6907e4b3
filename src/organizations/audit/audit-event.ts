/** §6 Audit event: what happened, by whom. The document and the SELECT. */
import { Type } from 'typebox';
import { addressed, column, nullable, text, timestamp } from '../../core/jsonapi/fields.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';

const changes = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true });

const attributes = {
  'occurred-at': column(timestamp),
  action: column(text),
  'actor-type': column(text),
  'actor-id': column(text),
  'actor-name': column(nullable(text)),
  'token-id': column(nullable(text)),
  'resource-type': column(nullable(text)),
  'resource-id': column(nullable(text)),
  'resource-name': column(nullable(text)),
  /** Column → [before, after], and what a list of records gained or lost. Secrets are never in it. */
  changes: column(changes),
  'request-id': column(text),
  'remote-address': column(nullable(text)),
};

export const auditEvents = resource({
  type: 'audit-events',
  attributes,
  relationships: {
    organization: addressed('organizations', 'organization_name'),
  },
});

export interface AuditEvent extends RowOf<typeof attributes> {
  organization_id: string | null;
  organization_name: string | null;
}

/** The events of a condition, with what `rest` says of order and limit. */
export async function readEvents(sql: Sql, condition: Fragment, rest: Fragment): Promise<AuditEvent[]> {
  return sql<AuditEvent[]>`
    select audit_events.id, audit_events.occurred_at, audit_events.organization_id, audit_events.action,
      audit_events.actor_type, audit_events.actor_id, audit_events.actor_name, audit_events.token_id,
      audit_events.resource_type, audit_events.resource_id, audit_events.resource_name, audit_events.changes,
      audit_events.request_id, audit_events.remote_address, organizations.name as organization_name
    from audit_events
    left join organizations on organizations.id = audit_events.organization_id
    where ${condition}
    ${rest}`;
}
