/** Ordinary members of the measured organization: what most people see is a part, through the teams that they are on. */
import { customWorkspacePowers } from '../src/access/workspace-levels.ts';
import { derivedId } from '../src/core/store/ids.ts';
import type { Sql, Store } from '../src/core/store/store.ts';
import { tokenHash } from '../src/people/tokens/secret.ts';

export interface Member {
  name: string;
  token: string;
}

interface Part {
  name: string;
  teams: number;
  /** Of the workspaces of the organization, how many in a thousand its teams have been given one by one. */
  perMille: number;
  /** The largest projects, given whole to one of the teams each. */
  projects: number;
}

/** Of 200,000 workspaces two see 500 and two about 70,000: by grants on workspaces, or on projects, or both. */
const parts: readonly Part[] = [
  { name: 'member, few by 2 teams', teams: 2, perMille: 2.5, projects: 0 },
  { name: 'member, few by 40 teams', teams: 40, perMille: 2.5, projects: 0 },
  { name: 'member, many by 2 teams', teams: 2, perMille: 20, projects: 4 },
  { name: 'member, many by 40 teams', teams: 40, perMille: 300, projects: 1 },
];

const perTenThousand = 10;

/** Makes them where they are missing; the same database gets the same ones. */
export async function addMembers(store: Store, organizationId: string, pepper: string): Promise<Member[]> {
  const members: Member[] = [];
  for (const part of parts) members.push(await store.transaction(sql => addMember(sql, organizationId, pepper, part)));
  return members;
}

async function addMember(sql: Sql, organizationId: string, pepper: string, part: Part): Promise<Member> {
  const { name } = part;
  const id = (prefix: Parameters<typeof derivedId>[0], position = 0) =>
    derivedId(prefix, `${organizationId}/${name}/${position}`);
  const member = { name, token: `a-token-of-the-${name.replaceAll(/\W+/g, '-')}` };
  const added = await sql`
    insert into users (id, username, email)
    values (${id('user')}, ${id('user')}, ${`${id('user')}@example.com`}) on conflict do nothing`;
  if (added.count === 0) return member;
  await sql`
    insert into tokens (id, kind, user_id, hash, created_by_type, created_by_id)
    values (${id('at')}, 'user', ${id('user')}, ${tokenHash(pepper, member.token)}, 'users', ${id('user')})`;
  await sql`
    insert into organization_memberships (id, organization_id, user_id, status, email)
    values (${id('ou')}, ${organizationId}, ${id('user')}, 'active', ${`${id('user')}@example.com`})`;
  for (let position = 0; position < part.teams; position += 1) {
    const teamId = id('team', position);
    await sql`
      insert into teams (id, organization_id, name) values (${teamId}, ${organizationId}, ${`${name} ${position}`})`;
    await sql`
      insert into team_memberships (team_id, organization_membership_id) values (${teamId}, ${id('ou')})`;
    await grantWorkspaces(sql, organizationId, teamId, part, position);
  }
  await grantProjects(sql, organizationId, id('team'), part.projects);
  return member;
}

/** Drawn by the digest of the id, for each team from its own part of it. */
async function grantWorkspaces(sql: Sql, organizationId: string, teamId: string, part: Part, position: number) {
  const share = Math.round((part.perMille * perTenThousand) / part.teams);
  const access = { runs: 'plan', variables: 'read', 'state-versions': 'read', 'sentinel-mocks': 'none' } as const;
  const powers = customWorkspacePowers({
    ...access,
    'workspace-locking': true,
    'run-tasks': false,
    'policy-overrides': false,
  });
  await sql`
    insert into team_workspaces (id, team_id, workspace_id, access, runs, variables, state_versions, sentinel_mocks,
      workspace_locking, run_tasks, policy_overrides, powers)
    select 'tws-' || substr(md5(${teamId}::text || workspaces.id), 1, 16), ${teamId}, workspaces.id, 'custom', 'plan', 'read',
      'read', 'none', true, false, false, ${powers}::integer
    from workspaces
    where workspaces.organization_id = ${organizationId}
      and (abs(hashtext(workspaces.id)::bigint) + ${position * share}::bigint) % 10000 < ${share}::bigint`;
}

async function grantProjects(sql: Sql, organizationId: string, teamId: string, count: number) {
  await sql`
    insert into team_projects (id, team_id, project_id, access, project_access, workspace_access, powers, workspace_powers)
    select 'tprj-' || substr(md5(${teamId}::text || projects.id), 1, 16), ${teamId}, projects.id, templates.access,
      templates.project_access, templates.workspace_access, templates.powers, templates.workspace_powers
    from projects
    cross join (
      select team_projects.* from team_projects order by team_projects.access desc, team_projects.id limit 1
    ) as templates
    where projects.organization_id = ${organizationId}
    order by (
      select coalesce(sum(counts.workspaces), 0) from project_workspace_counts as counts
      where counts.project_id = projects.id
    ) desc, projects.id
    limit ${count}::integer`;
}
