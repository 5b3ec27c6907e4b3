/** §2.2 Workspace: the document. */

import { resource } from '../../core/jsonapi/resource.ts';
import { attributes } from './attributes.ts';
import type { WorkspaceRow } from './fields.ts';
import { workspaceRelationships } from './relationships.ts';
import { visibleWorkspaces } from './rows.ts';

export const workspaces = resource({
  type: 'workspaces',
  attributes,
  relationships: workspaceRelationships,
  links: (row: WorkspaceRow) => ({
    self: `/api/v2/organizations/${row.organization_name}/workspaces/${row.name}`,
    'self-html': `/app/${row.organization_name}/workspaces/${row.name}`,
  }),
  load: (sql, actor, ids) => visibleWorkspaces(sql, actor, sql`workspaces.id = any(${ids as string[]})`),
});
