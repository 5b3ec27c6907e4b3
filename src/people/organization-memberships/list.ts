/** §1 List the memberships of an organization, with how many are active and how many invited, or the caller's own. */

import { policy } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import { ApiError } from '../../core/errors.ts';
import { type Collection, endpoint } from '../../core/jsonapi/endpoint.ts';
import { type Page, type RawQuery, single } from '../../core/jsonapi/page.ts';
import { commaSeparated, containing } from '../../core/jsonapi/search.ts';
import type { Sql } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { site } from '../../organizations/site/site.ts';
import { membershipIncludes, organizationMemberships, readMemberships } from './organization-membership.ts';

export const listMemberships = endpoint({
  operation: 'organization-memberships.list',
  section: '§1',
  summary: 'List the memberships of an organization',
  method: 'GET',
  paths: ['/organizations/:organization_name/organization-memberships'],
  subject: organizationByName,
  needs: policy['organization:list-memberships'],
  query: {
    q: 'Memberships whose username or e-mail address contains this, whatever its case',
    'filter[email]': 'Memberships with any of these e-mail addresses, comma separated',
    'filter[status]': 'active or invited',
  },
  include: membershipIncludes,
  answer: { status: 200, collection: organizationMemberships, pages: 'always' },
  handle: ({ store, actor, subject, query, page }) =>
    membershipPage(store.search, actor, subject.organization_id, query, page),
});

export const listOwnMemberships = endpoint({
  operation: 'organization-memberships.list-own',
  section: '§1',
  summary: "List the caller's own memberships",
  method: 'GET',
  paths: ['/organization-memberships'],
  subject: site,
  needs: policy['site:call'],
  include: membershipIncludes,
  answer: { status: 200, collection: organizationMemberships, pages: 'when-asked' },
  handle: ({ sql, actor, page }) => ownMemberships(sql, actor, page),
});

/** `inactive` is a status that clients ask for; here nobody ever has it. */
const statuses = new Set(['active', 'invited', 'inactive']);

function readStatus(query: RawQuery): string | undefined {
  const status = single(query, 'filter[status]');
  if (!status || statuses.has(status)) return status;
  const parameter = 'filter[status]';
  throw new ApiError('invalid-parameter', { reason: `${parameter} must be active or invited.` }, { parameter });
}

interface Counts {
  total: number;
  active: number;
  invited: number;
}

async function membershipPage(
  sql: Sql,
  actor: Actor,
  organizationId: string,
  query: RawQuery,
  page: Page,
): Promise<Collection> {
  const search = single(query, 'q');
  const pattern = containing(search ?? '');
  const status = readStatus(query);
  const emails = commaSeparated([query['filter[email]'] ?? ''].flat().join(',')).map(email => email.toLowerCase());
  const condition = sql`
    organization_memberships.organization_id = ${organizationId}
    ${emails.length > 0 ? sql`and lower(organization_memberships.email) = any(${emails})` : sql``}
    ${
      search
        ? sql`and (lower(users.username) like lower(${pattern})
            or lower(organization_memberships.email) like lower(${pattern}))`
        : sql``
    }`;
  const withStatus = status ? sql`${condition} and organization_memberships.status = ${status}` : condition;
  const [counted, rows] = await Promise.all([
    sql<Counts[]>`
      select count(*) as total,
        count(*) filter (where organization_memberships.status = 'active') as active,
        count(*) filter (where organization_memberships.status = 'invited') as invited
      from organization_memberships
      join users on users.id = organization_memberships.user_id
      where ${condition}`,
    readMemberships(
      sql,
      actor,
      withStatus,
      sql`
        order by lower(organization_memberships.email), organization_memberships.id
        limit ${page.size} offset ${page.offset}`,
    ),
  ]);
  const counts = counted[0]!;
  const total = status ? (counts[status as keyof Counts] ?? 0) : counts.total;
  return { rows, total, meta: { 'status-counts': counts } };
}

/** An account belongs to few organizations: they are read whole and cut here. */
async function ownMemberships(sql: Sql, actor: Actor, page: Page): Promise<Collection> {
  const rows = await readMemberships(
    sql,
    actor,
    sql`organization_memberships.user_id = ${actor.userId}`,
    sql`order by organizations.name, organization_memberships.id`,
  );
  return { rows: page.isGiven ? rows.slice(page.offset, page.offset + page.size) : rows, total: rows.length };
}
