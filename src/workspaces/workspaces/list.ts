/** §4.3 List workspaces: every query parameter, and only what the caller may see (§5.4) is listed and counted. */

import { policy } from '../../access/policy.ts';
import { readsWhole, workspaceIsReadable } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { type Page, type RawQuery, single } from '../../core/jsonapi/page.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { type Inheritance, inheritableKeys, isFiltered, matching } from './search.ts';
import { includePaths } from './show.ts';
import { shownWorkspaces, stampedWorkspaces, workspaces } from './workspace.ts';

export const listWorkspaces = endpoint({
  operation: 'workspaces.list',
  section: '§4.3',
  summary: 'List the workspaces of an organization',
  method: 'GET',
  paths: ['/organizations/:organization_name/workspaces'],
  subject: organizationByName,
  needs: policy['organization:list-workspaces'],
  query: {
    'search[name]': 'Workspaces whose name contains this, whatever its case',
    'search[tags]': 'Workspaces that have all these tags, comma separated',
    'search[exclude-tags]': 'Workspaces that have none of these tags, comma separated',
    'search[wildcard-name]': 'A name with * as prefix, suffix or both',
    sort: 'name, current-run.created-at or latest-change-at; a leading - reverses',
    'filter[project][id]': 'Workspaces of this project',
    'filter[current-run][status]': 'Workspaces whose current run has one of these statuses, comma separated',
    'filter[tagged][0][key]': 'Workspaces with this key among their effective tag bindings; 1, 2, … add conditions',
    'filter[tagged][0][value]': 'The value for the key of the same index; empty or absent matches any',
  },
  include: includePaths,
  answer: { status: 200, collection: workspaces, pages: 'always' },
  handle: async ({ store, actor, subject: { organization_id: organizationId }, query, page }) => {
    const isPlain = readsWhole(actor, organizationId) && !isFiltered(query);
    const rows = isPlain
      ? await plainPage(store.read, actor, organizationId, query, page)
      : await filteredPage(store.search, actor, organizationId, query, page);
    const stamped = rows.filter((row): row is Stamped & { id: string } => row.id !== null);
    return { rows: await shownWorkspaces(store.read, actor, stamped), total: rows[0]!.total };
  },
});

/** Of a page without workspaces there is one row, with the total alone. */
interface Stamped {
  total: number;
  id: string | null;
}

/** Everything in the organization: the total is a counter, and the page is found in an index alone. */
function plainPage(sql: Sql, actor: Actor, organizationId: string, query: RawQuery, page: Page) {
  const total = sql`
    select coalesce(sum(workspace_counts.workspaces), 0) as total from workspace_counts
    where workspace_counts.organization_id = ${organizationId}`;
  const { by, direction } = sortOrder(sql, single(query, 'sort'));
  const ids = sql`
    select workspaces.id from workspaces where workspaces.organization_id = ${organizationId}
    order by ${by} ${direction}, workspaces.id ${direction} limit ${page.size} offset ${page.offset}`;
  return sql<Stamped[]>`${stampedPage(sql, actor, query, total, ids)}`;
}

/** Looks for the matches once, for total and page: 17 against 107 ms for a name that 12,000 of 200,000 workspaces have. */
function filteredPage(sql: Sql, actor: Actor, organizationId: string, query: RawQuery, page: Page) {
  const { direction } = sortOrder(sql, single(query, 'sort'));
  const total = sql`select count(*) as total from matching`;
  const ids = sql`
    select matching.id from matching
    order by matching.sorted ${direction}, matching.id ${direction} limit ${page.size} offset ${page.offset}`;
  return sql<Stamped[]>`
    with matching as materialized (${allMatches(sql, actor, organizationId, query)})
    ${stampedPage(sql, actor, query, total, ids)}`;
}

/**
 * Inheritance costs a plan its estimates (5 against 0.1 ms for tags of one in 200,000 workspaces), so it is asked for only
 * when a project binds one of the keys. Of the two halves PostgreSQL runs one.
 */
function allMatches(sql: Sql, actor: Actor, organizationId: string, query: RawQuery): Fragment {
  const { by } = sortOrder(sql, single(query, 'sort'));
  const half = (inheritance: Inheritance) => sql`
    select workspaces.id, ${by} as sorted from workspaces
    where workspaces.organization_id = ${organizationId}
      ${readsWhole(actor, organizationId) ? sql`` : sql`and ${workspaceIsReadable(sql, actor)}`}
      ${matching(sql, organizationId, query, inheritance)}`;
  const keys = inheritableKeys(query);
  if (keys.length === 0) return half('direct');
  const isInherited = sql`
    exists (
      select from project_tag_bindings
      where project_tag_bindings.organization_id = ${organizationId} and project_tag_bindings.key = any(${keys})
    )`;
  return sql`${half('direct')} and not ${isInherited} union all ${half('effective')} and ${isInherited}`;
}

function stampedPage(sql: Sql, actor: Actor, query: RawQuery, total: Fragment, ids: Fragment): Fragment {
  const { by, direction } = sortOrder(sql, single(query, 'sort'));
  return sql`
    select counted.total, page.*
    from (${total}) as counted
    left join (
      ${stampedWorkspaces(sql, actor, sql`workspaces.id = any(array(${ids}))`, sql`${by} as sorted`)}
    ) as page on true
    order by page.sorted ${direction}, page.id ${direction}`;
}

/** Every order ends in the primary key, so that pages are stable. Workspaces without a run come last both ways. */
function sortOrder(sql: Sql, sort: string | undefined): { by: Fragment; direction: Fragment } {
  switch (sort) {
    case undefined:
    case '':
    case 'name':
      return { by: sql`workspaces.name`, direction: sql`asc` };
    case '-name':
      return { by: sql`workspaces.name`, direction: sql`desc` };
    case 'latest-change-at':
      return { by: sql`workspaces.latest_change_at`, direction: sql`asc` };
    case '-latest-change-at':
      return { by: sql`workspaces.latest_change_at`, direction: sql`desc` };
    case 'current-run.created-at':
      return { by: sql`workspaces.current_run_created_at`, direction: sql`asc nulls last` };
    case '-current-run.created-at':
      return { by: sql`workspaces.current_run_created_at`, direction: sql`desc nulls last` };
    default: {
      const reason = 'sort must be name, current-run.created-at or latest-change-at, with - in front to reverse.';
      throw new ApiError('invalid-parameter', { reason }, { parameter: 'sort' });
    }
  }
}
