/** §4.3 List workspaces: every query parameter, and only what the caller may see (§5.4) is listed and counted. */

import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { sort } from '../../core/jsonapi/query.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { stampedPageOf } from './pages.ts';
import { workspacesByStamps } from './rows.ts';
import { parameters } from './search.ts';
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
      const { rows, total, statuses } = await stampedPageOf(store, { actor, organizationId, query, page });
      const meta = { 'status-counts': statusCounts(runStatuses, statuses ?? {}, total) };
      return { rows: await workspacesByStamps(store.read, actor, rows), total, meta };
    },
  });

/** Of all pages: how many current runs have each status, and how many workspaces have none. */
function statusCounts(known: readonly string[], found: Readonly<Record<string, number>>, total: number) {
  const counts = known.map(status => [status.replaceAll('_', '-'), found[status] ?? 0] as const);
  const none = total - known.reduce((sum, status) => sum + (found[status] ?? 0), 0);
  return { ...Object.fromEntries(counts), none, total };
}
