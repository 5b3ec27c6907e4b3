/** List the run triggers of a workspace: those that begin runs in it, or those by which its runs begin others. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { RawQuery } from '../../core/jsonapi/page.ts';
import { neededParameter } from '../../core/jsonapi/search.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { type Workspace, workspaceById } from '../../workspaces/workspaces/workspace.ts';
import { includePaths, readableBy, readRunTriggers, runTriggers } from './run-trigger.ts';

const filter = 'filter[run-trigger][type]';

export const listRunTriggers = endpoint({
  operation: 'run-triggers.list',
  section: '§4.2',
  summary: 'List the run triggers of a workspace, oldest first',
  method: 'GET',
  paths: ['/workspaces/:workspace_id/run-triggers'],
  subject: workspaceById,
  needs: policy['workspace:list-run-triggers'],
  query: { [filter]: 'inbound: those that begin runs here; outbound: those that begin runs elsewhere. Must be given' },
  include: includePaths,
  answer: { status: 200, collection: runTriggers, pages: 'always' },
  handle: async ({ sql, actor, subject, query, page }) => {
    const condition = sideAsked(sql, subject, query);
    const order = sql`
      order by run_triggers.created_at, run_triggers.id
      limit ${page.size} offset ${page.offset}`;
    const [counts, rows] = await Promise.all([
      sql<{ total: number }[]>`
        select count(*) as total from run_triggers where ${condition} and ${readableBy(sql, actor)}`,
      readRunTriggers(sql, actor, condition, order),
    ]);
    return { rows, total: counts[0]!.total };
  },
});

function sideAsked(sql: Sql, workspace: Workspace, query: RawQuery): Fragment {
  switch (neededParameter(query, filter)) {
    case 'inbound':
      return sql`run_triggers.workspace_id = ${workspace.id}`;
    case 'outbound':
      return sql`run_triggers.sourceable_id = ${workspace.id}`;
    default: {
      const reason = `${filter} must be inbound or outbound.`;
      throw new ApiError('invalid-parameter', { reason }, { parameter: filter });
    }
  }
}
