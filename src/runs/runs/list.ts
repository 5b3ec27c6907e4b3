/** Lists of runs, newest first: of a workspace, counted; of an organization, page by page without totals. */

import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { workspaceById } from '../../workspaces/workspaces/rows.ts';
import { countedRuns, includePaths, runs, uncountedRuns } from './run.ts';
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
    const condition = sql`runs.workspace_id = ${subject.id} and ${matching(sql, query)}`;
    const order = sql`runs.position desc, runs.id`;
    return countedRuns({ sql, actor, page }, { organizationId: subject.organization_id, condition, order });
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
    const organizationId = subject.organization_id;
    const rows = await uncountedRuns(
      // One more than is shown tells whether another page follows.
      { sql, actor, page: { size: page.size + 1, offset: page.offset } },
      {
        organizationId,
        condition: sql`runs.organization_id = ${organizationId} and ${matchingInOrganization(sql, query)}`,
        order: sql`runs.created_at desc, runs.id desc`,
      },
    );
    return { rows: rows.slice(0, page.size), total: 0, hasMore: rows.length > page.size };
  },
});
