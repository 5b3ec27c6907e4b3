/** The access records that seeds hand out: organization access, and the levels on projects and workspaces. */
import { type OrganizationAccess, settleOrganizationAccess } from '../../access/organization-access.ts';
import {
  type ProjectAccess,
  type ProjectWorkspaceAccess,
  projectLevels,
  projectPowersFrom,
  workspacePowersFromProject,
} from '../../access/project-levels.ts';
import { customWorkspacePowers, type WorkspaceAccess, workspaceLevels } from '../../access/workspace-levels.ts';
import type { Draws } from './draws.ts';

const organizationAccess: readonly Partial<OrganizationAccess>[] = [
  { 'read-workspaces': true },
  { 'read-workspaces': true, 'read-projects': true },
  { 'manage-workspaces': true },
  { 'manage-workspaces': true, 'manage-projects': true },
  { 'manage-policies': true },
  { 'manage-vcs-settings': true },
  { 'manage-membership': true },
];

/** Most teams get their access by project and workspace, and none on the whole organization. */
export function drawOrganizationAccess(draws: Draws): number {
  return draws.chance(0.6) ? 0 : settleOrganizationAccess(draws.pick(organizationAccess), 0, true).bits;
}

const none: WorkspaceAccess = {
  runs: 'read',
  variables: 'none',
  'state-versions': 'none',
  'sentinel-mocks': 'none',
  'workspace-locking': false,
  'run-tasks': false,
  'policy-overrides': false,
};
const read: WorkspaceAccess = { ...none, variables: 'read', 'state-versions': 'read' };
const plan: WorkspaceAccess = { ...read, runs: 'plan' };
const write: WorkspaceAccess = {
  ...none,
  runs: 'apply',
  variables: 'write',
  'state-versions': 'write',
  'sentinel-mocks': 'read',
  'workspace-locking': true,
};
const admin: WorkspaceAccess = { ...write, 'run-tasks': true, 'policy-overrides': true };
const custom: WorkspaceAccess = { ...none, runs: 'plan', variables: 'read', 'workspace-locking': true };
const workspaceAccess = { read, plan, write, admin, custom };

/** The columns of a `team_workspaces` row that say what it gives. */
export function drawWorkspaceAccess(draws: Draws): Record<string, unknown> {
  const level = draws.pick(['read', 'read', 'plan', 'write', 'admin', 'custom'] as const);
  const access = workspaceAccess[level];
  return {
    access: level,
    runs: access.runs,
    variables: access.variables,
    state_versions: access['state-versions'],
    sentinel_mocks: access['sentinel-mocks'],
    workspace_locking: access['workspace-locking'],
    run_tasks: access['run-tasks'],
    policy_overrides: access['policy-overrides'],
    powers: level === 'custom' ? customWorkspacePowers(access) : workspaceLevels[level],
  };
}

const projectAccess: Record<(typeof projectLevels)[number], ProjectAccess> = {
  read: { settings: 'read', teams: 'none', 'variable-sets': 'none' },
  write: { settings: 'read', teams: 'none', 'variable-sets': 'read' },
  maintain: { settings: 'read', teams: 'none', 'variable-sets': 'write' },
  admin: { settings: 'delete', teams: 'manage', 'variable-sets': 'write' },
  custom: { settings: 'update', teams: 'read', 'variable-sets': 'read' },
};

/** The columns of a `team_projects` row that say what it gives. */
export function drawProjectAccess(draws: Draws): Record<string, unknown> {
  const level = draws.pick(projectLevels);
  const { 'workspace-locking': locking, ...detail } = workspaceAccess[level === 'maintain' ? 'admin' : level];
  const manages = level === 'maintain' || level === 'admin';
  const workspace: ProjectWorkspaceAccess = {
    ...detail,
    locking,
    create: manages,
    move: level === 'admin',
    delete: manages,
  };
  return {
    access: level,
    project_access: projectAccess[level],
    workspace_access: workspace,
    powers: projectPowersFrom(projectAccess[level], workspace),
    workspace_powers: workspacePowersFromProject(level, workspace),
  };
}
