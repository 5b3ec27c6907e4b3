/** What stands around the seeded workspaces: people, teams, projects, tags, and which team may do what with a project. */

import { derivedId } from '../../core/store/ids.ts';
import type { Sql } from '../../core/store/store.ts';
import { drawOrganizationAccess, drawProjectAccess } from './access.ts';
import { drawsFor } from './draws.ts';
import { idsByName, insertMissing, type SeedRow } from './insert.ts';
import { disciplines, environments, people, projectNames, tagNames } from './vocabulary.ts';

export interface Plan {
  organization: { id: string; name: string };
  /** The account that seeded records are made and locked by. */
  administratorId: string;
  seed: string;
  teams: number;
  workspaces: number;
}

/** The records that workspaces refer to, by what a plan draws: positions and names. */
export interface Surroundings {
  projectIds: readonly string[];
  /** By the team's position; undefined where somebody deleted it while this ran. */
  teamIds: readonly (string | undefined)[];
  tagIds: ReadonlyMap<string, string>;
}

/** How many rows were added, by table. */
export type Added = Record<string, number>;

/** Names the draws of one record of the seed. The organization is left out: a seed looks the same in all of them. */
export function recordName({ seed }: Plan, kind: string, position: number | string): string {
  return `${seed}/${kind}/${position}`;
}

/** Ids are unique in the whole database, so the organization has a say in them. */
export function seededId(plan: Plan, prefix: Parameters<typeof derivedId>[0], position: number | string): string {
  return derivedId(prefix, `${plan.organization.name}/${recordName(plan, prefix, position)}`);
}

export async function seedSurroundings(sql: Sql, plan: Plan): Promise<{ surroundings: Surroundings; added: Added }> {
  const organizationId = plan.organization.id;
  const teamNames = Array.from({ length: plan.teams }, (_, position) => teamName(plan, position));
  const added: Added = {
    projects: await insertMissing(
      sql,
      'projects',
      projectNames.map((name, position) => project(plan, name, position)),
    ),
    tags: await insertMissing(
      sql,
      'tags',
      tagNames.map(name => tag(plan, name)),
    ),
    teams: await insertMissing(
      sql,
      'teams',
      teamNames.map((name, position) => team(plan, name, position)),
    ),
  };
  const [projectIds, tagIds, teamIds] = [
    await idsByName(sql, 'projects', organizationId, projectNames),
    await idsByName(sql, 'tags', organizationId, tagNames),
    await idsByName(sql, 'teams', organizationId, teamNames),
  ];
  const surroundings: Surroundings = {
    projectIds: projectNames.map(name => projectIds.get(name)!),
    teamIds: teamNames.map(name => teamIds.get(name)),
    tagIds,
  };
  Object.assign(added, await seedPeople(sql, plan, surroundings));
  added['project_tag_bindings'] = await insertMissing(sql, 'project_tag_bindings', projectBindings(plan, surroundings));
  added['team_projects'] = await insertMissing(sql, 'team_projects', projectAccessRows(plan, surroundings));
  return { surroundings, added };
}

function project(plan: Plan, name: string, position: number): SeedRow {
  const draws = drawsFor(recordName(plan, 'project', position));
  return {
    id: seededId(plan, 'prj', position),
    organization_id: plan.organization.id,
    name,
    description: draws.chance(0.5) ? `Everything about ${name}` : null,
    auto_destroy_activity_duration: draws.chance(0.2) ? '14d' : null,
    overwrites_execution_mode: false,
    created_at: createdAt(position),
  };
}

function tag(plan: Plan, name: string): SeedRow {
  return { id: seededId(plan, 'tag', name), organization_id: plan.organization.id, name, created_at: createdAt(0) };
}

function teamName(plan: Plan, position: number): string {
  const draws = drawsFor(recordName(plan, 'team-name', position));
  return `${draws.pick(projectNames)}-${draws.pick(disciplines)}-${String(position + 1).padStart(3, '0')}`;
}

