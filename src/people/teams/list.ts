/** §4.1 List teams: searched, filtered by name, paginated; only what the caller may see (§5.3) is counted. */

import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { list, term } from '../../core/jsonapi/query.ts';
import { containing, listing } from '../../core/jsonapi/search.ts';
import { limits } from '../../core/limits.ts';
import { all } from '../../core/store/conditions.ts';
import { hasChangedSince } from '../../organizations/changes/since.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { teamRecords, teams } from './team.ts';

/** Of which types the feed tells a change where one of them shows in a team: its members come and go with it, or by themselves. */
const shownTypes = ['teams', 'organization-memberships', 'organizations'];

export const listTeams = endpoint({
  operation: 'teams.list',
  section: '§4.1',
  summary: 'List the teams of an organization',
  method: 'GET',
  paths: ['/organizations/:organization_name/teams'],
  subject: organizationByName,
  needs: policy['organization:list-teams'],
  query: {
    q: term('Teams whose name contains this, whatever its case'),
    'filter[names]': list('Teams with any of these names', limits.queryNames_items.value),
  },
  include: ['users', 'organization-memberships'],
  answer: { status: 200, collection: teams, pages: 'always' },
  handle: async ({ store, actor, subject, query, page }) => {
    const sql = listing(store, query);
    const { q, 'filter[names]': names } = query;
    const condition = all(sql, [
      sql`teams.organization_id = ${subject.organization_id}`,
      q && sql`lower(teams.name) like lower(${containing(q)})`,
      names.length > 0 && sql`teams.name = any(${names as string[]})`,
    ]);
    return teamRecords.keptPage(
      { store, sql, actor, page },
      condition,
      sql`teams.name, teams.id`,
      (sql, snapshot) => hasChangedSince(sql, subject.organization_id, snapshot, shownTypes),
      team => ({ ...team, is_listed: true }),
    );
  },
});
