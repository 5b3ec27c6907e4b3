/** Random organizations for property tests: projects, teams, workspaces, tags, and who has access to what. */
import fc from 'fast-check';
import {
  type AccessKey,
  organizationAccessOf,
  settleOrganizationAccess,
} from '../../src/access/organization-access.ts';
import { projectLevels } from '../../src/access/project-levels.ts';
import type { TestApp } from '../app.ts';
import { member, organization, type Person, serviceTokenOf, type TestOrganization, team } from '../builders/records.ts';
import { binding, project, projectAccess, tag, workspace, workspaceAccess } from '../builders/workspace.ts';

const tagNames = ['blue', 'green', 'red'] as const;
const values = ['', 'east', 'west'] as const;
const keys: readonly AccessKey[] = ['manage-workspaces', 'read-workspaces', 'manage-projects', 'read-projects'];

const index = fc.nat({ max: 999 });
const bindings = fc.dictionary(fc.constantFrom(...tagNames), fc.constantFrom(...values), { maxKeys: 2 });

const custom = fc.record({
  runs: fc.constantFrom('read', 'plan', 'apply'),
  variables: fc.constantFrom('none', 'read', 'write'),
  'state-versions': fc.constantFrom('none', 'read-outputs', 'read', 'write'),
  'workspace-locking': fc.boolean(),
});

/** Numbers stand for records: the n-th of their kind, counted round and round. */
export const permissionGraph = fc.record({
  projects: fc.array(bindings, { maxLength: 3 }),
  teams: fc.array(
    fc.record({
      visibility: fc.constantFrom('secret', 'organization'),
      keys: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray([...keys])),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  workspaces: fc.array(
    fc.record({
      name: fc.stringMatching(/^[ab_-]{1,3}$/),
      project: index,
      tags: fc.subarray([...tagNames], { maxLength: 2 }),
      bindings,
    }),
    { maxLength: 14 },
  ),
  workspaceAccess: fc.array(
    fc.record({
      team: index,
      workspace: index,
      access: fc.oneof(fc.constantFrom('read', 'plan', 'write', 'admin'), custom),
    }),
    { maxLength: 10 },
  ),
  projectAccess: fc.array(fc.record({ team: index, project: index, access: fc.constantFrom(...projectLevels) }), {
    maxLength: 3,
  }),
  /** The teams that each member is on. */
  members: fc.array(fc.array(index, { maxLength: 2 }), { minLength: 1, maxLength: 2 }),
});

export type PermissionGraph = typeof permissionGraph extends fc.Arbitrary<infer Value> ? Value : never;

export interface GraphCaller {
  token: string;
  /** Of a person. */
  userId?: string;
  isOwner: boolean;
  teamIds: string[];
}

export interface BuiltGraph {
  acme: TestOrganization;
  projectIds: string[];
  teams: { id: string; isVisible: boolean; readsAllWorkspaces: boolean }[];
  workspaces: { id: string; projectId: string }[];
  /** Access records: a team, and the workspace or project that it has access to. */
  grants: { teamId: string; to: string }[];
  /** The owner, a member without a team, a team's token and the members. */
  callers: GraphCaller[];
}

/** Makes the organization, each time a new one. */
export async function buildGraph(app: TestApp, graph: PermissionGraph): Promise<BuiltGraph> {
  const acme = await organization(app);
  const projectIds = [acme.projectId];
  for (const given of graph.projects) {
    const projectId = await project(app, acme);
    projectIds.push(projectId);
    for (const [key, value] of Object.entries(given)) await binding(app, acme, { projectId }, key, value);
  }
  const teams: BuiltGraph['teams'] = [];
  for (const { visibility, keys } of graph.teams) {
    const access = lawful(keys);
    const id = await team(app, acme, { visibility, access });
    teams.push({ id, isVisible: visibility === 'organization', readsAllWorkspaces: access['read-workspaces'] });
  }
  const teamIds = teams.map(({ id }) => id);
  const workspaces = await buildWorkspaces(app, acme, graph, projectIds);
  const grants = await giveAccess(app, graph, { teamIds, projectIds, workspaceIds: workspaces.map(({ id }) => id) });
  const callers: GraphCaller[] = [
    { token: acme.owner.token, userId: acme.owner.id, isOwner: true, teamIds: [acme.ownersTeamId] },
    asCaller(await member(app, acme), []),
    { token: await serviceTokenOf(app, acme, teamIds[0]!), isOwner: false, teamIds: [teamIds[0]!] },
  ];
  for (const numbers of graph.members) {
    const on = numbers.map(number => nth(teamIds, number));
    callers.push(asCaller(await member(app, acme, ...on), on));
  }
  return { acme, projectIds, teams, workspaces, grants, callers };
}

const asCaller = ({ id, token }: Person, teamIds: string[]): GraphCaller => ({
  token,
  userId: id,
  isOwner: false,
  teamIds,
});

const nth = (ids: readonly string[], number: number) => ids[number % ids.length]!;

/** Keys that the rules of §2.1 let stand together: what needs another key brings it along. */
function lawful(asked: readonly AccessKey[]) {
  const access = Object.fromEntries(asked.map(key => [key, true]));
  if (access['manage-projects']) access['manage-workspaces'] = true;
  if (access['read-projects']) access['read-workspaces'] = true;
  return organizationAccessOf(settleOrganizationAccess(access, 0, true).bits);
}

async function buildWorkspaces(
  app: TestApp,
  acme: TestOrganization,
  { workspaces }: PermissionGraph,
  projectIds: readonly string[],
): Promise<BuiltGraph['workspaces']> {
  const made: BuiltGraph['workspaces'] = [];
  for (const [position, given] of workspaces.entries()) {
    const name = `${given.name}${position}`;
    const projectId = nth(projectIds, given.project);
    const workspaceId = await workspace(app, acme, { name, project_id: projectId });
    made.push({ id: workspaceId, projectId });
    for (const name of given.tags) await tag(app, acme, workspaceId, name);
    for (const [key, value] of Object.entries(given.bindings)) await binding(app, acme, { workspaceId }, key, value);
  }
  return made;
}

/** The first record of each pair counts: a team has one record on a workspace or project. */
async function giveAccess(
  app: TestApp,
  graph: PermissionGraph,
  { teamIds, projectIds, workspaceIds }: Record<'teamIds' | 'projectIds' | 'workspaceIds', readonly string[]>,
): Promise<BuiltGraph['grants']> {
  const grants: BuiltGraph['grants'] = [];
  const isNew = (teamId: string, to: string) => {
    const isFirst = !grants.some(grant => grant.teamId === teamId && grant.to === to);
    if (isFirst) grants.push({ teamId, to });
    return isFirst;
  };
  for (const { team, workspace, access } of workspaceIds.length > 0 ? graph.workspaceAccess : []) {
    const pair = [nth(teamIds, team), nth(workspaceIds, workspace)] as const;
    if (isNew(...pair)) await workspaceAccess(app, ...pair, access as 'read');
  }
  for (const { team, project, access } of graph.projectAccess) {
    const pair = [nth(teamIds, team), nth(projectIds, project)] as const;
    if (isNew(...pair)) await projectAccess(app, ...pair, access);
  }
  return grants;
}