function team(plan: Plan, name: string, position: number): SeedRow {
  const draws = drawsFor(recordName(plan, 'team', position));
  return {
    id: seededId(plan, 'team', position),
    organization_id: plan.organization.id,
    name,
    visibility: draws.chance(0.4) ? 'organization' : 'secret',
    allow_member_token_management: draws.chance(0.8),
    is_owners: false,
    organization_access: drawOrganizationAccess(draws),
    created_at: createdAt(position),
  };
}

/** Twenty accounts without tokens, members of the organization and each of a few of the teams. */
async function seedPeople(sql: Sql, plan: Plan, { teamIds }: Surroundings): Promise<Added> {
  const organizationId = plan.organization.id;
  const users = people.map(name => ({
    id: seededId(plan, 'user', name),
    username: `${plan.organization.name}-${name}`,
    email: `${name}@${plan.organization.name}.example.com`.toLowerCase(),
    is_admin: false,
    is_service_account: false,
    created_at: createdAt(0),
  }));
  const addedUsers = await insertMissing(sql, 'users', users);
  const known = await sql<{ id: string }[]>`
    select users.id from users where users.id = any(${users.map(({ id }) => id)})`;
  const knownIds = new Set(known.map(({ id }) => id));
  const memberships = users
    .filter(({ id }) => knownIds.has(id))
    .map(({ id, email }) => ({
      id: seededId(plan, 'ou', id),
      organization_id: organizationId,
      user_id: id,
      status: 'active',
      email,
      created_at: createdAt(0),
    }));
  const addedMemberships = await insertMissing(sql, 'organization_memberships', memberships);
  const present = await sql<{ id: string }[]>`
    select organization_memberships.id from organization_memberships
    where organization_memberships.id = any(${memberships.map(({ id }) => id)})`;
  const membershipIds = new Set(present.map(({ id }) => id));
  const inTeams = teamIds.flatMap((teamId, position) => {
    const draws = drawsFor(recordName(plan, 'team-members', position));
    const members = draws.some(people, 6).map(name => seededId(plan, 'ou', seededId(plan, 'user', name)));
    return members
      .filter(id => teamId !== undefined && membershipIds.has(id))
      .map(id => ({ team_id: teamId, organization_membership_id: id }));
  });
  return {
    users: addedUsers,
    organization_memberships: addedMemberships,
    team_memberships: await insertMissing(sql, 'team_memberships', inTeams),
  };
}

/** Inherited by the workspaces that do not bind the key themselves. */
function projectBindings(plan: Plan, { projectIds }: Surroundings): SeedRow[] {
  return projectIds.flatMap((projectId, position) => {
    const draws = drawsFor(recordName(plan, 'project-bindings', position));
    const department = { key: 'department', value: draws.pick(disciplines) as string };
    const stage = { key: 'stage', value: draws.pick(environments) as string };
    return (draws.chance(0.5) ? [department, stage] : [department]).map(binding => ({
      id: seededId(plan, 'tb', `${position}/${binding.key}`),
      organization_id: plan.organization.id,
      project_id: projectId,
      ...binding,
      created_at: createdAt(position),
    }));
  });
}

function projectAccessRows(plan: Plan, { teamIds, projectIds }: Surroundings): SeedRow[] {
  return teamIds.flatMap((teamId, position) => {
    const draws = drawsFor(recordName(plan, 'team-projects', position));
    return draws.some(projectIds, 2).flatMap(projectId => {
      const access = drawProjectAccess(draws);
      if (teamId === undefined) return [];
      const id = seededId(plan, 'tprj', `${position}/${projectId}`);
      return [{ id, team_id: teamId, project_id: projectId, ...access, created_at: createdAt(position) }];
    });
  });
}

/** One record a minute from the first day of 2025 on: also times repeat themselves. */
export function createdAt(position: number): string {
  return new Date(Date.UTC(2025, 0, 1) + position * 60_000).toISOString();
}
