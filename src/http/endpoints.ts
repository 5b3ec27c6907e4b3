/** The table of contents: every endpoint in the contract's order, and every type that a document can carry. */

import { agentPools } from '../connections/agent-pools/agent-pool.ts';
import { agents } from '../connections/agent-pools/agents.ts';
import { agentPoolEndpoints } from '../connections/agent-pools/endpoints.ts';
import { oauthClientEndpoints } from '../connections/oauth-clients/endpoints.ts';
import { oauthClients } from '../connections/oauth-clients/oauth-client.ts';
import { webhookSecrets } from '../connections/oauth-clients/webhook-secret.ts';
import { oauthTokenEndpoints } from '../connections/oauth-tokens/endpoints.ts';
import { oauthTokens } from '../connections/oauth-tokens/oauth-token.ts';
import { sshKeyEndpoints } from '../connections/ssh-keys/endpoints.ts';
import { sshKeys } from '../connections/ssh-keys/ssh-key.ts';
import type { AnyEndpoint } from '../core/jsonapi/endpoint.ts';
import type { AnyResource } from '../core/jsonapi/resource.ts';
import { auditEvents } from '../organizations/audit/audit-event.ts';
import { auditConfigurations } from '../organizations/audit/configuration.ts';
import { auditEndpoints } from '../organizations/audit/endpoints.ts';
import { changes } from '../organizations/changes/change.ts';
import { changeEndpoints } from '../organizations/changes/endpoints.ts';
import { dataRetentionPolicies } from '../organizations/data-retention-policies/data-retention-policy.ts';
import { engineVersionEndpoints } from '../organizations/engine-versions/endpoints.ts';
import { engineVersions } from '../organizations/engine-versions/engine-version.ts';
import { organizationEndpoints } from '../organizations/organizations/endpoints.ts';
import { entitlementSets } from '../organizations/organizations/entitlement-set.ts';
import { organizations } from '../organizations/organizations/organization.ts';
import { subscriptions } from '../organizations/organizations/subscription.ts';
import { siteEndpoints } from '../organizations/site/endpoints.ts';
import { featureSets } from '../organizations/site/feature-sets.ts';
import { generalSettings } from '../organizations/site/general-settings.ts';
import { healthReports } from '../organizations/site/health.ts';
import { tokenTtlPolicyEndpoints } from '../organizations/token-ttl-policies/endpoints.ts';
import { tokenTtlPolicies } from '../organizations/token-ttl-policies/token-ttl-policy.ts';
import { organizationMembershipEndpoints } from '../people/organization-memberships/endpoints.ts';
import { organizationMemberships } from '../people/organization-memberships/organization-membership.ts';
import { passwordLinkEndpoints } from '../people/password-links/endpoints.ts';
import { passwordLinks } from '../people/password-links/password-link.ts';
import { passwordEndpoints } from '../people/passwords/endpoints.ts';
import { secondFactorEndpoints } from '../people/second-factor/endpoints.ts';
import { secondFactors } from '../people/second-factor/second-factor.ts';
import { sessionEndpoints } from '../people/sessions/endpoints.ts';
import { sessions } from '../people/sessions/session.ts';
import { signInEndpoints } from '../people/sign-in/endpoints.ts';
import { signInOptions } from '../people/sign-in/options.ts';
import { signInProviderEndpoints } from '../people/sign-in-providers/endpoints.ts';
import { signInProviders } from '../people/sign-in-providers/provider.ts';
import { singleSignOnEndpoints } from '../people/single-sign-on/endpoints.ts';
import { teamEndpoints } from '../people/teams/endpoints.ts';
import { teams } from '../people/teams/team.ts';
import { loginAuthorizations } from '../people/terraform-login/authorize.ts';
import { terraformLoginEndpoints } from '../people/terraform-login/endpoints.ts';
import { tokenEndpoints } from '../people/tokens/endpoints.ts';
import { tokens } from '../people/tokens/token.ts';
import { userEndpoints } from '../people/users/endpoints.ts';
import { users } from '../people/users/user.ts';
import { assessmentResultEndpoints, assessmentResults } from '../runs/assessment-results/assessment-result.ts';
import { commentEndpoints, comments } from '../runs/comments/comment.ts';
import { configurationVersions } from '../runs/configuration-versions/configuration-version.ts';
import { configurationVersionEndpoints } from '../runs/configuration-versions/endpoints.ts';
import { ingressAttributes } from '../runs/configuration-versions/ingress-attributes.ts';
import { notificationConfigurationEndpoints } from '../runs/notification-configurations/endpoints.ts';
import { notificationConfigurations } from '../runs/notification-configurations/notification-configuration.ts';
import { applies, applyEndpoints } from '../runs/phases/apply.ts';
import { planEndpoints, plans } from '../runs/phases/plan.ts';
import { startNextRun } from '../runs/queue/move.ts';
import { runStatuses } from '../runs/queue/statuses.ts';
import { runEventEndpoints, runEvents } from '../runs/run-events/run-event.ts';
import { runTaskEndpoints } from '../runs/run-tasks/endpoints.ts';
import { runTasks } from '../runs/run-tasks/run-task.ts';
import { runTriggerEndpoints } from '../runs/run-triggers/endpoints.ts';
import { runTriggers } from '../runs/run-triggers/run-trigger.ts';
import { runEndpoints } from '../runs/runs/endpoints.ts';
import { organizationCapacities } from '../runs/runs/queue.ts';
import { runs } from '../runs/runs/run.ts';
import { taskResultEndpoints } from '../runs/task-results/endpoints.ts';
import { taskResults } from '../runs/task-results/task-result.ts';
import { taskStageEndpoints, taskStages } from '../runs/task-stages/task-stage.ts';
import { webhookDeliveryEndpoints } from '../runs/webhook-deliveries/list.ts';
import { webhookDeliveries } from '../runs/webhook-deliveries/webhook-delivery.ts';
import { workspaceTaskEndpoints } from '../runs/workspace-tasks/endpoints.ts';
import { workspaceTasks } from '../runs/workspace-tasks/workspace-task.ts';
import { explanationEndpoints } from '../workspaces/explanations/endpoints.ts';
import { explanations } from '../workspaces/explanations/explanation.ts';
import { teamReaches } from '../workspaces/explanations/reach.ts';
import { permissionHolders } from '../workspaces/explanations/who.ts';
import { projectEndpoints } from '../workspaces/projects/endpoints.ts';
import { projects } from '../workspaces/projects/project.ts';
import { workspaceReadmes } from '../workspaces/readmes/workspace-readme.ts';
import { reservedTagKeyEndpoints } from '../workspaces/reserved-tag-keys/endpoints.ts';
import { reservedTagKeys } from '../workspaces/reserved-tag-keys/reserved-tag-key.ts';
import { stateVersionEndpoints } from '../workspaces/state-versions/endpoints.ts';
import { stateVersionOutputs, workspaceOutputs } from '../workspaces/state-versions/outputs.ts';
import { workspaceResources } from '../workspaces/state-versions/resources.ts';
import { stateVersions } from '../workspaces/state-versions/state-version.ts';
import { effectiveTagBindings } from '../workspaces/tags/effective-tag-binding.ts';
import { tagEndpoints } from '../workspaces/tags/endpoints.ts';
import { tags } from '../workspaces/tags/tag.ts';
import { tagBindings } from '../workspaces/tags/tag-binding.ts';
import { teamProjectEndpoints } from '../workspaces/team-projects/endpoints.ts';
import { teamProjects } from '../workspaces/team-projects/team-project.ts';
import { teamWorkspaceEndpoints } from '../workspaces/team-workspaces/endpoints.ts';
import { teamWorkspaces } from '../workspaces/team-workspaces/team-workspace.ts';
import { variableSetEndpoints } from '../workspaces/variable-sets/endpoints.ts';
import { variableSets } from '../workspaces/variable-sets/variable-set.ts';
import { variableEndpoints } from '../workspaces/variables/endpoints.ts';
import { variables } from '../workspaces/variables/variable.ts';
import { workspaceEndpoints } from '../workspaces/workspaces/endpoints.ts';
import { workspaces } from '../workspaces/workspaces/workspace.ts';

