/** The table of contents: every endpoint in the contract's order, and every type that a document can carry. */

import { agentPools } from './agent-pools/agent-pool.ts';
import { agentPoolEndpoints } from './agent-pools/endpoints.ts';
import { engineVersionEndpoints } from './engine-versions/endpoints.ts';
import { engineVersions } from './engine-versions/engine-version.ts';
import type { AnyEndpoint } from './jsonapi/endpoint.ts';
import type { AnyResource } from './jsonapi/resource.ts';
import { organizationMembershipEndpoints } from './organization-memberships/endpoints.ts';
import { organizationMemberships } from './organization-memberships/organization-membership.ts';
import { organizationEndpoints } from './organizations/endpoints.ts';
import { entitlementSets } from './organizations/entitlement-set.ts';
import { organizations } from './organizations/organization.ts';
import { projectEndpoints } from './projects/endpoints.ts';
import { projects } from './projects/project.ts';
import { siteEndpoints } from './site/endpoints.ts';
import { generalSettings } from './site/general-settings.ts';
import { sshKeyEndpoints } from './ssh-keys/endpoints.ts';
import { sshKeys } from './ssh-keys/ssh-key.ts';
import { effectiveTagBindings } from './tags/effective-tag-binding.ts';
import { tagEndpoints } from './tags/endpoints.ts';
import { tags } from './tags/tag.ts';
import { tagBindings } from './tags/tag-binding.ts';
import { teamProjectEndpoints } from './team-projects/endpoints.ts';
import { teamProjects } from './team-projects/team-project.ts';
import { teamWorkspaceEndpoints } from './team-workspaces/endpoints.ts';
import { teamWorkspaces } from './team-workspaces/team-workspace.ts';
import { teamEndpoints } from './teams/endpoints.ts';
import { teams } from './teams/team.ts';
import { tokenEndpoints } from './tokens/endpoints.ts';
import { tokens } from './tokens/token.ts';
import { userEndpoints } from './users/endpoints.ts';
import { users } from './users/user.ts';
import { variableEndpoints } from './variables/endpoints.ts';
import { variables } from './variables/variable.ts';
import { workspaceEndpoints } from './workspaces/endpoints.ts';
import { workspaces } from './workspaces/workspace.ts';

export const endpoints: readonly AnyEndpoint[] = [
  ...teamEndpoints,
  ...workspaceEndpoints,
  ...tagEndpoints,
  ...organizationEndpoints,
  ...organizationMembershipEndpoints,
  ...userEndpoints,
  ...tokenEndpoints,
  ...teamWorkspaceEndpoints,
  ...teamProjectEndpoints,
  ...projectEndpoints,
  ...agentPoolEndpoints,
  ...sshKeyEndpoints,
  ...engineVersionEndpoints,
  ...variableEndpoints,
  ...siteEndpoints,
];

export const resources: readonly AnyResource[] = [
  agentPools,
  effectiveTagBindings,
  engineVersions,
  entitlementSets,
  generalSettings,
  organizationMemberships,
  organizations,
  projects,
  sshKeys,
  tagBindings,
  tags,
  teamProjects,
  teams,
  teamWorkspaces,
  tokens,
  users,
  variables,
  workspaces,
];
