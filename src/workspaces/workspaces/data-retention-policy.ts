/** §4.7 The data retention policy of a workspace; without one of its own, the organization's default holds. */

import { policy } from '../../access/policy.ts';
import { retentionEndpoints } from '../../organizations/data-retention-policies/retention-endpoints.ts';
import { workspaceById } from './rows.ts';

export const workspaceRetentionEndpoints = retentionEndpoints({
  type: 'workspaces',
  path: '/workspaces/:workspace_id',
  subject: workspaceById,
  read: policy['workspace:read'],
  manage: policy['workspace:manage-data-retention'],
  holder: ({ id, organization_id }) => ({ organization_id, workspace_id: id }),
  organizationName: workspace => workspace.organization_name,
});
