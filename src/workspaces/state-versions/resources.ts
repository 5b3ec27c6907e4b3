/** §2.2 `resource-count`, one by one: the resources that the current state of a workspace manages. */

import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { column, computed, nullable, type Row, text } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { counted } from '../../core/store/page.ts';
import { workspaceById } from '../workspaces/rows.ts';

/** Clients know days here, not moments. */
const day = (moment: string) => moment.slice(0, 10);

interface Dated extends Row {
  created_at: string;
  updated_at: string;
}

export const workspaceResources = resource({
  type: 'resources',
  attributes: {
    address: column(text),
    name: column(text),
    'name-index': column(nullable(text)),
    module: column(text),
    provider: column(text),
    'provider-type': column(text),
    'modified-by-state-version-id': column(text),
    'created-at': computed(text, (row: Dated) => day(row.created_at)),
    'updated-at': computed(text, (row: Dated) => day(row.updated_at)),
  },
  relationships: {},
});

export const listResources = endpoint({
  operation: 'resources.list',
  section: '§2.2',
  summary: 'List the resources of a workspace',
  method: 'GET',
  paths: ['/workspaces/:workspace_id/resources'],
  subject: workspaceById,
  needs: policy['workspace:read-state'],
  answer: { status: 200, collection: workspaceResources, pages: 'always' },
  handle: ({ sql, subject, page }) => {
    const matching = sql`from workspace_resources where workspace_resources.workspace_id = ${subject.id}`;
    return counted<Row>(
      sql,
      sql`select count(*) as total ${matching}`,
      sql`
        select workspace_resources.* ${matching}
        order by left(workspace_resources.address, 500), workspace_resources.id
        limit ${page.size} offset ${page.offset}`,
    );
  },
});
