/** The table of contents: every endpoint in the contract's order, and every type that a document can carry. */

import { agentPools } from './agent-pools/agent-pool.ts';
import { agents } from './agent-pools/agents.ts';
import { agentPoolEndpoints } from './agent-pools/endpoints.ts';
import { applies, applyEndpoints, applyTransfers } from './applies/apply.ts';
import { auditEvents } from './audit/audit-event.ts';
import { auditEndpoints } from './audit/endpoints.ts';
import { commentEndpoints, comments } from './comments/comment.ts';
import { configurationVersions } from './configuration-versions/configuration-version.ts';
import { configurationVersionEndpoints } from './configuration-versions/endpoints.ts';
import { ingressAttributes } from './configuration-versions/ingress-attributes.ts';
import { configurationVersionTransfers } from './configuration-versions/transfers.ts';
import { dataRetentionPolicies } from './data-retention-policies/data-retention-policy.ts';
import { engineVersionEndpoints } from './engine-versions/endpoints.ts';
import { engineVersions } from './engine-versions/engine-version.ts';
import type { AnyEndpoint } from './jsonapi/endpoint.ts';
import type { AnyResource } from './jsonapi/resource.ts';
import type { Transfer } from './jsonapi/transfer.ts';
import { oauthClientEndpoints } from './oauth-clients/endpoints.ts';
import { oauthClients } from './oauth-clients/oauth-client.ts';
import { oauthTokenEndpoints } from './oauth-tokens/endpoints.ts';
import { oauthTokens } from './oauth-tokens/oauth-token.ts';
import { organizationMembershipEndpoints } from './organization-memberships/endpoints.ts';
import { organizationMemberships } from './organization-memberships/organization-membership.ts';
import { organizationEndpoints } from './organizations/endpoints.ts';
import { entitlementSets } from './organizations/entitlement-set.ts';
import { organizations } from './organizations/organization.ts';
import { subscriptions } from './organizations/subscription.ts';
import { planEndpoints, plans, planTransfers } from './plans/plan.ts';
import { projectEndpoints } from './projects/endpoints.ts';
import { projects } from './projects/project.ts';
import { reservedTagKeyEndpoints } from './reserved-tag-keys/endpoints.ts';
import { reservedTagKeys } from './reserved-tag-keys/reserved-tag-key.ts';
import { runEventEndpoints, runEvents } from './run-events/run-event.ts';
import { runTriggerEndpoints } from './run-triggers/endpoints.ts';
import { runTriggers } from './run-triggers/run-trigger.ts';
import { runEndpoints } from './runs/endpoints.ts';
import { organizationCapacities } from './runs/queue.ts';
import { runs } from './runs/run.ts';
import { siteEndpoints } from './site/endpoints.ts';
import { featureSets } from './site/feature-sets.ts';
import { generalSettings } from './site/general-settings.ts';
import { sshKeyEndpoints } from './ssh-keys/endpoints.ts';
import { sshKeys } from './ssh-keys/ssh-key.ts';
import { stateVersionEndpoints, stateVersionTransfers } from './state-versions/endpoints.ts';
import { stateVersionOutputs, workspaceOutputs } from './state-versions/outputs.ts';
import { workspaceResources } from './state-versions/resources.ts';
import { stateVersions } from './state-versions/state-version.ts';
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
import { variableSetEndpoints } from './variable-sets/endpoints.ts';
import { variableSets } from './variable-sets/variable-set.ts';
import { variableEndpoints } from './variables/endpoints.ts';
import { variables } from './variables/variable.ts';
import { workspaceEndpoints } from './workspaces/endpoints.ts';
import { workspaces } from './workspaces/workspace.ts';

export const endpoints: readonly AnyEndpoint[] = [
  ...teamEndpoints,
  ...workspaceEndpoints,
  ...tagEndpoints,
  ...reservedTagKeyEndpoints,
  ...stateVersionEndpoints,
  ...organizationEndpoints,
  ...organizationMembershipEndpoints,
  ...userEndpoints,
  ...tokenEndpoints,
  ...teamWorkspaceEndpoints,
  ...teamProjectEndpoints,
  ...projectEndpoints,
  ...agentPoolEndpoints,
  ...sshKeyEndpoints,
  ...oauthClientEndpoints,
  ...oauthTokenEndpoints,
  ...engineVersionEndpoints,
  ...variableEndpoints,
  ...variableSetEndpoints,
  ...configurationVersionEndpoints,
  ...runEndpoints,
  ...runEventEndpoints,
  ...commentEndpoints,
  ...planEndpoints,
  ...applyEndpoints,
  ...runTriggerEndpoints,
  ...auditEndpoints,
  ...siteEndpoints,
];

/** Routes for content, at signed addresses. */
export const transfers: readonly Transfer[] = [
  ...stateVersionTransfers,
  ...configurationVersionTransfers,
  ...planTransfers,
  ...applyTransfers,
];

export const resources: readonly AnyResource[] = [
  agentPools,
  agents,
  auditEvents,
  applies,
  comments,
  configurationVersions,
  dataRetentionPolicies,
  effectiveTagBindings,
  engineVersions,
  entitlementSets,
  featureSets,
  generalSettings,
  ingressAttributes,
  oauthClients,
  oauthTokens,
  organizationCapacities,
  organizationMemberships,
  organizations,
  plans,
  projects,
  reservedTagKeys,
  runEvents,
  runTriggers,
  runs,
  sshKeys,
  subscriptions,
  stateVersionOutputs,
  stateVersions,
  tagBindings,
  tags,
  teamProjects,
  teams,
  teamWorkspaces,
  tokens,
  users,
  variables,
  variableSets,
  workspaceOutputs,
  workspaceResources,
  workspaces,
];
