/** §6 List the events of an organization, or of none, newest first, page after page; what happens meanwhile moves no page. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { type Collection, endpoint } from '../../core/jsonapi/endpoint.ts';
import { pageSize } from '../../core/jsonapi/page.ts';
import { instant, type QueryOf, term, wholeNumber } from '../../core/jsonapi/query.ts';
import { all } from '../../core/store/conditions.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { organizationByName } from '../organizations/organization.ts';
import { site } from '../site/site.ts';
import { auditEvents, readEvents } from './audit-event.ts';

const parameters = {
  'filter[actor]': term('Events of this account: an id or a username'),
  'filter[action]': term('Events of this operation, such as workspaces.lock'),
  'filter[resource][type]': term('Events about records of this type'),
  'filter[resource][id]': term('Events about this record'),
  'filter[since]': instant('Events at this time or later'),
  'filter[until]': instant('Events before this time'),
  'page[after]': term('Events older than the one with this id: the address of the next page has it'),
  'page[size]': wholeNumber(`Sizes over ${pageSize.most} answer ${pageSize.most}`, 1, 2 ** 31 - 1),
};

type Asked = QueryOf<typeof parameters>;

export const listAuditEvents = endpoint({
  operation: 'audit-events.list',
  section: '§6',
  summary: 'List what happened in an organization, newest first',
  method: 'GET',
  paths: ['/organizations/:organization_name/audit-events'],
  subject: organizationByName,
  needs: policy['organization:read-audit'],
  query: parameters,
  answer: { status: 200, collection: auditEvents, pages: 'never' },
  handle: ({ store: { search: sql }, subject, query, deployment }) => {
    const address = `${deployment.publicUrl}/api/v2/organizations/${subject.name}/audit-events`;
    return eventPage(sql, sql`audit_events.organization_id = ${subject.organization_id}`, query, address);
  },
});

export const listSiteAuditEvents = endpoint({
  operation: 'audit-events.list-of-site',
  section: '§6',
  summary: 'List what happened outside of every organization, newest first',
  method: 'GET',
  paths: ['/admin/audit-events'],
  subject: site,
  needs: policy['site:administer'],
  query: parameters,
  answer: { status: 200, collection: auditEvents, pages: 'never' },
  handle: ({ store: { search: sql }, query, deployment }) => {
    const address = `${deployment.publicUrl}/api/v2/admin/audit-events`;
    return eventPage(sql, sql`audit_events.organization_id is null`, query, address);
  },
});

async function eventPage(sql: Sql, within: Fragment, query: Asked, address: string): Promise<Collection> {
  const size = Math.min(query['page[size]'] ?? pageSize.usual, pageSize.most);
  const cursor = await cursorAsked(sql, within, query['page[after]']);
  const condition = all(sql, [
    within,
    ...filters(sql, query),
    cursor && sql`(audit_events.occurred_at, audit_events.id) < (${cursor.occurred_at}, ${cursor.id})`,
  ]);
  // One more than the page holds: then there is a next one.
  const rest = sql`order by audit_events.occurred_at desc, audit_events.id desc limit ${size + 1}`;
  const rows = await readEvents(sql, condition, rest);
  const shown = rows.slice(0, size);
  const next = rows.length > size ? { next: pageAddress(address, query, shown.at(-1)!.id) } : {};
  return { rows: shown, total: shown.length, links: { self: pageAddress(address, query), ...next } };
}

/** The event that the page before ended with. Throws `invalid-parameter` when there is no such event within. */
async function cursorAsked(sql: Sql, within: Fragment, id: string | undefined) {
  if (id === undefined) return undefined;
  const [event] = await sql<{ id: string; occurred_at: string }[]>`
    select audit_events.id, audit_events.occurred_at from audit_events
    where audit_events.id = ${id} and ${within}`;
  if (event) return event;
  const parameter = 'page[after]';
  throw new ApiError('invalid-parameter', { reason: `${parameter} must be the id of an event.` }, { parameter });
}

function filters(sql: Sql, query: Asked): (Fragment | undefined)[] {
  const {
    'filter[actor]': actor,
    'filter[action]': action,
    'filter[resource][type]': type,
    'filter[resource][id]': id,
    'filter[since]': since,
    'filter[until]': until,
  } = query;
  return [
    actor ? sql`(audit_events.actor_id = ${actor} or audit_events.actor_name = ${actor})` : undefined,
    action ? sql`audit_events.action = ${action}` : undefined,
    type ? sql`audit_events.resource_type = ${type}` : undefined,
    id ? sql`audit_events.resource_id = ${id}` : undefined,
    since ? sql`audit_events.occurred_at >= ${since}` : undefined,
    until ? sql`audit_events.occurred_at < ${until}` : undefined,
  ];
}

function pageAddress(address: string, query: Asked, after = query['page[after]']): string {
  const given = Object.entries({ ...query, 'page[after]': after }).filter(([, value]) => value !== undefined);
  const parameters = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return parameters.size > 0 ? `${address}?${parameters}` : address;
}
