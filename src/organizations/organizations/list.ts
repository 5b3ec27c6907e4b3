/** §1 List the caller's organizations: all of them, unless a page is asked for. */

import { policy } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import { type Collection, endpoint } from '../../core/jsonapi/endpoint.ts';
import { type Page, type RawQuery, single } from '../../core/jsonapi/page.ts';
import { containing } from '../../core/jsonapi/search.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { site } from '../site/site.ts';
import { organizations, readOrganizations } from './organization.ts';

export const listOrganizations = endpoint({
  operation: 'organizations.list',
  section: '§1',
  summary: "List the caller's organizations",
  method: 'GET',
  paths: ['/organizations'],
  subject: site,
  needs: policy['site:call'],
  query: {
    q: 'Organizations whose name or e-mail address contains this, whatever its case',
    'q[name]': 'Organizations whose name contains this',
    'q[email]': 'Organizations whose e-mail address contains this',
  },
  answer: { status: 200, collection: organizations, pages: 'when-asked' },
  handle: ({ store, actor, query, page }) => organizationPage(store.search, actor, query, page),
});

async function organizationPage(sql: Sql, actor: Actor, query: RawQuery, page: Page): Promise<Collection> {
  const condition = sql`
    organizations.id = any(${[...actor.standings.keys()]})
    ${matching(sql, single(query, 'q'), ['name', 'email'])}
    ${matching(sql, single(query, 'q[name]'), ['name'])}
    ${matching(sql, single(query, 'q[email]'), ['email'])}`;
  const order = sql`order by organizations.name, organizations.id`;
  if (!page.isGiven) {
    const rows = await readOrganizations(sql, actor, condition, order);
    return { rows, total: rows.length };
  }
  const [counts, rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*) as total from organizations where ${condition}`,
    readOrganizations(sql, actor, condition, sql`${order} limit ${page.size} offset ${page.offset}`),
  ]);
  return { rows, total: counts[0]!.total };
}

function matching(sql: Sql, search: string | undefined, fields: readonly ('name' | 'email')[]): Fragment {
  if (!search) return sql``;
  const pattern = containing(search);
  const [first, second] = fields.map(
    field => sql`lower(organizations.${sql(field)}) like lower(${pattern})` as unknown as Fragment,
  );
  return second ? sql`and (${first!} or ${second})` : sql`and ${first!}`;
}
