/** What a caller may do with a workspace: powers, the levels that are names of sets of them, and `permissions` (§2.2). */

import type { Actor } from '../core/access/actor.ts';
import { type Powers, powerTable } from '../core/access/powers.ts';
import { organizationPowers, organizationPowersOf } from './organization-access.ts';

export const workspacePowers = powerTable(
  'workspace',
  'read',
  'plan',
  'apply',
  'read-variables',
  'write-variables',
  'read-state-outputs',
  'read-state',
  'write-state',
  'read-mocks',
  'lock',
  'run-tasks',
  'override-policies',
  'delete',
  'move',
  /** Settings, tags, team access and force-unlock: admin permission in the words of §5.4. */
  'administer',
  /** Of all workspaces of the organization: replaces remote state consumers (§4.5). */
  'manage-all',
  'own',
);

const read = workspacePowers.of('read', 'read-variables', 'read-state-outputs', 'read-state');
const plan = workspacePowers.union(read, workspacePowers.bit.plan);
const write = workspacePowers.union(
  plan,
  workspacePowers.of('apply', 'write-variables', 'write-state', 'read-mocks', 'lock'),
);
const admin = workspacePowers.union(
  write,
  workspacePowers.of('run-tasks', 'override-policies', 'delete', 'move', 'administer'),
);

export const workspaceLevels = { read, plan, write, admin } as const;
export type WorkspaceLevel = keyof typeof workspaceLevels;

/** What a team's access record says in detail; levels other than `custom` fix all of it. */
export interface WorkspaceAccess {
  runs: 'read' | 'plan' | 'apply';
  variables: 'none' | 'read' | 'write';
  'state-versions': 'none' | 'read-outputs' | 'read' | 'write';
  'sentinel-mocks': 'none' | 'read';
  'workspace-locking': boolean;
  'run-tasks': boolean;
  'policy-overrides': boolean;
}

/** What an access record of each level shows; a new custom one starts from the least. */
export const workspaceAccessOf: Record<WorkspaceLevel | 'custom', WorkspaceAccess> = {
  read: details('read', 'read', 'read', 'none', false, false),
  plan: details('plan', 'read', 'read', 'none', false, false),
  write: details('apply', 'write', 'write', 'read', true, false),
  admin: details('apply', 'write', 'write', 'read', true, true),
  custom: details('read', 'none', 'none', 'none', false, false),
};

function details(
  runs: WorkspaceAccess['runs'],
  variables: WorkspaceAccess['variables'],
  stateVersions: WorkspaceAccess['state-versions'],
  sentinelMocks: WorkspaceAccess['sentinel-mocks'],
  workspaceLocking: boolean,
  administers: boolean,
): WorkspaceAccess {
  return {
    runs,
    variables,
    'state-versions': stateVersions,
    'sentinel-mocks': sentinelMocks,
    'workspace-locking': workspaceLocking,
    'run-tasks': administers,
    'policy-overrides': administers,
  };
}

/** The powers of an access record of any level. */
export function workspacePowersFrom(level: WorkspaceLevel | 'custom', access: WorkspaceAccess): Powers<'workspace'> {
  return level === 'custom' ? customWorkspacePowers(access) : workspaceLevels[level];
}

/** The powers of a custom access record. Whoever may read runs may view the workspace (§5.4). */
export function customWorkspacePowers(access: WorkspaceAccess): Powers<'workspace'> {
  const { none, bit, of, union, where } = workspacePowers;
  const runs = { read: bit.read, plan: of('read', 'plan'), apply: of('read', 'plan', 'apply') };
  const variables = { none, read: bit['read-variables'], write: of('read-variables', 'write-variables') };
  const state = {
    none,
    'read-outputs': bit['read-state-outputs'],
    read: of('read-state-outputs', 'read-state'),
    write: of('read-state-outputs', 'read-state', 'write-state'),
  };
  return union(
    runs[access.runs],
    variables[access.variables],
    state[access['state-versions']],
    where({
      'read-mocks': access['sentinel-mocks'] === 'read',
      lock: access['workspace-locking'],
      'run-tasks': access['run-tasks'],
      'override-policies': access['policy-overrides'],
    }),
  );
}

/** What organization access alone gives on every workspace of the organization (§5.4). */
export function workspacePowersFromOrganization(actor: Actor, organizationId: string): Powers<'workspace'> {
  const access = organizationPowersOf(actor, organizationId);
  if (organizationPowers.has(access, 'own')) {
    // The organization's own token manages workspaces, but neither holds their state nor runs anything in them. A lock
    // that it took would only let a command line change things whose state is refused afterwards.
    return actor.kind === 'organization'
      ? workspacePowers.without(workspacePowers.all, 'write-state', 'plan', 'apply', 'lock')
      : workspacePowers.all;
  }
  if (organizationPowers.has(access, 'manage-workspaces')) {
    return workspacePowers.union(admin, workspacePowers.bit['manage-all']);
  }
  return organizationPowers.has(access, 'read-workspaces') ? read : workspacePowers.none;
}

/** May force delete: owners, and workspace admins where the organization lets them (§5.4). */
export function withForceDelete(powers: Powers<'workspace'>, allowsForceDelete: boolean): Powers<'workspace'> {
  const isAllowed = allowsForceDelete && workspacePowers.has(powers, 'administer');
  return workspacePowers.union(powers, workspacePowers.where({ own: isAllowed }));
}

/** What each permission of a document takes. */
export const permissionPowers = {
  'can-update': 'administer',
  'can-destroy': 'delete',
  'can-queue-run': 'plan',
  'can-read-run': 'read',
  'can-read-variable': 'read-variables',
  'can-update-variable': 'write-variables',
  'can-read-state-versions': 'read-state',
  'can-read-state-outputs': 'read-state-outputs',
  'can-create-state-versions': 'write-state',
  'can-queue-apply': 'apply',
  'can-lock': 'lock',
  'can-unlock': 'lock',
  'can-force-unlock': 'administer',
  'can-read-settings': 'read',
  'can-manage-tags': 'administer',
  'can-manage-run-tasks': 'run-tasks',
  'can-force-delete': 'own',
  'can-manage-assessments': 'administer',
  'can-manage-ephemeral-workspaces': 'administer',
  'can-read-assessment-results': 'read',
  'can-queue-destroy': 'apply',
} as const satisfies Record<string, (typeof workspacePowers.names)[number]>;

export type WorkspacePermission = keyof typeof permissionPowers;
export const workspacePermissionNames = Object.keys(permissionPowers) as WorkspacePermission[];

const known = new Map<number, Record<WorkspacePermission, boolean>>();

/** The `permissions` object of §2.2, from the same set that enforces. One object per set of powers. */
export function workspacePermissions(powers: Powers<'workspace'>): Record<WorkspacePermission, boolean> {
  const permissions =
    known.get(powers) ??
    (Object.fromEntries(
      Object.entries(permissionPowers).map(([name, power]) => [name, workspacePowers.has(powers, power)]),
    ) as Record<WorkspacePermission, boolean>);
  known.set(powers, permissions);
  return permissions;
}
