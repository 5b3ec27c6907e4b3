/**
 * §2.1, §5: who may do what, in one file that people can read: every level, every key and every action with its powers.
 * `UPDATE_GOLDEN=1` writes it anew.
 */
import { expect, test } from 'vitest';
import { expectGolden } from '../../test/nets/golden.ts';
import type { Actor, Standing } from '../core/access/actor.ts';
import type { Powers, PowerTable } from '../core/access/powers.ts';
import {
  accessKeys,
  meets,
  organizationAccessOf,
  organizationPowers,
  organizationPowersOf,
  settleOrganizationAccess,
} from './organization-access.ts';
import { agentPoolAccess, oauthAccess, reservedTagKeyAccess, runTaskAccess, sshKeyAccess } from './owned.ts';
import * as policies from './policy.ts';
import {
  projectAccessOf,
  projectLevels,
  projectPowers,
  projectPowersFrom,
  projectPowersFromOrganization,
  projectWorkspaceAccessOf,
  workspacePowersFromProject,
} from './project-levels.ts';
import {
  permissionPowers,
  type WorkspaceLevel,
  workspaceAccessOf,
  workspacePermissionNames,
  workspacePermissions,
  workspacePowers,
  workspacePowersFrom,
  workspacePowersFromOrganization,
} from './workspace-levels.ts';

// biome-ignore lint/suspicious/noExplicitAny: tables of every kind are printed alike.
type AnyTable = PowerTable<any, any>;
interface AnyOwned {
  powersIn: (actor: Actor, organizationId: string) => Powers;
  organizationsOf: (actor: Actor) => string[];
}

const names = (table: AnyTable, powers: Powers): string =>
  table.names.filter(name => table.has(powers, name)).join(', ') || 'nothing';
const section = (title: string, lines: readonly string[]): string =>
  `${title}\n${lines.map(one => `  ${one}\n`).join('')}`;
const details = (access: object): string =>
  Object.entries(access)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

const actor = (standing: Partial<Standing>, kind: Actor['kind'] = 'user') =>
  ({
    kind,
    standings: new Map([['org-1', { isMember: true, isOwner: false, organizationAccess: 0, ...standing }]]),
  }) as unknown as Actor;

const callers: Record<string, Actor> = {
  'a stranger': { kind: 'user', standings: new Map() } as unknown as Actor,
  'a member': actor({}),
  'an owner': actor({ isOwner: true }),
  'a token of the owners team': actor({ isOwner: true }, 'team'),
  'the organization token': actor({ isOwner: true }, 'organization'),
  ...Object.fromEntries(
    accessKeys.map(key => [`a member with ${key}`, actor({ organizationAccess: organizationPowers.of(key) })]),
  ),
};

/** Actions are of the kind that stands before the colon, or of what that belongs to. */
const tables: Record<string, AnyTable> = {
  site: policies.sitePowers,
  session: policies.sessionPowers,
  'sign-in-provider': policies.signInProviderPowers,
  user: policies.userPowers,
  token: policies.tokenPowers,
  'team-access': policies.teamAccessPowers,
  'engine-version': policies.engineVersionPowers,
  organization: organizationPowers,
  membership: policies.membershipPowers,
  'agent-pool': policies.agentPoolPowers,
  'run-task': policies.runTaskPowers,
  'task-result': policies.taskResultPowers,
  tag: policies.tagPowers,
  'reserved-tag-key': policies.reservedTagKeyPowers,
  'ssh-key': policies.sshKeyPowers,
  'oauth-client': policies.oauthPowers,
  'variable-set': policies.variableSetPowers,
  team: policies.teamPowers,
  'notification-configuration': policies.notificationPowers,
  run: policies.runPowers,
  project: projectPowers,
  workspace: workspacePowers,
  'run-trigger': workspacePowers,
  'configuration-version': workspacePowers,
};

function printedPolicy(): string[] {
  return policies.actions.map(action => {
    const table = tables[action.split(':')[0]!]!;
    const { anyOf, refusal } = policies.policy[action];
    const instead = refusal ? `; who has ${names(table, refusal.toThoseWith)} reads ${refusal.name}` : '';
    return `${action}: ${names(table, anyOf)}${instead}`;
  });
}

/** A custom record that differs from the least in one detail: what that detail gives. */
function printedDetails(): string[] {
  const { custom: least, admin: most } = workspaceAccessOf;
  const values: Record<string, readonly unknown[]> = {
    runs: ['read', 'plan', 'apply'],
    variables: ['none', 'read', 'write'],
    'state-versions': ['none', 'read-outputs', 'read', 'write'],
    'sentinel-mocks': ['none', 'read'],
    'workspace-locking': [false, true],
    'run-tasks': [false, true],
    'policy-overrides': [false, true],
  };
  expect(Object.keys(values)).toEqual(Object.keys(most));
  return Object.entries(values).flatMap(([name, all]) =>
    all.map(value => {
      const powers = workspacePowersFrom('custom', { ...least, [name]: value });
      return `${name} ${value}: ${names(workspacePowers, powers)}`;
    }),
  );
}

