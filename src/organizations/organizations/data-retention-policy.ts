/** §4.7 The data retention policy of an organization: the default of its workspaces. */
import { policy } from '../../access/policy.ts';
import { retentionEndpoints } from '../data-retention-policies/retention-endpoints.ts';
import { organizationByName } from './organization.ts';

export const organizationRetentionEndpoints = retentionEndpoints({
  type: 'organizations',
  path: '/organizations/:organization_name',
  subject: organizationByName,
  read: policy['organization:read'],
  manage: policy['organization:manage-data-retention'],
  holder: ({ organization_id }) => ({ organization_id }),
  organizationName: organization => organization.name,
});
