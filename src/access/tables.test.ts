/** §2.1, §5.4: the tables of access, as values: bits, organization keys, levels of workspaces and projects. */

import { describe, expect, test } from 'vitest';
import type { Actor, Standing } from '../core/access/actor.ts';
import { powerTable } from '../core/access/powers.ts';
import {
  accessKeys,
  documentedAccessKeys,
  listedAccessKeys,
  organizationAccessBits,
  organizationAccessOf,
  organizationPowers,
  organizationPowersOf,
  settleOrganizationAccess,
} from './organization-access.ts';
import {
  projectPowers,
  projectPowersFrom,
  projectPowersFromOrganization,
  workspacePowersFromProject,
} from './project-levels.ts';
import {
  customWorkspacePowers,
  withForceDelete,
  workspaceLevels,
  workspacePermissionNames,
  workspacePermissions,
  workspacePowers,
  workspacePowersFromOrganization,
} from './workspace-levels.ts';

const actor = (standing: Partial<Standing>, kind: Actor['kind'] = 'user') =>
  ({
    kind,
    standings: new Map([['org-1', { isMember: true, isOwner: false, organizationAccess: 0, ...standing }]]),
  }) as unknown as Actor;
const withKeys = (...keys: (typeof accessKeys)[number][]) =>
  actor({ organizationAccess: organizationPowers.of(...keys) });
const owner = actor({ isOwner: true });
const stranger = { kind: 'user', standings: new Map() } as unknown as Actor;

describe('bits', () => {
  test('each name is one bit, and sets are united and asked', () => {
    const table = powerTable('letter', 'a', 'b', 'c');
    expect(table.bit).toEqual({ a: 1, b: 2, c: 4 });
    expect([table.of(), table.of('a', 'c'), table.all]).toEqual([0, 5, 7]);
    const some = table.from(5);
    expect([table.has(some, 'a'), table.has(some, 'b')]).toEqual([true, false]);
    expect(table.where({ a: true, b: false, c: true })).toBe(some);
    expect([table.without(some, 'a'), table.union(table.bit.a, table.bit.b)]).toEqual([4, 3]);
  });

  test('no table outgrows the 31 bits that a signed integer holds', () => {
    for (const table of [organizationPowers, workspacePowers, projectPowers]) {
      expect(table.names.length).toBeLessThanOrEqual(31);
      expect(table.all).toBeGreaterThan(0);
    }
  });
});

describe('§2.1 organization access', () => {
  test('has fourteen documented keys, of which the list shows nine', () => {
    expect(documentedAccessKeys).toHaveLength(14);
    expect(listedAccessKeys).toHaveLength(9);
    expect(documentedAccessKeys).toEqual(expect.arrayContaining([...listedAccessKeys]));
  });

  test('keys become bits and come back', () => {
    for (const key of accessKeys) {
      const access = organizationAccessOf(organizationAccessBits({ [key]: true }));
      expect(Object.entries(access).filter(([, given]) => given)).toEqual([[key, true]]);
    }
  });

  const settled = (given: object, before: object = {}, isCreate = false) => {
    const { bits, conflicts } = settleOrganizationAccess(given, organizationAccessBits(before), isCreate);
    if (conflicts.length > 0) return conflicts;
    return accessKeys.filter(key => organizationAccessOf(bits)[key]).sort();
  };

  test('rule 3: managing workspaces is reading them; managing projects is reading those', () => {
    expect(settled({ 'manage-workspaces': true })).toEqual(['manage-workspaces', 'read-workspaces']);
    const all = ['manage-projects', 'manage-workspaces', 'read-projects', 'read-workspaces'];
    expect(settled({ 'manage-projects': true, 'manage-workspaces': true })).toEqual(all);
  });

  test('rule 3: a new team has no choice, an update keeps the false that it is given, as clients send all keys', () => {
    const managing = { 'manage-workspaces': true, 'read-workspaces': false };
    expect(settled(managing, {}, true)).toEqual(['manage-workspaces', 'read-workspaces']);
    expect(settled(managing, { 'manage-workspaces': true, 'read-workspaces': true })).toEqual(['manage-workspaces']);
    expect(settled({ 'manage-modules': true }, { 'manage-workspaces': true })).toEqual([
      'manage-modules',
      'manage-workspaces',
    ]);
    const both = { ...managing, 'manage-projects': true, 'read-projects': false };
    expect(settled(both, { 'read-workspaces': true })).toEqual(['manage-projects', 'manage-workspaces']);
    expect(settled({ ...both, 'read-projects': true })).toMatchObject([{ key: 'read-projects' }]);
  });

  test('rules 1 and 2 judge what would result, whichever key was sent', () => {
    expect(settled({ 'manage-projects': true })).toEqual([{ key: 'manage-projects', needs: ['manage-workspaces'] }]);
    expect(settled({ 'read-projects': true })).toEqual([{ key: 'read-projects', needs: ['read-workspaces'] }]);
    expect(
      settled({ 'manage-workspaces': false }, { 'manage-projects': true, 'manage-workspaces': true }),
    ).toMatchObject([{ key: 'manage-projects' }]);
    expect(settled({ 'read-projects': true }, { 'read-workspaces': true })).toEqual([
      'read-projects',
      'read-workspaces',
    ]);
  });

  test('what is not sent stays as it was', () => {
    expect(settled({ 'manage-modules': true }, { 'manage-policies': true })).toEqual([
      'manage-modules',
      'manage-policies',
    ]);
    expect(settled({}, {})).toEqual([]);
  });

  test('an owner has every power, a member belongs, a stranger has none', () => {
    expect(organizationPowersOf(owner, 'org-1')).toBe(organizationPowers.all);
    expect(organizationPowersOf(actor({}), 'org-1')).toBe(organizationPowers.bit.belong);
    expect(organizationPowersOf(stranger, 'org-1')).toBe(0);
    expect(organizationPowersOf(owner, 'org-2')).toBe(0);
  });
});