function printedProjectDetails(): string[] {
  const [project, workspace] = [projectAccessOf.custom, projectWorkspaceAccessOf.custom];
  const given = (name: string, value: unknown) => {
    const [own, other] = [
      { ...project, ...(name in project && { [name]: value }) },
      { ...workspace, ...(name in workspace && { [name]: value }) },
    ];
    const onWorkspaces = workspacePowersFromProject('custom', other);
    return `${name} ${value}: ${names(projectPowers, projectPowersFrom(own, other))}; on workspaces ${names(workspacePowers, onWorkspaces)}`;
  };
  const words: Record<string, readonly unknown[]> = {
    settings: ['read', 'update', 'delete'],
    teams: ['none', 'read', 'manage'],
    'variable-sets': ['none', 'read', 'write'],
    ...Object.fromEntries(['create', 'move', 'locking', 'delete'].map(name => [name, [true]])),
  };
  return Object.entries(words).flatMap(([name, values]) => values.map(value => given(name, value)));
}

/** What the keys become that a team is made with, or is changed to from none. */
function printedKeys(): string[] {
  return accessKeys.flatMap(key =>
    [true, false].map(isCreate => {
      const { bits, conflicts } = settleOrganizationAccess({ [key]: true }, 0, isCreate);
      const needs = conflicts.map(one => `${one.key} needs ${one.needs.join(' or ')}`).join(', ') || 'no fault';
      return `${key} ${isCreate ? 'at creation' : 'later'}: ${names(organizationPowers, organizationPowers.from(bits))}; ${needs}`;
    }),
  );
}

function printedCallers(): string[] {
  const owned: Record<string, { access: AnyOwned; table: AnyTable }> = {
    'agent pools': { access: agentPoolAccess, table: policies.agentPoolPowers },
    connections: { access: oauthAccess, table: policies.oauthPowers },
    'reserved tag keys': { access: reservedTagKeyAccess, table: policies.reservedTagKeyPowers },
    'run tasks': { access: runTaskAccess, table: policies.runTaskPowers },
    'SSH keys': { access: sshKeyAccess, table: policies.sshKeyPowers },
  };
  return Object.entries(callers).flatMap(([who, one]) => {
    const of = Object.entries(owned).map(
      ([name, { access, table }]) =>
        `${name}: ${names(table, access.powersIn(one, 'org-1'))}${access.organizationsOf(one).length > 0 ? '' : ', in no organization'}`,
    );
    return [
      `${who}: ${names(organizationPowers, organizationPowersOf(one, 'org-1'))}`,
      `  on workspaces: ${names(workspacePowers, workspacePowersFromOrganization(one, 'org-1'))}`,
      `  on projects: ${names(projectPowers, projectPowersFromOrganization(one, 'org-1'))}`,
      ...of.map(line => `  on ${line}`),
    ];
  });
}

test('§2.1, §5 who may do what is the golden file', () => {
  const workspaceLevelNames = Object.keys(workspaceAccessOf) as (WorkspaceLevel | 'custom')[];
  const text = [
    section('Actions, and the powers of which one is enough', printedPolicy()),
    section(
      'Levels on a workspace',
      workspaceLevelNames.flatMap(level => [
        `${level}: ${details(workspaceAccessOf[level])}`,
        `  ${names(workspacePowers, workspacePowersFrom(level, workspaceAccessOf[level]))}`,
      ]),
    ),
    section('A custom record on a workspace, by one detail', printedDetails()),
    section(
      'Levels on a project',
      projectLevels.flatMap(level => {
        const [own, other] = [projectAccessOf[level], projectWorkspaceAccessOf[level]];
        return [
          `${level}: ${details(own)}; on workspaces ${details(other)}`,
          `  ${names(projectPowers, projectPowersFrom(own, other))}`,
          `  on workspaces ${names(workspacePowers, workspacePowersFromProject(level, other))}`,
        ];
      }),
    ),
    section('A custom record on a project, by one detail', printedProjectDetails()),
    section(
      'Permissions of a workspace, and the powers of which each takes one',
      workspacePermissionNames.map(permission => {
        const giving = workspacePowers.names.filter(
          name => workspacePermissions(workspacePowers.bit[name])[permission],
        );
        return `${permission}: ${giving.join(', ')}`;
      }),
    ),
    section('Keys of organization access', printedKeys()),
    section('What organization access gives', printedCallers()),
  ].join('\n');
  expectGolden(new URL('printed.golden.txt', import.meta.url), text);
});

test('§2.2 a permission is given by one power, and the keys of a team are all shown', () => {
  expect(Object.keys(permissionPowers)).toEqual(workspacePermissionNames);
  expect(Object.keys(organizationAccessOf(0))).toEqual([...accessKeys]);
  expect(organizationAccessOf(organizationPowers.all)).toEqual(Object.fromEntries(accessKeys.map(key => [key, true])));
  // One of the three is enough, whichever it is.
  for (const key of ['manage-membership', 'manage-teams', 'manage-organization-access'] as const) {
    const { conflicts } = settleOrganizationAccess({ 'access-secret-teams': true, [key]: true }, 0, true);
    expect(conflicts.map(one => one.key)).not.toContain('access-secret-teams');
  }
  expect(meets(callers['an owner']!, 'org-1', policies.policy['organization:delete'])).toBe(true);
  expect(meets(callers['a member']!, 'org-1', policies.policy['organization:delete'])).toBe(false);
});
