/** §4.3 List workspaces: every query parameter, and only what the caller may see (§5.4) is listed and counted. */
import type { Actor } from '../access/actor.ts';
import { policy } from '../access/policy.ts';
import { ApiError } from '../errors.ts';
import { type Collection, endpoint } from '../jsonapi/endpoint.ts';
import { type Page, type RawQuery, single } from '../jsonapi/page.ts';
import { organizationByName } from '../organizations/organization.ts';
import type { Fragment, Sql, Store } from '../store/store.ts';
import { isFiltered, matching } from './search.ts';
import { includePaths } from './show.ts';
import { readsWhole, visibleTo, visibleWorkspaces, workspaces } from './workspace.ts';

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
  handle: ({ store, actor, subject, query, page }) => workspacePage(store, actor, subject.organization_id, query, page),
});

/**
 * Two statements whatever the page size: the ids of the page with the total, from indexes alone, then the wide rows.
 * Without filters the total is a counter; with them it is planned with its values.
 */
async function workspacePage(
  store: Store,
  actor: Actor,
  organizationId: string,
  query: RawQuery,
  page: Page,
): Promise<Collection> {
  const isWhole = readsWhole(actor, organizationId);
  const isPlain = isWhole && !isFiltered(query);
  const sql = isPlain ? store.read : store.search;
  const order = sortOrder(sql, single(query, 'sort'));
  const condition = sql`
    workspaces.organization_id = ${organizationId}
    ${isWhole ? sql`` : sql`and ${visibleTo(sql, actor)}`}
    ${matching(sql, organizationId, query)}`;
  const total = isPlain
    ? sql`select coalesce(sum(workspace_counts.workspaces), 0) from workspace_counts
          where workspace_counts.organization_id = ${organizationId}`
    : sql`select count(*) from workspaces where ${condition}`;
  const [found] = await sql<{ total: number; ids: string[] }[]>`
    select (${total}) as total, array(
      select workspaces.id from workspaces
      where ${condition}
      order by ${order}
      limit ${page.size} offset ${page.offset}
    ) as ids`;
  const { ids, total: count } = found!;
  if (ids.length === 0) return { rows: [], total: count };
  const rows = await visibleWorkspaces(store.read, actor, store.read`workspaces.id = any(${ids})`);
  const byId = new Map(rows.map(row => [row.id, row]));
  return { rows: ids.map(id => byId.get(id)).filter(row => row !== undefined), total: count };
}

/** Every order ends in the primary key, so that pages are stable. Workspaces without a run come last both ways. */
function sortOrder(sql: Sql, sort: string | undefined): Fragment {
  switch (sort) {
    case undefined:
    case '':
    case 'name':
      return sql`workspaces.name, workspaces.id`;
    case '-name':
      return sql`workspaces.name desc, workspaces.id desc`;
    case 'latest-change-at':
      return sql`workspaces.latest_change_at, workspaces.id`;
    case '-latest-change-at':
      return sql`workspaces.latest_change_at desc, workspaces.id desc`;
    case 'current-run.created-at':
      return sql`workspaces.current_run_created_at nulls last, workspaces.id`;
    case '-current-run.created-at':
      return sql`workspaces.current_run_created_at desc nulls last, workspaces.id desc`;
    default: {
      const reason = 'sort must be name, current-run.created-at or latest-change-at, with - in front to reverse.';
      throw new ApiError('invalid-parameter', { reason }, { parameter: 'sort' });
    }
  }
}
