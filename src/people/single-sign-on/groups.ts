/**
 * At each sign-in the teams whose `sso-team-id` is among somebody's groups get the person, and those that were given so before
 * and are not any more lose it. What people gave by hand is never touched, and nobody is the last owner to go.
 */
import type { Actor } from '../../core/access/actor.ts';
import { limits } from '../../core/limits.ts';
import type { SignInProvider } from '../../core/sign-in-provider.ts';
import { newId } from '../../core/store/ids.ts';
import type { Sql } from '../../core/store/store.ts';
import { recordEvent } from '../../organizations/audit/record.ts';
import { keepWithin, membershipsOnTooManyTeams } from '../../organizations/crowds.ts';
import type { Account } from './account.ts';
import type { Profile } from './profile.ts';
import { SignInRefusal } from './refusal.ts';

export interface MappedTeam {
  team_id: string;
  organization_id: string;
  is_owners: boolean;
}

/** Pure: which teams are joined and which are left, of those that the groups name and those that they gave before. */
export function difference(named: readonly MappedTeam[], given: readonly MappedTeam[]) {
  const [wanted, present] = [new Set(named.map(idOf)), new Set(given.map(idOf))];
  return {
    joined: named.filter(team => !present.has(idOf(team))),
    left: given.filter(team => !wanted.has(idOf(team))),
  };
}

const idOf = ({ team_id }: MappedTeam) => team_id;

export interface Origin {
  actor: Actor;
  requestId: string;
  remoteAddress: string;
}

/** Nothing happens where the provider could not say the groups. Throws SignInRefusal where they are too many. */
export async function followGroups(
  sql: Sql,
  provider: SignInProvider,
  { issuer, groups }: Profile,
  account: Account,
  origin: Origin,
): Promise<void> {
  if (groups === null) return;
  const { joined, left } = difference(
    await teamsOf(sql, groups, provider.organizations),
    await teamsGivenBy(sql, issuer, account.id),
  );
  if (joined.length === 0 && left.length === 0) return;
  const changes = new Changes();
  await join(sql, issuer, account, joined, changes);
  await leave(sql, issuer, account.id, left, changes);
  for (const [organizationId, { membershipId, ...notes }] of changes.byOrganization) {
    await recordEvent(sql, {
      operation: 'organization-memberships.map-groups',
      actor: origin.actor,
      subject: { id: membershipId, organization_id: organizationId, email: account.email },
      result: null,
      notes: { provider: provider.name, ...notes },
      requestId: origin.requestId,
      remoteAddress: origin.remoteAddress,
    });
  }
}

/** What came of it, for the audit of each organization. */
class Changes {
  readonly byOrganization = new Map<
    string,
    { membershipId: string; joined: string[]; left: string[]; kept: string[] }
  >();
  add(what: 'joined' | 'left' | 'kept', organizationId: string, membershipId: string, teamId: string): void {
    const known = this.byOrganization.get(organizationId) ?? { membershipId, joined: [], left: [], kept: [] };
    known[what].push(teamId);
    this.byOrganization.set(organizationId, known);
  }
}

/** The teams are held, so that none of them is gone, or means another group, before the change. */
function teamsOf(sql: Sql, groups: readonly string[], organizations: readonly string[]): Promise<MappedTeam[]> {
  const isOpen = organizations.length === 0;
  return sql<MappedTeam[]>`
    select teams.id as team_id, teams.organization_id, teams.is_owners from teams
    join organizations on organizations.id = teams.organization_id
    where (
        teams.sso_team_id = any(${groups as string[]})
        or (teams.is_owners and organizations.owners_team_saml_role_id = any(${groups as string[]}))
      )
      and (${isOpen}::boolean or organizations.name = any(${organizations as string[]}))
    order by teams.id
    limit ${limits.mappedTeams_items.value}
    for key share of teams`;
}

function teamsGivenBy(sql: Sql, issuer: string, userId: string): Promise<MappedTeam[]> {
  return sql<MappedTeam[]>`
    select teams.id as team_id, teams.organization_id, teams.is_owners from team_memberships
    join organization_memberships on organization_memberships.id = team_memberships.organization_membership_id
    join teams on teams.id = team_memberships.team_id
    where organization_memberships.user_id = ${userId} and team_memberships.mapped_by = ${issuer}
    order by teams.id`;
}

