/** The table of contents: every endpoint in the contract's order, and every type that a document can carry. */
import type { AnyEndpoint } from './jsonapi/endpoint.ts';
import type { AnyResource } from './jsonapi/resource.ts';
import { organizationMembershipEndpoints } from './organization-memberships/endpoints.ts';
import { organizationMemberships } from './organization-memberships/organization-membership.ts';
import { organizationEndpoints } from './organizations/endpoints.ts';
import { entitlementSets } from './organizations/entitlement-set.ts';
import { organizations } from './organizations/organization.ts';
import { projects } from './projects/project.ts';
import { siteEndpoints } from './site/endpoints.ts';
import { generalSettings } from './site/general-settings.ts';
import { teamEndpoints } from './teams/endpoints.ts';
import { teams } from './teams/team.ts';
import { userEndpoints } from './users/endpoints.ts';
import { users } from './users/user.ts';
import { workspaceEndpoints } from './workspaces/endpoints.ts';
import { workspaces } from './workspaces/workspace.ts';

export const endpoints: readonly AnyEndpoint[] = [
  ...teamEndpoints,
  ...workspaceEndpoints,
  ...organizationEndpoints,
  ...organizationMembershipEndpoints,
  ...userEndpoints,
  ...siteEndpoints,
];

export const resources: readonly AnyResource[] = [
  entitlementSets,
  generalSettings,
  organizationMemberships,
  organizations,
  projects,
  teams,
  users,
  workspaces,
];
