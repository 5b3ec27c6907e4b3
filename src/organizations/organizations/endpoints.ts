/** Organizations (§1). */
import { createOrganization } from './create.ts';
import { organizationRetentionEndpoints } from './data-retention-policy.ts';
import { deleteOrganization } from './delete.ts';
import { showEntitlementSet } from './entitlement-set.ts';
import { listOrganizations } from './list.ts';
import { showOrganization } from './show.ts';
import { subscribe } from './subscription.ts';
import { updateOrganization } from './update.ts';

export const organizationEndpoints = [
  listOrganizations,
  createOrganization,
  showOrganization,
  updateOrganization,
  deleteOrganization,
  showEntitlementSet,
  subscribe,
  ...organizationRetentionEndpoints,
];
