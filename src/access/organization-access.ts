/** What a caller may do in an organization: the fourteen keys of §2.1, two more that clients know, belonging and owning. */

import { type Actor, standingIn } from '../core/access/actor.ts';
import { type Powers, powerTable } from '../core/access/powers.ts';
import type { Requirement } from '../core/jsonapi/records.ts';

/** §2.1, in its order. */
export const documentedAccessKeys = [
  'manage-policies',
  'manage-policy-overrides',
  'manage-run-tasks',
  'manage-workspaces',
  'manage-vcs-settings',
  'manage-agent-pools',
  'manage-providers',
  'manage-modules',
  'manage-projects',
  'read-projects',
  'read-workspaces',
  'manage-membership',
  'manage-teams',
  'manage-organization-access',
] as const;

/** What the list response carries under the documented profile (§2.1). */
export const listedAccessKeys = [
  'manage-policies',
  'manage-policy-overrides',
  'manage-run-tasks',
  'manage-workspaces',
  'manage-vcs-settings',
  'manage-agent-pools',
  'manage-projects',
  'read-projects',
  'read-workspaces',
] as const;

export const accessKeys = [...documentedAccessKeys, 'access-secret-teams', 'delegate-policy-overrides'] as const;
export type AccessKey = (typeof accessKeys)[number];
export type OrganizationAccess = Record<AccessKey, boolean>;

/** The first sixteen bits are `teams.organization_access`. */
export const organizationPowers = powerTable('organization', ...accessKeys, 'belong', 'own', 'issue-token');

export function organizationAccessOf(bits: number): Readonly<OrganizationAccess> {
  const known = accessOfBits.get(bits);
  if (known) return known;
  const powers = organizationPowers.from(bits);
  const access = Object.fromEntries(accessKeys.map(key => [key, organizationPowers.has(powers, key)]));
  if (accessOfBits.size === knownAccess_items) accessOfBits.clear();
  accessOfBits.set(bits, Object.freeze(access) as Readonly<OrganizationAccess>);
  return organizationAccessOf(bits);
}

/** Teams of one organization have few different ones; lists show one for each team. */
const accessOfBits = new Map<number, Readonly<OrganizationAccess>>();
const knownAccess_items = 1000;

export function organizationAccessBits(access: Partial<OrganizationAccess>): Powers<'organization'> {
  return organizationPowers.where(access);
}

/**
 * The union of everything the caller's teams give in this organization; an owner has every power. A token that acts as an
 * owner makes no other such token: a leaked one would outlive its revocation.
 */
export function organizationPowersOf(actor: Actor, organizationId: string): Powers<'organization'> {
  const { isOwner, isMember, organizationAccess } = standingIn(actor, organizationId);
  if (isOwner) return actor.kind === 'user' ? organizationPowers.all : ownerByToken;
  return organizationPowers.union(
    organizationPowers.from(organizationAccess),
    organizationPowers.where({ belong: isMember }),
  );
}

const ownerByToken = organizationPowers.without(organizationPowers.all, 'issue-token');

/** Whether the actor may do that in the organization. */
export function meets(actor: Actor, organizationId: string, { anyOf }: Requirement<'organization'>): boolean {
  return (organizationPowersOf(actor, organizationId) & anyOf) !== 0;
}

/**
 * The cascades and conditions of §2.1: what a set of keys becomes, and every key that cannot be as it is. An update keeps
 * a false that it is given, since clients send all keys and look for what they sent.
 */
export function settleOrganizationAccess(
  given: Partial<OrganizationAccess>,
  before: number,
  isCreate: boolean,
): { bits: number; conflicts: AccessConflict[] } {
  const access = { ...organizationAccessOf(before), ...given };
  const follows = (key: AccessKey, from: AccessKey) =>
    access[from] && (isCreate || (given[from] && given[key] !== false));
  if (follows('read-workspaces', 'manage-workspaces')) access['read-workspaces'] = true;
  const broken = conditions.filter(([key, needs]) => access[key] && !needs.some(needed => access[needed]));
  if (follows('read-projects', 'manage-projects') && access['read-workspaces']) access['read-projects'] = true;
  return { bits: organizationAccessBits(access), conflicts: broken.map(([key, needs]) => ({ key, needs })) };
}

export interface AccessConflict {
  key: AccessKey;
  /** One of these must be true with it. */
  needs: readonly AccessKey[];
}

const conditions: readonly [AccessKey, readonly AccessKey[]][] = [
  ['manage-projects', ['manage-workspaces']],
  ['read-projects', ['read-workspaces']],
  ['manage-teams', ['manage-membership']],
  ['manage-organization-access', ['manage-teams']],
  ['access-secret-teams', ['manage-membership', 'manage-teams', 'manage-organization-access']],
];
