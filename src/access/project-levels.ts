/** What a caller may do with a project, and what access to a project gives on its workspaces. */

import type { Actor } from '../core/access/actor.ts';
import { type Powers, powerTable } from '../core/access/powers.ts';
import { organizationPowers, organizationPowersOf } from './organization-access.ts';
import {
  customWorkspacePowers,
  type WorkspaceAccess,
  workspaceAccessOf,
  workspaceLevels,
  workspacePowers,
} from './workspace-levels.ts';

export const projectPowers = powerTable(
  'project',
  'read',
  'update',
  'delete',
  'create-workspaces',
  'move-workspaces',
  'read-teams',
  'manage-teams',
  'read-variable-sets',
  'write-variable-sets',
);

export interface ProjectAccess {
  settings: 'read' | 'update' | 'delete';
  teams: 'none' | 'read' | 'manage';
  'variable-sets': 'none' | 'read' | 'write';
}

/** The workspace side of a project access record. */
export interface ProjectWorkspaceAccess extends Omit<WorkspaceAccess, 'workspace-locking'> {
  create: boolean;
  move: boolean;
  locking: boolean;
  delete: boolean;
}

export const projectLevels = ['read', 'write', 'maintain', 'admin', 'custom'] as const;
export type ProjectLevel = (typeof projectLevels)[number];

/** The project side of each level; a new custom record starts from the least. */
export const projectAccessOf: Record<ProjectLevel, ProjectAccess> = {
  read: { settings: 'read', teams: 'none', 'variable-sets': 'read' },
  write: { settings: 'read', teams: 'none', 'variable-sets': 'write' },
  maintain: { settings: 'read', teams: 'none', 'variable-sets': 'write' },
  admin: { settings: 'delete', teams: 'manage', 'variable-sets': 'write' },
  custom: { settings: 'read', teams: 'none', 'variable-sets': 'none' },
};

/** The workspace side of each level. */
export const projectWorkspaceAccessOf: Record<ProjectLevel, ProjectWorkspaceAccess> = {
  read: onWorkspaces('read', { create: false, delete: false, move: false }),
  write: onWorkspaces('write', { create: false, delete: false, move: false }),
  maintain: onWorkspaces('admin', { create: true, delete: true, move: false }),
  admin: onWorkspaces('admin', { create: true, delete: true, move: true }),
  custom: onWorkspaces('custom', { create: false, delete: false, move: false }),
};

function onWorkspaces(
  level: keyof typeof workspaceAccessOf,
  more: { create: boolean; delete: boolean; move: boolean },
): ProjectWorkspaceAccess {
  const { 'workspace-locking': locking, ...access } = workspaceAccessOf[level];
  return { ...access, locking, ...more };
}

/** The project powers of an access record. */
export function projectPowersFrom(access: ProjectAccess, workspace: ProjectWorkspaceAccess): Powers<'project'> {
  const { none, bit, of, union, where } = projectPowers;
  const settings = { read: none, update: bit.update, delete: of('update', 'delete') };
  const teams = { none, read: bit['read-teams'], manage: of('read-teams', 'manage-teams') };
  const sets = { none, read: bit['read-variable-sets'], write: of('read-variable-sets', 'write-variable-sets') };
  return union(
    bit.read,
    settings[access.settings],
    teams[access.teams],
    sets[access['variable-sets']],
    where({ 'create-workspaces': workspace.create, 'move-workspaces': workspace.move }),
  );
}

/** The powers that an access record gives on each workspace of the project. */
export function workspacePowersFromProject(level: ProjectLevel, access: ProjectWorkspaceAccess): Powers<'workspace'> {
  if (level === 'admin') return workspaceLevels.admin;
  if (level === 'maintain') return workspacePowers.without(workspaceLevels.admin, 'move');
  if (level === 'write') return workspaceLevels.write;
  if (level === 'read') return workspaceLevels.read;
  const custom = customWorkspacePowers({ ...access, 'workspace-locking': access.locking });
  return workspacePowers.union(custom, workspacePowers.where({ delete: access.delete, move: access.move }));
}

/** What organization access alone gives on every project of the organization. */
export function projectPowersFromOrganization(actor: Actor, organizationId: string): Powers<'project'> {
  const access = organizationPowersOf(actor, organizationId);
  const has = (power: Parameters<typeof organizationPowers.has>[1]) => organizationPowers.has(access, power);
  if (has('own') || has('manage-projects')) return projectPowers.all;
  if (has('manage-workspaces')) return projectPowers.of('read', 'create-workspaces');
  return projectPowers.where({ read: has('read-projects') || has('read-workspaces') });
}
