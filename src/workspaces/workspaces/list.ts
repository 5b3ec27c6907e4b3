/** §4.3 List workspaces: every query parameter, and only what the caller may see (§5.4) is listed and counted. */

import { policy } from '../../access/policy.ts';
import { readsWhole, workspaceIsReadable } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Page } from '../../core/jsonapi/page.ts';
import { type Order, sort } from '../../core/jsonapi/query.ts';
import { all } from '../../core/store/conditions.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { shownWorkspaces, stampedWorkspaces } from './rows.ts';
import { type Inheritance, inheritableKeys, isFiltered, matching, parameters, type Search } from './search.ts';
import { includePaths } from './show.ts';
import { workspaces } from './workspace.ts';

/** @param runStatuses of runs, about which this room knows nothing else */
export const listWorkspaces = (runStatuses: readonly string[]) =>
  endpoint({
    operation: 'workspaces.list',
    section: '§4.3',
    summary: 'List the workspaces of an organization',
    method: 'GET',
    paths: ['/organizations/:organization_name/workspaces'],
    subject: organizationByName,
    needs: policy['organization:list-workspaces'],
    query: {
      ...parameters,
      sort: sort('The order, by name when nothing is said', 'name', 'current-run.created-at', 'latest-change-at'),
    },
    include: includePaths,
    answer: { status: 200, collection: workspaces, pages: 'always' },
    handle: async ({ store, actor, subject: { organization_id: organizationId }, query, page }) => {
      const isPlain = readsWhole(actor, organizationId) && !isFiltered(query);
      const rows = isPlain
        ? await plainPage(store.read, actor, organizationId, query, page)
        : await filteredPage(store.search, actor, organizationId, query, page);
      const stamped = rows.filter((row): row is Stamped & { id: string } => row.id !== null);
      const { total, statuses } = rows[0]!;
      const meta = { 'status-counts': statusCounts(runStatuses, statuses ?? {}, total) };
      return { rows: await shownWorkspaces(store.read, actor, stamped), total, meta };
    },
  });

/** Of all pages: how many current runs have each status, and how many workspaces have none. */
function statusCounts(known: readonly string[], found: Readonly<Record<string, number>>, total: number) {
  const counts = known.map(status => [status.replaceAll('_', '-'), found[status] ?? 0] as const);
  const none = total - known.reduce((sum, status) => sum + (found[status] ?? 0), 0);
  return { ...Object.fromEntries(counts), none, total };
}

type Asked = Search & { sort: Sorted };
type Sorted = Order<'name' | 'current-run.created-at' | 'latest-change-at'> | undefined;

/** Of a page without workspaces there is one row, with the total alone. */
interface Stamped {
  total: number;
  /** Of those current runs: status → how many. */
  statuses: Record<string, number> | null;
  id: string | null;
}

/** Everything in the organization: what is counted is kept, and the page is found in an index alone. */
function plainPage(sql: Sql, actor: Actor, organizationId: string, query: Asked, page: Page) {
  const total = sql`
    select coalesce(sum(workspace_counts.workspaces), 0) as total,
      (
        select jsonb_object_agg(counts.status, counts.workspaces) from (
          select workspace_status_counts.status, sum(workspace_status_counts.workspaces) as workspaces
          from workspace_status_counts where workspace_status_counts.organization_id = ${organizationId}
          group by workspace_status_counts.status
        ) as counts
      ) as statuses
    from workspace_counts where workspace_counts.organization_id = ${organizationId}`;
  const order = orderOf(sql, query.sort);
  const ids = sql`
    select workspaces.id from workspaces where workspaces.organization_id = ${organizationId}
    order by ${order.by} ${order.direction}, workspaces.id ${order.direction} limit ${page.size} offset ${page.offset}`;
  return sql<Stamped[]>`${stampedPage(sql, actor, order, total, ids)}`;
}

/** Looks for the matches once, for total and page: 17 against 107 ms for a name that 12,000 of 200,000 workspaces have. */
function filteredPage(sql: Sql, actor: Actor, organizationId: string, query: Asked, page: Page) {
  const order = orderOf(sql, query.sort);
  const total = sql`
    select coalesce(sum(counts.workspaces), 0)::bigint as total,
      jsonb_object_agg(counts.status, counts.workspaces) filter (where counts.status is not null) as statuses
    from (select matching.status, count(*) as workspaces from matching group by matching.status) as counts`;
  const ids = sql`
    select matching.id from matching
    order by matching.sorted ${order.direction}, matching.id ${order.direction}
    limit ${page.size} offset ${page.offset}`;
  return sql<Stamped[]>`
    with matching as materialized (${allMatches(sql, actor, organizationId, query, order)})
    ${stampedPage(sql, actor, order, total, ids)}`;
}

/**
 * Inheritance costs a plan its estimates (5 against 0.1 ms for tags of one in 200,000 workspaces), so it is asked for only
 * when a project binds one of the keys. Of the two halves PostgreSQL runs one.
 */
function allMatches(sql: Sql, actor: Actor, organizationId: string, query: Asked, order: SortOrder): Fragment {
  const half = (inheritance: Inheritance) => sql`
    select workspaces.id, ${order.by} as sorted, workspaces.current_run_status as status from workspaces
    where ${all(sql, [
      sql`workspaces.organization_id = ${organizationId}`,
      !readsWhole(actor, organizationId) && workspaceIsReadable(sql, actor),
      matching(sql, organizationId, query, inheritance),
    ])}`;
  const keys = inheritableKeys(query);
  if (keys.length === 0) return half('direct');
  const isInherited = sql`
    exists (
      select from project_tag_bindings
      where project_tag_bindings.organization_id = ${organizationId} and project_tag_bindings.key = any(${keys})
    )`;
  return sql`${half('direct')} and not ${isInherited} union all ${half('effective')} and ${isInherited}`;
}

function stampedPage(sql: Sql, actor: Actor, order: SortOrder, total: Fragment, ids: Fragment): Fragment {
  return sql`
    select counted.*, page.*
    from (${total}) as counted
    left join (
      ${stampedWorkspaces(sql, actor, sql`workspaces.id = any(array(${ids}))`, sql`, ${order.by} as sorted`)}
    ) as page on true
    order by page.sorted ${order.direction}, page.id ${order.direction}`;
}

interface SortOrder {
  by: Fragment;
  direction: Fragment;
}

/** Every order ends in the primary key, so that pages are stable. Workspaces without a run come last both ways. */
function orderOf(sql: Sql, { by, isReversed }: NonNullable<Sorted> = { by: 'name', isReversed: false }): SortOrder {
  const direction = isReversed ? sql`desc` : sql`asc`;
  switch (by) {
    case 'name':
      return { by: sql`workspaces.name`, direction };
    case 'latest-change-at':
      return { by: sql`workspaces.latest_change_at`, direction };
    case 'current-run.created-at':
      return { by: sql`workspaces.current_run_created_at`, direction: sql`${direction} nulls last` };
  }
}
