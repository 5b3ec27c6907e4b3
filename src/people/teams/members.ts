/** Who is on a team (§2.1): people by username or user id, and memberships of the organization, invited ones included. */
import { policy } from '../../access/policy.ts';
import { ApiError, type Fault, faultAt } from '../../core/errors.ts';
import { identifiersBody } from '../../core/jsonapi/body.ts';
import { type Context, endpoint } from '../../core/jsonapi/endpoint.ts';
import { limits } from '../../core/limits.ts';
import type { Sql } from '../../core/store/store.ts';
import { membershipsOnTooManyTeams, tooManyTeams } from '../../organizations/crowds.ts';
import { type Team, teamById } from './team.ts';

type Change = 'add' | 'remove';
type Naming = 'users' | 'organization-memberships';

export const addUsers = membersEndpoint('add', 'users', 'Add people to a team');
export const removeUsers = membersEndpoint('remove', 'users', 'Remove people from a team');
export const addMemberships = membersEndpoint('add', 'organization-memberships', 'Add memberships to a team');
export const removeMemberships = membersEndpoint(
  'remove',
  'organization-memberships',
  'Remove memberships from a team',
);

/** All four are one story: everyone named is looked up and judged, and then all of them change or none. */
function membersEndpoint(change: Change, naming: Naming, summary: string) {
  return endpoint({
    operation: `teams.${change}-${naming}`,
    section: '§1',
    summary,
    method: change === 'add' ? 'POST' : 'DELETE',
    paths: [`/teams/:team_id/relationships/${naming}`],
    subject: teamById,
    needs: policy['team:manage-members'],
    body: identifiersBody(naming),
    answer: { status: 204 },
    errors: change === 'add' ? ['member-unknown'] : ['member-unknown', 'last-owner'],
    check: async context => judged(context, change, naming),
    handle: async ({ sql, subject, note }, members) => {
      const ids = members.map(member => member.membership_id);
      if (change === 'add') await add(sql, subject.id, members);
      else await remove(sql, subject, ids);
      note({ [change === 'add' ? 'added' : 'removed']: members.map(({ user_id }) => user_id) });
    },
  });
}

/** Someone of the organization, as the lists of a request name them. */
export interface Candidate {
  membership_id: string;
  user_id: string;
  username: string | null;
  status: string;
  is_on_team: boolean;
}

/** Every fault of a list of members is 400, those of its form too: that is what clients know. */
async function judged(context: Context<Team, string[]>, change: Change, naming: Naming): Promise<Candidate[]> {
  const { sql, subject, body: ids, faults } = context;
  faults.forEach((fault, position) => {
    faults[position] = { ...fault, name: 'member-unknown' };
  });
  const candidates = await candidatesFor(sql, subject, ids);
  const { members, faults: found } = judge(ids, candidates, change, naming);
  faults.push(...found);
  return members;
}

/** Pure: what the list names, each once, and what is wrong with each entry of it. */
export function judge(
  ids: readonly string[],
  candidates: readonly Candidate[],
  change: Change,
  naming: Naming,
): { members: Candidate[]; faults: Fault[] } {
  const members = new Map<string, Candidate>();
  const named = candidatesByName(candidates, naming);
  const faults: Fault[] = [];
  ids.forEach((id, position) => {
    const found = named(id);
    const reason = objection(id, found, change, naming);
    if (reason) faults.push(faultAt('member-unknown', `/data/${position}/id`, { reason }));
    else members.set(found!.membership_id, found!);
  });
  return { members: [...members.values()], faults };
}

/** A user's id goes before someone else's username of the same letters. */
function candidatesByName(candidates: readonly Candidate[], naming: Naming): (id: string) => Candidate | undefined {
  if (naming === 'organization-memberships') {
    const byMembership = new Map(candidates.map(one => [one.membership_id, one]));
    return id => byMembership.get(id);
  }
  const byId = new Map(candidates.map(one => [one.user_id, one]));
  const byUsername = new Map(candidates.map(one => [one.username, one]));
  return id => byId.get(id) ?? byUsername.get(id);
}

/** An unknown user and a user of another organization read the same: nobody learns who has an account here. */
function objection(id: string, found: Candidate | undefined, change: Change, naming: Naming): string | null {
  if (!found) {
    const what = naming === 'users' ? 'User' : 'Organization membership';
    return `${what} "${id}" does not exist in this organization.`;
  }
  if (naming === 'users' && found.status !== 'active') {
    return `User "${id}" was invited to this organization and is not an active member yet.`;
  }
  if (change === 'add' && found.is_on_team) return `"${id}" is already a member of the team.`;
  if (change === 'remove' && !found.is_on_team) return `"${id}" is not a member of the team.`;
  return null;
}

/** The memberships are held, so that nobody leaves the organization, or comes on further teams, before the change. */
async function candidatesFor(sql: Sql, team: Team, ids: readonly string[]): Promise<Candidate[]> {
  if (ids.length === 0) return [];
  const named = ids as string[];
  return sql<Candidate[]>`
    select
      organization_memberships.id as membership_id, users.id as user_id, users.username,
      organization_memberships.status,
      exists (
        select from team_memberships
        where team_memberships.team_id = ${team.id}
          and team_memberships.organization_membership_id = organization_memberships.id
      ) as is_on_team
    from organization_memberships
    join users on users.id = organization_memberships.user_id
    where organization_memberships.organization_id = ${team.organization_id}
      and (organization_memberships.id = any(${named}) or users.id = any(${named}) or users.username = any(${named}))
    order by organization_memberships.id
    for no key update of organization_memberships`;
}

async function add(sql: Sql, teamId: string, members: readonly Candidate[]): Promise<void> {
  const ids = members.map(({ membership_id }) => membership_id);
  await sql`
    insert into team_memberships (team_id, organization_membership_id)
    select ${teamId}, organization_memberships.id from organization_memberships
    where organization_memberships.id = any(${ids})`;
  const crowded = await membershipsOnTooManyTeams(sql, ids);
  if (crowded.size === 0) return;
  const names = members.filter(one => crowded.has(one.membership_id)).map(one => one.username ?? one.membership_id);
  const reason = `${names.slice(0, limits.faults_items.value).join(', ')}: ${tooManyTeams}`;
  throw new ApiError('member-unknown', { reason }, { pointer: '/data' });
}

async function remove(sql: Sql, team: Team, membershipIds: string[]): Promise<void> {
  await sql`
    delete from team_memberships
    where team_memberships.team_id = ${team.id}
      and team_memberships.organization_membership_id = any(${membershipIds})`;
  if (team.is_owners && membershipIds.length > 0) await requireAnOwner(sql, team.id);
}

/** Asked after a removal, in a statement that sees what was committed while this one waited for the team's row. */
async function requireAnOwner(sql: Sql, ownersTeamId: string): Promise<void> {
  const owners = await sql`
    select from team_memberships
    join organization_memberships on organization_memberships.id = team_memberships.organization_membership_id
    where team_memberships.team_id = ${ownersTeamId} and organization_memberships.status = 'active'
    limit 1`;
  if (owners.length === 0) throw new ApiError('last-owner');
}
