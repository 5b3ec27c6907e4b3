/** §6 The audit trail in the form that log collectors poll: its own JSON, up to 1000 events a page, newest first. */

import { Type } from 'typebox';
import { organizationPowers } from '../../access/organization-access.ts';
import { policy } from '../../access/policy.ts';
import { type Actor, organizationsWhere } from '../../core/access/actor.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { type Deployment, integer, nullable, text } from '../../core/jsonapi/fields.ts';
import { instant, wholeNumber } from '../../core/jsonapi/query.ts';
import type { Finder, Subject } from '../../core/jsonapi/records.ts';
import { limits } from '../../core/limits.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { type AuditEvent, readEvents } from './audit-event.ts';

const pageSize = 1000;

interface Audited extends Subject<'organization'> {
  organization_ids: string[];
}

/** The organizations whose trail the caller reads: those of an owner, or the one of a token made for this; those that have one. */
const audited: Finder<Audited> = {
  parameter: 'audit-trail',
  find: async ({ sql, actor }) => {
    const open = await sql<{ id: string }[]>`
      select organizations.id from organizations
      where organizations.id = any(${organizationsAudited(actor)}) and organizations.audit_trails_enabled
      order by organizations.id`;
    const ids = open.map(({ id }) => id);
    return { id: 'audit-trail', organization_ids: ids, powers: organizationPowers.where({ own: ids.length > 0 }) };
  },
};

function organizationsAudited(actor: Actor): string[] {
  if (actor.kind === 'audit-trails') return [actor.organizationId!];
  return organizationsWhere(actor, ({ isOwner }) => isOwner);
}

const event = Type.Object({
  id: text,
  version: text,
  type: text,
  timestamp: text,
  auth: Type.Object({
    accessor_id: text,
    description: nullable(text),
    type: text,
    impersonator_id: nullable(text),
    organization_id: text,
  }),
  request: Type.Object({ id: text }),
  resource: Type.Object({ id: nullable(text), type: nullable(text), action: text, meta: Type.Object({}) }),
});

const pagination = Type.Object({
  current_page: integer,
  prev_page: nullable(integer),
  next_page: nullable(integer),
  total_pages: integer,
  total_count: integer,
});

export const showAuditTrail = endpoint({
  operation: 'audit-trail.show',
  section: '§6',
  summary: 'Show what happened in the organizations whose audit the token reads, newest first',
  method: 'GET',
  paths: ['/organization/audit-trail'],
  subject: audited,
  needs: policy['organization:read-audit'],
  query: {
    since: instant('Events after this time'),
    'page[number]': wholeNumber('From 1', 1, 2 ** 31 - 1),
    'page[size]': wholeNumber(`At most ${pageSize}, which is also the default`, 1, 2 ** 31 - 1),
  },
  answer: { status: 200, json: Type.Object({ data: Type.Array(event), pagination }) },
  errors: ['invalid-parameter'],
  handle: async ({ store: { search: sql }, subject, query, deployment }) => {
    const { since, 'page[number]': number = 1 } = query;
    const size = Math.min(query['page[size]'] ?? pageSize, pageSize);
    const most = limits.auditTrail_items.value;
    const offset = Math.min((number - 1) * size, most);
    const [only, ...others] = subject.organization_ids;
    // Of one organization the index is read in its order; of several, all events are sorted.
    const within =
      others.length === 0
        ? sql`audit_events.organization_id = ${only!}`
        : sql`audit_events.organization_id = any(${subject.organization_ids})`;
    const condition = sql`${within} ${since ? isAfter(sql, since, deployment) : sql``}`;
    const order = sql`order by audit_events.occurred_at desc, audit_events.id desc`;
    const [counts, rows] = await Promise.all([
      sql<{ total: number }[]>`
        select count(*) as total from (select from audit_events where ${condition} ${order} limit ${most}) as newest`,
      readEvents(
        sql,
        sql`audit_events.id in (
          select audit_events.id from audit_events where ${condition} ${order}
          limit ${Math.min(size, most - offset)} offset ${offset}
        )`,
        order,
      ),
    ]);
    const total = counts[0]!.total;
    const last = Math.max(1, Math.ceil(total / size));
    return {
      data: rows.map(shown),
      pagination: {
        current_page: number,
        prev_page: number > 1 ? Math.min(number - 1, last) : null,
        next_page: number < last ? number + 1 : null,
        total_pages: last,
        total_count: total,
      },
    };
  },
});

/** Clients send whole seconds of the time that they mean: under their profile nothing comes of the second itself. */
function isAfter(sql: Sql, since: string, { profile }: Deployment): Fragment {
  const isWholeSecond = profile === 'vendor' && since.endsWith('.000Z');
  return isWholeSecond
    ? sql`and audit_events.occurred_at >= ${since}::timestamptz + interval '1 second'`
    : sql`and audit_events.occurred_at > ${since}`;
}

/** `agent-pools.create` about `agent-pools` is the action `create` on an `agent_pool`. */
function shown(row: AuditEvent) {
  const type = row.resource_type;
  return {
    id: row.id,
    version: '0',
    type: 'Resource',
    timestamp: row.occurred_at,
    auth: {
      accessor_id: row.actor_id,
      description: row.actor_name,
      type: 'Client',
      impersonator_id: null,
      organization_id: row.organization_id,
    },
    request: { id: row.request_id },
    resource: {
      id: row.resource_id,
      type: type && singular(type).replaceAll('-', '_'),
      action: row.action.slice(row.action.indexOf('.') + 1).replaceAll('-', '_'),
      meta: row.changes,
    },
  };
}

const singular = (type: string) => type.replace(/ies$/, 'y').replace(/s$/, '');
