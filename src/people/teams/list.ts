/** §4.1 List teams: searched, filtered by name, paginated; only what the caller may see (§5.3) is counted. */

import { policy } from '../../access/policy.ts';
import { teamIsVisible } from '../../access/teams.ts';
import type { Actor } from '../../core/access/actor.ts';
import { type Collection, endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Row } from '../../core/jsonapi/fields.ts';
import { type Page, type RawQuery, single } from '../../core/jsonapi/page.ts';
import { commaSeparated, containing } from '../../core/jsonapi/search.ts';
import type { Sql } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { asTeam, teamColumns, teams } from './team.ts';

export const listTeams = endpoint({
  operation: 'teams.list',
  section: '§4.1',
  summary: 'List the teams of an organization',
  method: 'GET',
  paths: ['/organizations/:organization_name/teams'],
  subject: organizationByName,
  needs: policy['organization:list-teams'],
  query: {
    q: 'Teams whose name contains this, whatever its case',
    'filter[names]': 'Teams with any of these names, comma separated',
  },
  include: ['users', 'organization-memberships'],
  answer: { status: 200, collection: teams, pages: 'always' },
  handle: ({ store, actor, subject, query, page }) =>
    teamPage(store.search, actor, subject.organization_id, query, page),
});

async function teamPage(
  sql: Sql,
  actor: Actor,
  organizationId: string,
  query: RawQuery,
  page: Page,
): Promise<Collection> {
  const search = single(query, 'q');
  const names = commaSeparated(single(query, 'filter[names]'));
  const condition = sql`
    teams.organization_id = ${organizationId} and ${teamIsVisible(sql, actor)}
    ${search ? sql`and lower(teams.name) like lower(${containing(search)})` : sql``}
    ${names.length > 0 ? sql`and teams.name = any(${names})` : sql``}`;
  const [counts, rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*) as total from teams where ${condition}`,
    sql<Row[]>`
      select ${teamColumns(sql, actor)}
      from teams
      join organizations on organizations.id = teams.organization_id
      where ${condition}
      order by teams.name, teams.id
      limit ${page.size} offset ${page.offset}`,
  ]);
  return { rows: rows.map(row => asTeam({ ...row, is_listed: true }, actor)), total: counts[0]!.total };
}
