/** §1 List the memberships of an organization, with how many are active and how many invited, or the caller's own. */

import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { list, term, word } from '../../core/jsonapi/query.ts';
import { containing } from '../../core/jsonapi/search.ts';
import { limits } from '../../core/limits.ts';
import { all } from '../../core/store/conditions.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { site } from '../../organizations/site/site.ts';
import { membershipIncludes, membershipRecords, organizationMemberships } from './organization-membership.ts';

export const listMemberships = endpoint({
  operation: 'organization-memberships.list',
  section: '§1',
  summary: 'List the memberships of an organization',
  method: 'GET',
  paths: ['/organizations/:organization_name/organization-memberships'],
  subject: organizationByName,
  needs: policy['organization:list-memberships'],
  query: {
    q: term('Memberships whose e-mail address, or of members whose username, contains this, whatever its case'),
    'filter[email]': list('Memberships with any of these e-mail addresses', limits.queryNames_items.value),
    // `inactive` is a status that clients ask for; here nobody ever has it.
    'filter[status]': word('Memberships of this status', 'active', 'invited', 'inactive'),
  },
  include: membershipIncludes,
  answer: { status: 200, collection: organizationMemberships, pages: 'always' },
  handle: async ({ store: { search: sql }, actor, subject, query, page }) => {
    const { q, 'filter[email]': emails, 'filter[status]': status } = query;
    const pattern = containing(q ?? '').toLowerCase();
    const condition = all(sql, [
      sql`organization_memberships.organization_id = ${subject.organization_id}`,
      emails.length > 0 &&
        sql`lower(organization_memberships.email) = any(${emails.map(email => email.toLowerCase())})`,
      q &&
        sql`(
          (organization_memberships.status = 'active' and lower(users.username) like ${pattern})
          or lower(organization_memberships.email) like ${pattern}
        )`,
    ]);
    const order = sql`lower(organization_memberships.email), organization_memberships.id`;
    const ofStatus = status && sql`organization_memberships.status = ${status}`;
    const [found, counts] = await Promise.all([
      membershipRecords.page({ sql, actor, page }, all(sql, [condition, ofStatus]), order),
      countByStatus(sql, condition),
    ]);
    return { ...found, meta: { 'status-counts': counts } };
  },
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
  handle: context => {
    const { sql, actor } = context;
    const own = sql`organization_memberships.user_id = ${actor.userId}`;
    return membershipRecords.page(context, own, sql`organizations.name, organization_memberships.id`);
  },
});

async function countByStatus(
  sql: Sql,
  condition: Fragment,
): Promise<{ total: number; active: number; invited: number }> {
  const [counts] = await sql<{ total: number; active: number; invited: number }[]>`
    select count(*) as total,
      count(*) filter (where organization_memberships.status = 'active') as active,
      count(*) filter (where organization_memberships.status = 'invited') as invited
    from organization_memberships
    join users on users.id = organization_memberships.user_id
    where ${condition}`;
  return counts!;
}
