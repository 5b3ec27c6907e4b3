/** The policy (§5): action → the powers it takes, and how a refusal looks. Without a word here it looks like a missing record. */

import { powerTable } from '../core/access/powers.ts';
import type { KindOf, Requirement } from '../core/jsonapi/records.ts';
import { organizationPowers } from './organization-access.ts';
import { projectPowers } from './project-levels.ts';
import { workspacePowers } from './workspace-levels.ts';

/** On the installation as a whole. */
export const sitePowers = powerTable('site', 'call', 'administer', 'create-organizations', 'enter');
/** On an account: its own holder, or a site administrator. */
export const userPowers = powerTable('user', 'read', 'hold', 'administer');
/** On a provider of single sign-on: site administrators alone. */
export const signInProviderPowers = powerTable('sign-in-provider', 'read', 'manage');
/** On a session: its person, and site administrators. */
export const sessionPowers = powerTable('session', 'read', 'end');
/** On an organization membership: its organization's members, who may end it, and the person who is invited. */
export const membershipPowers = powerTable('membership', 'read', 'remove', 'accept');
/**
 * On a team: whoever may see it, the owners, managers of membership, who may see and revoke its tokens, who may make them,
 * and its members.
 */
export const teamPowers = powerTable(
  'team',
  'read',
  'own',
  'manage-members',
  'manage-tokens',
  'issue-tokens',
  'see-reach',
);
/** On a token. */
export const tokenPowers = powerTable('token', 'read', 'delete');
/** On a team's access to a workspace or project: its members and who sees all of them, and who changes them. */
export const teamAccessPowers = powerTable('team-access', 'read', 'manage');
/** On an agent pool: the members of its organization, and who manages pools. */
export const agentPoolPowers = powerTable('agent-pool', 'read', 'manage');
/** On a run task: the members of its organization, and who manages run tasks. */
export const runTaskPowers = powerTable('run-task', 'read', 'manage');
/** On what a run task said of a run: who reads the run, and the task that was asked. */
export const taskResultPowers = powerTable('task-result', 'read', 'report');
/** On an SSH key: who may choose it for workspaces, and who manages keys. */
export const sshKeyPowers = powerTable('ssh-key', 'read', 'manage');
/** On a connection to version control and its tokens: who may choose one for workspaces, and who manages them. */
export const oauthPowers = powerTable('oauth', 'read', 'manage');
/** On a flat tag: who may read a workspace that carries it. */
export const tagPowers = powerTable('tag', 'read');
/** On a reserved tag key: the members of its organization, and who manages the keys. */
export const reservedTagKeyPowers = powerTable('reserved-tag-key', 'read', 'manage');
/** On a variable set: who may read a workspace that it applies to, or its variables, and who changes it. */
export const variableSetPowers = powerTable('variable-set', 'read', 'read-variables', 'manage');
/** On a notification configuration: who administers the workspace or the project, or owns the team, that is told. */
export const notificationPowers = powerTable('notification-configuration', 'manage');
/** On a run: who reads, comments, and decides what becomes of it. */
export const runPowers = powerTable(
  'run',
  'read',
  'comment',
  'apply',
  'discard',
  'cancel',
  'force-cancel',
  'force-execute',
  'override-policies',
  /** What its plan holds in clear, sensitive values too. */
  'read-json-output',
  'read-errored-state',
  /** What its own engine could not save. */
  'write-errored-state',
);
/** On an engine version: site administrators alone; workspaces show everybody what they use. */
export const engineVersionPowers = powerTable('engine-version', 'read', 'administer');

const { bit: organization, of: organizationAny } = organizationPowers;
const { bit: workspace } = workspacePowers;
const { bit: project } = projectPowers;

