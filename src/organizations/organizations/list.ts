/** §1 List the caller's organizations: all of them, unless a page is asked for. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { term } from '../../core/jsonapi/query.ts';
import { containing, listing } from '../../core/jsonapi/search.ts';
import { all, any } from '../../core/store/conditions.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { site } from '../site/site.ts';
import { organizationRecords, organizations } from './organization.ts';

export const listOrganizations = endpoint({
  operation: 'organizations.list',
  section: '§1',
  summary: "List the caller's organizations",
  method: 'GET',
  paths: ['/organizations'],
  subject: site,
  needs: policy['site:call'],
  query: {
    q: term('Organizations whose name or e-mail address contains this, whatever its case'),
    'q[name]': term('Organizations whose name contains this'),
    'q[email]': term('Organizations whose e-mail address contains this'),
  },
  answer: { status: 200, collection: organizations, pages: 'when-asked' },
  handle: ({ store, actor, query, page }) => {
    const sql = listing(store, query);
    const { q, 'q[name]': name, 'q[email]': email } = query;
    const condition = all(sql, [
      q && any(sql, [contains(sql, 'name', q), contains(sql, 'email', q)]),
      name && contains(sql, 'name', name),
      email && contains(sql, 'email', email),
    ]);
    return organizationRecords.page({ sql, actor, page }, condition, sql`organizations.name, organizations.id`);
  },
});

const contains = (sql: Sql, column: 'name' | 'email', text: string): Fragment =>
  sql`lower(organizations.${sql(column)}) like lower(${containing(text)})`;