async function join(
  sql: Sql,
  issuer: string,
  account: Account,
  teams: readonly MappedTeam[],
  changes: Changes,
): Promise<void> {
  if (teams.length === 0) return;
  const organizationIds = [...new Set(teams.map(team => team.organization_id))].sort();
  await becomeMember(sql, issuer, account, organizationIds);
  const teamIds = teams.map(idOf);
  const added = await sql<{ team_id: string; organization_id: string; membership_id: string }[]>`
    insert into team_memberships (team_id, organization_membership_id, mapped_by)
    select teams.id, organization_memberships.id, ${issuer} from teams
    join organization_memberships on organization_memberships.organization_id = teams.organization_id
    where teams.id = any(${teamIds}) and organization_memberships.user_id = ${account.id}
    on conflict do nothing
    returning team_memberships.team_id, team_memberships.organization_membership_id as membership_id, (
      select teams.organization_id from teams where teams.id = team_memberships.team_id
    ) as organization_id`;
  for (const one of added) changes.add('joined', one.organization_id, one.membership_id, one.team_id);
  const crowded = await membershipsOnTooManyTeams(sql, [...new Set(added.map(one => one.membership_id))]);
  if (crowded.size > 0) throw new SignInRefusal('site-refused', 'The groups give more teams than anybody may be on.');
}

/** Of each of the organizations; who was invited is a member by this, as the provider speaks for its people. */
async function becomeMember(
  sql: Sql,
  issuer: string,
  { id, email }: Account,
  organizationIds: string[],
): Promise<void> {
  await sql`
    select organizations.id from organizations where organizations.id = any(${organizationIds})
    order by organizations.id for no key update`;
  const ids = organizationIds.map(() => newId('ou'));
  const made = await sql<{ organization_id: string }[]>`
    insert into organization_memberships (id, organization_id, user_id, status, email, mapped_by)
    select given.id, organizations.id, ${id}, 'active', ${email}, ${issuer}
    from unnest(${ids}::text[], ${organizationIds}::text[]) as given (id, organization_id)
    join organizations on organizations.id = given.organization_id
    on conflict (organization_id, user_id) do update set status = 'active'
    where organization_memberships.status <> 'active'
    returning organization_memberships.organization_id`;
  for (const one of made) await keepWithin(sql, one.organization_id, 'memberships');
}

/** A membership that the groups made ends with the last team of it. */
async function leave(
  sql: Sql,
  issuer: string,
  userId: string,
  teams: readonly MappedTeam[],
  changes: Changes,
): Promise<void> {
  if (teams.length === 0) return;
  const kept = await ownerlessWithout(sql, userId, teams);
  const leaving = teams.map(idOf).filter(id => !kept.has(id));
  const removed = await sql<{ team_id: string; organization_id: string; membership_id: string }[]>`
    delete from team_memberships using organization_memberships
    where organization_memberships.id = team_memberships.organization_membership_id
      and organization_memberships.user_id = ${userId}
      and team_memberships.mapped_by = ${issuer} and team_memberships.team_id = any(${leaving})
    returning team_memberships.team_id, organization_memberships.id as membership_id,
      organization_memberships.organization_id`;
  for (const one of removed) changes.add('left', one.organization_id, one.membership_id, one.team_id);
  for (const [teamId, { organization_id, membership_id }] of kept) {
    changes.add('kept', organization_id, membership_id, teamId);
  }
  await sql`
    delete from organization_memberships
    where organization_memberships.user_id = ${userId} and organization_memberships.mapped_by = ${issuer}
      and organization_memberships.id = any(${[...new Set(removed.map(one => one.membership_id))]})
      and not exists (
        select from team_memberships
        where team_memberships.organization_membership_id = organization_memberships.id
      )`;
}

/** Owners teams that nobody active would be left on. They are held, so that two owners who go at once queue for it. */
async function ownerlessWithout(sql: Sql, userId: string, teams: readonly MappedTeam[]) {
  const kept = new Map<string, { organization_id: string; membership_id: string }>();
  const owners = teams.filter(team => team.is_owners);
  if (owners.length === 0) return kept;
  const ids = owners.map(idOf);
  await sql`select teams.id from teams where teams.id = any(${ids}) order by teams.id for update`;
  const alone = await sql<{ team_id: string; organization_id: string; membership_id: string }[]>`
    select team_memberships.team_id, own.organization_id, own.id as membership_id from team_memberships
    join organization_memberships as own on own.id = team_memberships.organization_membership_id
    where team_memberships.team_id = any(${ids}) and own.user_id = ${userId}
      and not exists (
        select from team_memberships as others
        join organization_memberships on organization_memberships.id = others.organization_membership_id
        where others.team_id = team_memberships.team_id and organization_memberships.user_id <> ${userId}
          and organization_memberships.status = 'active'
      )`;
  for (const { team_id, ...rest } of alone) kept.set(team_id, rest);
  return kept;
}