const rules = {
  'site:call': { anyOf: sitePowers.bit.call },
  'site:administer': { anyOf: sitePowers.bit.administer },
  'site:create-organization': { anyOf: sitePowers.bit['create-organizations'] },

  // What everybody may try who has not signed in.
  'site:enter': { anyOf: sitePowers.bit.enter },
  'session:read': { anyOf: sessionPowers.bit.read },
  'session:end': { anyOf: sessionPowers.bit.end },

  'sign-in-provider:read': { anyOf: signInProviderPowers.bit.read },
  'sign-in-provider:manage': { anyOf: signInProviderPowers.bit.manage },

  'user:read': { anyOf: userPowers.bit.read },
  'user:hold': { anyOf: userPowers.bit.hold },
  'user:create-token': { anyOf: userPowers.of('hold', 'administer') },
  'user:administer': { anyOf: userPowers.bit.administer },
  'token:read': { anyOf: tokenPowers.bit.read },
  'token:delete': { anyOf: tokenPowers.bit.delete },
  'team-access:read': { anyOf: teamAccessPowers.bit.read },
  'team-access:manage': { anyOf: teamAccessPowers.bit.manage },
  'engine-version:read': { anyOf: engineVersionPowers.bit.read },
  'engine-version:administer': { anyOf: engineVersionPowers.bit.administer },

  'organization:read': { anyOf: organization.belong },
  'organization:update': { anyOf: organization.own },
  'organization:delete': { anyOf: organization.own },
  'organization:manage-token': { anyOf: organization.own },
  'organization:issue-token': { anyOf: organization['issue-token'] },
  'organization:list-teams': { anyOf: organization.belong },
  'organization:create-team': { anyOf: organization.own },
  'organization:list-memberships': { anyOf: organization.belong },
  'organization:manage-memberships': { anyOf: organizationAny('own', 'manage-membership') },
  'organization:list-workspaces': { anyOf: organization.belong },
  // Whether a member may create depends on the project, too: workspaces/create.ts asks it.
  'organization:create-workspace': { anyOf: organization.belong },
  'organization:list-runs': { anyOf: organization.belong },
  'organization:list-projects': { anyOf: organization.belong },
  'organization:create-project': { anyOf: organizationAny('own', 'manage-projects') },
  'organization:list-agent-pools': { anyOf: organization.belong },
  'organization:manage-agent-pools': { anyOf: organizationAny('own', 'manage-agent-pools') },
  'organization:list-run-tasks': { anyOf: organization.belong },
  'organization:manage-run-tasks': { anyOf: organizationAny('own', 'manage-run-tasks') },
  'organization:list-tags': { anyOf: organization.belong },
  'organization:manage-tags': { anyOf: organizationAny('own', 'manage-workspaces') },
  'organization:list-reserved-tag-keys': { anyOf: organization.belong },
  'organization:manage-reserved-tag-keys': { anyOf: organizationAny('own', 'manage-projects') },
  'organization:manage-data-retention': { anyOf: organization.own },
  'organization:list-ssh-keys': { anyOf: organizationAny('own', 'manage-vcs-settings', 'manage-workspaces') },
  'organization:manage-ssh-keys': { anyOf: organizationAny('own', 'manage-vcs-settings') },
  'organization:list-oauth-clients': { anyOf: organizationAny('own', 'manage-vcs-settings', 'manage-workspaces') },
  'organization:manage-oauth-clients': { anyOf: organizationAny('own', 'manage-vcs-settings') },
  'organization:list-variable-sets': { anyOf: organization.belong },
  // Whether a member may create depends on who is to own the set: variable-sets/create.ts asks it.
  'organization:create-variable-set': { anyOf: organization.belong },
  'organization:manage-variable-sets': { anyOf: organizationAny('own', 'manage-workspaces', 'manage-projects') },
  'organization:read-audit': { anyOf: organization.own },
  'organization:list-team-tokens': { anyOf: organization.belong },

  'membership:read': { anyOf: membershipPowers.bit.read },
  'membership:accept': { anyOf: membershipPowers.bit.accept },
  'membership:remove': { anyOf: membershipPowers.bit.remove },

  'agent-pool:read': { anyOf: agentPoolPowers.bit.read },
  'agent-pool:manage': { anyOf: agentPoolPowers.bit.manage },
  'run-task:read': { anyOf: runTaskPowers.bit.read },
  'run-task:manage': { anyOf: runTaskPowers.bit.manage },
  'task-result:read': { anyOf: taskResultPowers.bit.read },
  'task-result:report': { anyOf: taskResultPowers.bit.report },
  'tag:read': { anyOf: tagPowers.bit.read },
  'reserved-tag-key:manage': { anyOf: reservedTagKeyPowers.bit.manage },
  'ssh-key:read': { anyOf: sshKeyPowers.bit.read },
  'ssh-key:manage': { anyOf: sshKeyPowers.bit.manage },
  'oauth-client:read': { anyOf: oauthPowers.bit.read },
  'oauth-client:manage': { anyOf: oauthPowers.bit.manage },
  'variable-set:read': { anyOf: variableSetPowers.bit.read },
  'variable-set:read-variables': { anyOf: variableSetPowers.bit['read-variables'] },
  'variable-set:manage': { anyOf: variableSetPowers.bit.manage },

  'team:read': { anyOf: teamPowers.bit.read },
  'team:update': { anyOf: teamPowers.bit.own },
  'team:delete': { anyOf: teamPowers.bit.own },
  'team:manage-members': { anyOf: teamPowers.bit['manage-members'] },
  'team:manage-notifications': { anyOf: teamPowers.bit.own },
  'team:see-reach': { anyOf: teamPowers.bit['see-reach'] },
  'team:manage-tokens': { anyOf: teamPowers.bit['manage-tokens'] },
  'team:issue-token': { anyOf: teamPowers.bit['issue-tokens'] },

  'run:read': { anyOf: runPowers.bit.read },
  'run:read-json-output': { anyOf: runPowers.bit['read-json-output'] },
  'run:read-errored-state': { anyOf: runPowers.bit['read-errored-state'] },
  'run:write-errored-state': { anyOf: runPowers.bit['write-errored-state'] },
  'run:comment': { anyOf: runPowers.bit.comment },
  'run:apply': { anyOf: runPowers.bit.apply },
  'run:discard': { anyOf: runPowers.bit.discard },
  'run:cancel': { anyOf: runPowers.bit.cancel },
  'run:force-cancel': { anyOf: runPowers.bit['force-cancel'] },
  'run:force-execute': { anyOf: runPowers.bit['force-execute'] },

  'project:read': { anyOf: project.read },
  'project:update': { anyOf: project.update },
  'project:delete': { anyOf: project.delete },
  'project:create-workspace': { anyOf: project['create-workspaces'] },
  'project:move-workspaces': { anyOf: project['move-workspaces'] },
  'project:list-teams': { anyOf: project['read-teams'] },
  'project:list-variable-sets': { anyOf: project.read },
  'project:write-variable-sets': { anyOf: project['write-variable-sets'] },
  'project:manage-tags': { anyOf: project.update },
  'project:manage-notifications': { anyOf: project.update },
  'project:manage-teams': { anyOf: project['manage-teams'] },

  'workspace:read': { anyOf: workspace.read },
  'workspace:update': { anyOf: workspace.administer },
  'workspace:delete': { anyOf: workspace.delete },
  'workspace:force-delete': {
    anyOf: workspace.own,
    refusal: { name: 'force-delete-forbidden', toThoseWith: workspace.read },
  },
  'workspace:queue-run': { anyOf: workspace.plan },
  'workspace:assess': { anyOf: workspace.administer },
  'workspace:list-runs': { anyOf: workspace.read },
  'workspace:list-run-triggers': { anyOf: workspace.read },
  'workspace:create-run-trigger': { anyOf: workspace.administer },
  'workspace:list-run-tasks': { anyOf: workspace.read },
  'workspace:manage-run-tasks': { anyOf: workspace['run-tasks'] },
  'workspace:manage-notifications': { anyOf: workspace.administer },
  'notification-configuration:manage': { anyOf: notificationPowers.bit.manage },
  'run-trigger:read': { anyOf: workspace.read },
  'run-trigger:delete': { anyOf: workspace.administer },
  'configuration-version:list': { anyOf: workspace.read },
  'configuration-version:create': { anyOf: workspace.plan },
  'configuration-version:read': { anyOf: workspace.read },
  'configuration-version:archive': { anyOf: workspace.apply },
  'configuration-version:manage-backing-data': { anyOf: workspace.administer },
  'workspace:read-variables': { anyOf: workspace['read-variables'] },
  'workspace:write-variables': { anyOf: workspace['write-variables'] },
  'workspace:list-variable-sets': { anyOf: workspace.read },
  'workspace:read-state': { anyOf: workspace['read-state'] },
  'workspace:read-state-outputs': { anyOf: workspace['read-state-outputs'] },
  'workspace:create-state-version': { anyOf: workspace['write-state'] },
  'workspace:delete-state-data': { anyOf: workspace.administer },
  'workspace:lock': { anyOf: workspace.lock },
  'workspace:unlock': { anyOf: workspace.lock },
  'workspace:force-unlock': { anyOf: workspace.administer },
  'workspace:manage-teams': { anyOf: workspace.administer },
  'workspace:manage-tags': { anyOf: workspace.administer },
  'workspace:change-consumers': { anyOf: workspace.administer },
  'workspace:replace-consumers': { anyOf: workspace['manage-all'] },
  'workspace:assign-ssh-key': { anyOf: workspace.administer },
  'workspace:manage-data-retention': { anyOf: workspace.administer },
};

export type Action = keyof typeof rules;
export const actions = Object.keys(rules) as Action[];

export const policy = Object.fromEntries(
  Object.entries(rules).map(([action, rule]) => [action, { action, ...rule }]),
) as { [Name in Action]: Requirement<KindOf<(typeof rules)[Name]['anyOf']>> };