describe('§5.4 workspaces', () => {
  test('each level holds the one before it', () => {
    const { read, plan, write, admin } = workspaceLevels;
    for (const [lower, higher] of [
      [read, plan],
      [plan, write],
      [write, admin],
    ] as const) {
      expect(higher & lower).toBe(lower);
      expect(higher).not.toBe(lower);
    }
    for (const power of ['own', 'manage-all'] as const) expect(workspacePowers.has(admin, power)).toBe(false);
  });

  const none = {
    runs: 'read',
    variables: 'none',
    'state-versions': 'none',
    'sentinel-mocks': 'none',
    'workspace-locking': false,
    'run-tasks': false,
    'policy-overrides': false,
  } as const;

  test('custom access gives what it says, and reading at least', () => {
    const { bit, of } = workspacePowers;
    expect(customWorkspacePowers(none)).toBe(bit.read);
    expect(customWorkspacePowers({ ...none, 'workspace-locking': true })).toBe(of('read', 'lock'));
    expect(customWorkspacePowers({ ...none, runs: 'apply', 'state-versions': 'write' })).toBe(
      of('read', 'plan', 'apply', 'read-state-outputs', 'read-state', 'write-state'),
    );
    const most = {
      runs: 'apply',
      variables: 'write',
      'state-versions': 'write',
      'sentinel-mocks': 'read',
      'workspace-locking': true,
      'run-tasks': true,
      'policy-overrides': true,
    } as const;
    for (const power of ['administer', 'delete', 'move', 'own'] as const)
      expect(workspacePowers.has(customWorkspacePowers(most), power)).toBe(false);
  });

  test('organization access gives reading or administration of all, nothing else gives any', () => {
    const powers = (of: Actor) => workspacePowersFromOrganization(of, 'org-1');
    expect(powers(owner)).toBe(workspacePowers.all);
    expect(powers(withKeys('read-workspaces'))).toBe(workspaceLevels.read);
    expect(powers(withKeys('manage-workspaces'))).toBe(workspaceLevels.admin | workspacePowers.bit['manage-all']);
    expect(powers(withKeys(...accessKeys.filter(key => !/workspaces/.test(key))))).toBe(0);
    expect(powers(actor({}))).toBe(0);
    expect(workspacePowers.has(powers(actor({ isOwner: true }, 'organization')), 'write-state')).toBe(false);
  });

  test('force delete is the owners’, and the admins’ where the organization says so', () => {
    const { admin, write } = workspaceLevels;
    expect(workspacePowers.has(withForceDelete(admin, false), 'own')).toBe(false);
    expect(workspacePowers.has(withForceDelete(admin, true), 'own')).toBe(true);
    expect(withForceDelete(write, true)).toBe(write);
    expect(withForceDelete(workspacePowers.none, true)).toBe(0);
  });

  test('§2.2 permissions say what the powers are: all of them for all, none for none', () => {
    expect(workspacePermissionNames).toHaveLength(21);
    expect(Object.values(workspacePermissions(workspacePowers.none)).some(Boolean)).toBe(false);
    expect(Object.values(workspacePermissions(workspacePowers.all)).every(Boolean)).toBe(true);
    const write = workspacePermissions(workspaceLevels.write);
    expect(write).toMatchObject({
      'can-lock': true,
      'can-unlock': true,
      'can-update': false,
      'can-force-unlock': false,
      'can-force-delete': false,
    });
  });
});

describe('projects', () => {
  const workspace = {
    runs: 'read',
    variables: 'none',
    'state-versions': 'none',
    'sentinel-mocks': 'none',
    'run-tasks': false,
    'policy-overrides': false,
    create: false,
    move: false,
    locking: false,
    delete: false,
  } as const;

  test('levels give the workspace levels of their names; maintain is admin that does not move', () => {
    expect(workspacePowersFromProject('read', workspace)).toBe(workspaceLevels.read);
    expect(workspacePowersFromProject('write', workspace)).toBe(workspaceLevels.write);
    expect(workspacePowersFromProject('admin', workspace)).toBe(workspaceLevels.admin);
    expect(workspacePowersFromProject('maintain', workspace)).toBe(workspaceLevels.admin & ~workspacePowers.bit.move);
    const custom = workspacePowersFromProject('custom', { ...workspace, locking: true, delete: true, move: true });
    expect(custom).toBe(workspacePowers.of('read', 'lock', 'delete', 'move'));
  });

  test('a record gives the project powers that it names', () => {
    const least = projectPowersFrom({ settings: 'read', teams: 'none', 'variable-sets': 'none' }, workspace);
    expect(least).toBe(projectPowers.bit.read);
    const most = projectPowersFrom(
      { settings: 'delete', teams: 'manage', 'variable-sets': 'write' },
      { ...workspace, create: true, move: true },
    );
    expect(most).toBe(projectPowers.all);
  });

  test('organization access gives all, creation or reading', () => {
    const powers = (of: Actor) => projectPowersFromOrganization(of, 'org-1');
    for (const of of [owner, withKeys('manage-projects')]) expect(powers(of)).toBe(projectPowers.all);
    expect(powers(withKeys('manage-workspaces'))).toBe(projectPowers.of('read', 'create-workspaces'));
    for (const key of ['read-projects', 'read-workspaces'] as const)
      expect(powers(withKeys(key))).toBe(projectPowers.bit.read);
    expect(powers(withKeys('manage-teams'))).toBe(0);
  });
});
