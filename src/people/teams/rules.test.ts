import { describe, expect, test } from 'vitest';
import { organizationAccessBits, organizationAccessOf } from '../../access/organization-access.ts';
import type { Deployment } from '../../core/jsonapi/fields.ts';
import { nameFaults, settleAccess, settleSsoTeamId } from './rules.ts';

const deployment = (profile: Deployment['profile']): Deployment => ({
  edition: 'self-hosted',
  release: '202611-1',
  profile,
  publicUrl: '',
  sign: () => '',
  unseal: () => '',
});

describe('names', () => {
  test.each([
    ['platform', true, true],
    ['Plat_form-2', true, true],
    ['foo bar', false, true],
    ['team/name/with/slashes', false, true],
    ['équipe', false, true],
    [' padded', false, false],
    ['padded ', false, false],
    ['tab\tin', false, false],
    ['', false, false],
    ['a'.repeat(90), true, true],
    ['a'.repeat(91), false, true],
    ['a'.repeat(256), false, false],
  ])('§2.1 %j: documented %s, vendor %s', (name, documented, vendor) => {
    expect(nameFaults(name, deployment('documented')).length === 0).toBe(documented);
    expect(nameFaults(name, deployment('vendor')).length === 0).toBe(vendor);
  });

  test('§4.1 a name that is not given has no fault', () => {
    expect(nameFaults(undefined, deployment('documented'))).toEqual([]);
  });

  test.each(['documented', 'vendor'] as const)('§2.1 a blank name is called blank, %s', profile => {
    for (const name of ['', ' ', '\t'])
      expect(nameFaults(name, deployment(profile))).toMatchObject([{ values: { reason: "Name can't be blank" } }]);
  });
});

describe('organization access', () => {
  const settled = (given: Parameters<typeof settleAccess>[0], before = {}) => {
    const { bits, faults } = settleAccess(given, organizationAccessBits(before));
    const pointers = faults.map(({ source }) => (source as { pointer: string }).pointer.split('/').at(-1));
    return { access: organizationAccessOf(bits), pointers };
  };

  test('§2.1 in an update, reading follows from managing where managing is sent', () => {
    const before = { 'manage-workspaces': true, 'read-workspaces': true };
    expect(settled({ 'read-workspaces': false }, before).access['read-workspaces']).toBe(false);
    expect(settled({ 'manage-workspaces': true }, {}).access['read-workspaces']).toBe(true);
  });

  test('§2.1 rules 1 and 2 hold for the set that would result, and point at a key that was sent', () => {
    expect(settled({ 'manage-projects': true }).pointers).toEqual(['manage-projects']);
    const before = { 'manage-workspaces': true, 'manage-projects': true };
    expect(settled({ 'manage-workspaces': false }, before).pointers).toEqual(['manage-workspaces']);
    expect(settled({ 'manage-projects': true }, { 'manage-workspaces': true }).pointers).toEqual([]);
    expect(settled({ 'read-workspaces': false }, { 'read-workspaces': true, 'read-projects': true }).pointers).toEqual([
      'read-workspaces',
    ]);
  });

  test('§2.1 a fault of what was there before points at the whole, and a body without keys has none', () => {
    const before = organizationAccessBits({ 'manage-projects': true });
    expect(settleAccess(undefined, before)).toEqual({ bits: before, faults: [] });
    const { faults } = settleAccess({ 'manage-policies': true }, before);
    expect(faults).toMatchObject([{ source: { pointer: '/data/attributes/organization-access' } }]);
  });

  test('§2.1 rule 3: manage-workspaces brings read-workspaces, manage-projects brings read-projects', () => {
    expect(settled({ 'manage-workspaces': true, 'manage-projects': true }).access).toMatchObject({
      'read-workspaces': true,
      'read-projects': true,
    });
  });

  test('§2.1 what is not named keeps its value', () => {
    expect(settled({ 'manage-modules': true }, { 'manage-policies': true }).access).toMatchObject({
      'manage-modules': true,
      'manage-policies': true,
    });
  });

  test('§2.1 the keys that manage teams build on each other, and every break is told', () => {
    const given = { 'manage-teams': true, 'manage-organization-access': true };
    expect(settled(given).pointers).toEqual(['manage-teams']);
    expect(settled({ 'manage-organization-access': true, 'access-secret-teams': true }).pointers).toEqual([
      'manage-organization-access',
    ]);
    expect(settled({ 'access-secret-teams': true, 'read-projects': true }).pointers).toEqual([
      'read-projects',
      'access-secret-teams',
    ]);
    expect(settled({ 'manage-membership': true, ...given }).pointers).toEqual([]);
  });
});

test('§2.1 null and an empty string clear sso-team-id; what is not given stays', () => {
  expect([null, '', undefined, 'group'].map(settleSsoTeamId)).toEqual([null, null, undefined, 'group']);
});
