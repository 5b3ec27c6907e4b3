/** Lists of runs, newest first: of a workspace, counted; of an organization, page by page without totals. */

import { policy } from '../../access/policy.ts';
import { workspaceIsReadable } from '../../access/workspaces.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { workspaceById } from '../../workspaces/workspaces/workspace.ts';
import { includePaths, runs, visibleRuns } from './run.ts';
import { listQuery, matching, matchingInOrganization, organizationListQuery } from './search.ts';

export const listWorkspaceRuns = endpoint({
  operation: 'runs.list',
  section: '§2.2',
  summary: 'List the runs of a workspace',
  method: 'GET',
  paths: ['/workspaces/:workspace_id/runs'],
  subject: workspaceById,
  needs: policy['workspace:list-runs'],
  query: listQuery,
  include: includePaths,
  answer: { status: 200, collection: runs, pages: 'always' },
  handle: async ({ store: { search: sql }, actor, subject, query, page }) => {
    const condition = sql`runs.workspace_id = ${subject.id} ${matching(sql, query)}`;
    const [counts, rows] = await Promise.all([
      sql<{ total: number }[]>`select count(*) as total from runs where ${condition}`,
      visibleRuns(
        sql,
        actor,
        condition,
        sql`order by runs.position desc, runs.id limit ${page.size} offset ${page.offset}`,
      ),
    ]);
    return { rows, total: counts[0]!.total };
  },
});

export const listOrganizationRuns = endpoint({
  operation: 'runs.list-organization',
  section: '§2.2',
  summary: 'List the runs of an organization',
  method: 'GET',
  paths: ['/organizations/:organization_name/runs'],
  subject: organizationByName,
  needs: policy['organization:list-runs'],
  query: organizationListQuery,
  include: includePaths,
  answer: { status: 200, collection: runs, pages: 'uncounted' },
  handle: async ({ store: { search: sql }, actor, subject, query, page }) => {
    const rows = await visibleRuns(
      sql,
      actor,
      sql`runs.organization_id = ${subject.organization_id} and ${workspaceIsReadable(sql, actor)}
        ${matching(sql, query)} ${matchingInOrganization(sql, query)}`,
      // One more than is shown tells whether another page follows.
      sql`order by runs.created_at desc, runs.id desc limit ${page.size + 1} offset ${page.offset}`,
    );
    return { rows: rows.slice(0, page.size), total: 0, hasMore: rows.length > page.size };
  },
});
