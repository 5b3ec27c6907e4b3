/** §4.6 Key-value tags of a workspace. */

import { policy } from '../../access/policy.ts';
import { bindingEndpoints } from '../tags/binding-endpoints.ts';
import { effectiveOfWorkspaces } from '../tags/effective-tag-binding.ts';
import { workspaceById } from './rows.ts';

export const workspaceBindingEndpoints = bindingEndpoints({
  type: 'workspaces',
  path: '/workspaces/:workspace_id',
  subject: workspaceById,
  read: policy['workspace:read'],
  manage: policy['workspace:manage-tags'],
  effective: effectiveOfWorkspaces,
});