export const endpoints: readonly AnyEndpoint[] = [
  ...teamEndpoints,
  ...workspaceEndpoints(startNextRun, runStatuses),
  ...tagEndpoints,
  ...reservedTagKeyEndpoints,
  ...stateVersionEndpoints,
  ...organizationEndpoints,
  ...organizationMembershipEndpoints,
  ...userEndpoints,
  ...tokenEndpoints,
  ...signInEndpoints,
  ...signInProviderEndpoints,
  ...singleSignOnEndpoints,
  ...sessionEndpoints,
  ...passwordEndpoints,
  ...passwordLinkEndpoints,
  ...secondFactorEndpoints,
  ...terraformLoginEndpoints,
  ...tokenTtlPolicyEndpoints,
  ...teamWorkspaceEndpoints,
  ...teamProjectEndpoints,
  ...projectEndpoints,
  ...agentPoolEndpoints,
  ...sshKeyEndpoints,
  ...oauthClientEndpoints,
  ...oauthTokenEndpoints,
  ...webhookDeliveryEndpoints,
  ...engineVersionEndpoints,
  ...variableEndpoints,
  ...variableSetEndpoints,
  ...configurationVersionEndpoints,
  ...runEndpoints,
  ...runEventEndpoints,
  ...commentEndpoints,
  ...planEndpoints,
  ...applyEndpoints,
  ...assessmentResultEndpoints,
  ...runTriggerEndpoints,
  ...notificationConfigurationEndpoints,
  ...runTaskEndpoints,
  ...workspaceTaskEndpoints,
  ...taskStageEndpoints,
  ...taskResultEndpoints,
  ...auditEndpoints,
  ...explanationEndpoints,
  ...changeEndpoints,
  ...siteEndpoints,
];

export const resources: readonly AnyResource[] = [
  agentPools,
  agents,
  auditConfigurations,
  auditEvents,
  applies,
  assessmentResults,
  changes,
  comments,
  configurationVersions,
  dataRetentionPolicies,
  effectiveTagBindings,
  engineVersions,
  entitlementSets,
  explanations,
  featureSets,
  generalSettings,
  healthReports,
  ingressAttributes,
  loginAuthorizations,
  notificationConfigurations,
  oauthClients,
  oauthTokens,
  organizationCapacities,
  organizationMemberships,
  organizations,
  permissionHolders,
  passwordLinks,
  plans,
  projects,
  reservedTagKeys,
  runEvents,
  runTasks,
  runTriggers,
  runs,
  secondFactors,
  sessions,
  signInOptions,
  signInProviders,
  sshKeys,
  subscriptions,
  stateVersionOutputs,
  stateVersions,
  tagBindings,
  tags,
  taskResults,
  taskStages,
  teamProjects,
  teamReaches,
  teams,
  teamWorkspaces,
  tokens,
  tokenTtlPolicies,
  users,
  variables,
  variableSets,
  webhookDeliveries,
  webhookSecrets,
  workspaceOutputs,
  workspaceReadmes,
  workspaceResources,
  workspaces,
  workspaceTasks,
];
