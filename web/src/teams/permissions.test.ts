import { expect, test } from 'vitest';
import { permissions } from '../texts/teams.ts';
import { changes, isImplied, switched } from './permissions.ts';

test('web: a switch brings what it needs, and takes with it what needs it', () => {
  const on = switched({}, 'manage-organization-access', true);
  expect(on).toEqual({ 'manage-organization-access': true, 'manage-teams': true, 'manage-membership': true });
  expect(switched(on, 'manage-membership', false)).toEqual({
    'manage-organization-access': false,
    'manage-teams': false,
    'manage-membership': false,
  });
});

test('web: what another switch includes is implied, and no longer when that is off', () => {
  const view = permissions.find(({ key }) => key === 'read-workspaces')!;
  expect(isImplied(view, { 'manage-workspaces': true })).toBe(true);
  expect(isImplied(view, { 'manage-workspaces': false })).toBe(false);
});

test('web: there are fourteen permissions, and only what differs is sent', () => {
  expect(permissions).toHaveLength(14);
  expect(changes({ 'read-projects': true }, { 'read-projects': true, 'manage-policies': true })).toEqual({
    'manage-policies': true,
  });
});
