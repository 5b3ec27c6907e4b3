/** §6 List the events of an organization, or of none, newest first, page after page; what happens meanwhile moves no page. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { type Collection, endpoint } from '../../core/jsonapi/endpoint.ts';
import { pageSizeDefault, pageSizeLimit, type RawQuery, readPage, single } from '../../core/jsonapi/page.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { organizationByName } from '../organizations/organization.ts';
import { site } from '../site/site.ts';
import { auditEvents, readEvents, timeAsked } from './audit-event.ts';

const parameters = {
  'filter[actor]': 'Events of this account: an id or a username',
  'filter[action]': 'Events of this operation, such as workspaces.lock',
  'filter[resource][type]': 'Events about records of this type',
  'filter[resource][id]': 'Events about this record',
  'filter[since]': 'Events at this time or later',
  'filter[until]': 'Events before this time',
  'page[after]': 'Events older than the one with this id: the address of the next page has it',
  'page[size]': `Sizes over ${pageSizeLimit} answer ${pageSizeLimit}; ${pageSizeDefault} when nothing is said`,
};

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

async function eventPage(sql: Sql, within: Fragment, query: RawQuery, address: string): Promise<Collection> {
  const { size } = readPage(query);
  const cursor = await cursorAsked(sql, within, query);
  const condition = sql`
    ${within} ${filters(sql, query)}
    ${cursor ? sql`and (audit_events.occurred_at, audit_events.id) < (${cursor.occurred_at}, ${cursor.id})` : sql``}`;
  // One more than the page holds: then there is a next one.
  const rest = sql`order by audit_events.occurred_at desc, audit_events.id desc limit ${size + 1}`;
  const rows = await readEvents(sql, condition, rest);
  const shown = rows.slice(0, size);
  const next = rows.length > size ? { next: pageAddress(address, query, shown.at(-1)!.id) } : {};
  return { rows: shown, total: shown.length, links: { self: pageAddress(address, query), ...next } };
}

/** The event that the page before ended with. Throws `invalid-parameter` when there is no such event within. */
async function cursorAsked(sql: Sql, within: Fragment, query: RawQuery) {
  const parameter = 'page[after]';
  const id = single(query, parameter);
  if (!id) return undefined;
  const [event] = await sql<{ id: string; occurred_at: string }[]>`
    select audit_events.id, audit_events.occurred_at from audit_events
    where audit_events.id = ${id} and ${within}`;
  if (event) return event;
  throw new ApiError('invalid-parameter', { reason: `${parameter} must be the id of an event.` }, { parameter });
}

function filters(sql: Sql, query: RawQuery): Fragment {
  const asked = (name: string) => single(query, `filter${name}`) || undefined;
  const actor = asked('[actor]');
  const action = asked('[action]');
  const type = asked('[resource][type]');
  const id = asked('[resource][id]');
  const since = timeAsked(query, 'filter[since]');
  const until = timeAsked(query, 'filter[until]');
  return sql`
    ${actor ? sql`and (audit_events.actor_id = ${actor} or audit_events.actor_name = ${actor})` : sql``}
    ${action ? sql`and audit_events.action = ${action}` : sql``}
    ${type ? sql`and audit_events.resource_type = ${type}` : sql``}
    ${id ? sql`and audit_events.resource_id = ${id}` : sql``}
    ${since ? sql`and audit_events.occurred_at >= ${since}` : sql``}
    ${until ? sql`and audit_events.occurred_at < ${until}` : sql``}`;
}

function pageAddress(address: string, query: RawQuery, after?: string): string {
  const parameters = new URLSearchParams();
  for (const name of Object.keys(query)) {
    if (after !== undefined && name === 'page[after]') continue;
    parameters.append(name, single(query, name) ?? '');
  }
  if (after !== undefined) parameters.append('page[after]', after);
  return parameters.size > 0 ? `${address}?${parameters}` : address;
}
