/** §5: a token, a session or an address of content → the caller, with the teams and organization access that it carries, in one statement. */

import { LRUCache } from 'lru-cache';
import { organizationPowers } from '../../access/organization-access.ts';
import type { Actor, Callers, Credential, RunScope, Standing, Withheld } from '../../core/access/actor.ts';
import { limits } from '../../core/limits.ts';
import { none } from '../../core/store/sql.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { isTooOld, tooOldAt } from '../../organizations/token-ttl-policies/token-ttl-policy.ts';
import { shown } from './shown.ts';

interface Found {
  shown_id: string | null;
  kind: Actor['kind'];
  organization_id: string | null;
  shown_team_id: string | null;
  user_id: string;
  username: string;
  is_admin: boolean;
  member_of: string | null;
  /** Why the organization does not take the caller; null where it does. */
  refusal: Withheld['refusal'] | null;
  team_id: string | null;
  is_owners: boolean | null;
  organization_access: number | null;
  run: RunScope | null;
  /** When the organization no longer takes the token, by its age. */
  ends_at: string | null;
  stamp: string;
}

/** One row for each team of the caller (and for each organization without one). */
const standings = (sql: Sql, credential: Credential): Fragment => sql`
  from (${shown(sql, credential)}) as shown
  join users on users.id = shown.user_id
  left join organization_memberships
    on shown.kind = 'user'
    and organization_memberships.user_id = shown.user_id
    and organization_memberships.status = 'active'
  left join team_memberships on team_memberships.organization_membership_id = organization_memberships.id
  left join teams on teams.id = coalesce(team_memberships.team_id, shown.team_id)
  left join organizations on organizations.id = coalesce(
    organization_memberships.organization_id, teams.organization_id, shown.organization_id
  )
  where shown.kind = 'user' or not ${isTooOld(sql, 'shown')}`;

/** Why an organization does not take a member: as the name of a refusal. Some take no users' tokens, or none of that age. */
const refusal = (sql: Sql): Fragment => sql`
  case
    when shown.kind <> 'user' then null
    when shown.is_token and (not organizations.user_tokens_enabled or ${isTooOld(sql, 'shown')}) then 'unauthorized'
    when organizations.collaborator_auth_policy = 'two_factor_mandatory' and not exists (
      select from second_factors
      where second_factors.user_id = shown.user_id and second_factors.confirmed_at is not null
    ) then 'second-factor-required'
  end`;

/**
 * What tells whether an actor is as it was read: the account's revision, which PostgreSQL renews with whatever changes what
 * the account is somewhere, and what was shown: an address given to a run ends with any of its tokens, and there may be
 * several. Null for nobody, and once a token has become too old for an organization.
 */
const stamp = (sql: Sql, credential: Credential, endsAt: string | null): Fragment => sql`
  (
    select string_agg(
      concat_ws(' ', users.access_revision, users.is_admin, shown.id, users.username), ',' order by shown.id
    )
    from (${shown(sql, credential)}) as shown
    join users on users.id = shown.user_id
    ${endsAt === null ? none : sql`where now() < ${endsAt}::timestamptz`}
  )`;

/** The callers that this process read last, by what they showed. */
export function rememberedCallers(most = limits.rememberedCallers_items.value): Callers {
  const remembered = new LRUCache<string, Actor>({ max: most });
  const keyOf = (one: Credential) =>
    `${one.kind} ${one.kind === 'address' ? one.givenTo : one.hash.toString('latin1')}`;
  return {
    remembered: credential => remembered.get(keyOf(credential)),
    read: async (sql, credential) => {
      const actor = await authenticate(sql, credential);
      const key = keyOf(credential);
      if (actor) remembered.set(key, actor);
      else remembered.delete(key);
      return actor;
    },
    proof: (sql, credential, { endsAt }) => stamp(sql, credential, endsAt),
  };
}

/** The caller behind what was shown, or null when it is unknown, revoked, expired or ended. */
export async function authenticate(sql: Sql, credential: Credential): Promise<Actor | null> {
  const rows = await sql<Found[]>`
    select
      shown.id as shown_id, shown.kind, shown.organization_id, shown.team_id as shown_team_id,
      users.id as user_id, users.username, users.is_admin,
      coalesce(organization_memberships.organization_id, teams.organization_id) as member_of,
      ${refusal(sql)} as refusal,
      teams.id as team_id, teams.is_owners, teams.organization_access, shown.run,
      ${tooOldAt(sql, 'shown')} as ends_at, ${stamp(sql, credential, null)} as stamp
    ${standings(sql, credential)}`;
  const [first] = rows;
  if (!first) return null;
  const [endsAt = null] = rows.flatMap(row => (row.refusal !== 'unauthorized' && row.ends_at) || []).sort();
  const sessionId = credential.kind === 'session' ? first.shown_id : null;
  const actor = (some: readonly Found[], withheld: readonly Withheld[]) => ({
    ...actorFrom(first, some),
    endsAt,
    sessionId,
    withheld,
  });
  const reasons = new Set(rows.flatMap(row => row.refusal ?? []));
  const withheld = [...reasons].map(reason => ({
    refusal: reason,
    actor: actor(
      rows.filter(row => row.refusal === reason),
      [],
    ),
  }));
  return actor(
    rows.filter(row => row.refusal === null),
    withheld,
  );
}

/** The caller of these rows, the first of them among them. */
function actorFrom(first: Found, rows: readonly Found[]): Omit<Actor, 'endsAt' | 'sessionId' | 'withheld'> {
  const standings = new Map<string, Standing>();
  const teamIds: string[] = [];
  if (first.kind === 'organization') standings.set(first.organization_id!, organizationItself);
  if (first.run) standings.set(first.run.organizationId, onlyKnown);
  for (const row of rows) {
    if (row.team_id !== null) teamIds.push(row.team_id);
    if (row.member_of !== null) standings.set(row.member_of, joined(standings.get(row.member_of), row));
  }
  return {
    kind: first.kind,
    userId: first.user_id,
    username: first.username,
    isSiteAdmin: first.kind === 'user' && first.is_admin,
    tokenId: first.shown_id,
    organizationId: first.organization_id,
    teamId: first.shown_team_id,
    teamIds,
    standings,
    ...(first.run && { run: first.run }),
    stamp: first.stamp,
  };
}

/** A run knows of its organization; what it may do there follows from its workspace. */
const onlyKnown: Standing = { isMember: true, isOwner: false, organizationAccess: 0 };

/** §5.2: the organization token acts as an owner. */
const organizationItself: Standing = { isMember: true, isOwner: true, organizationAccess: organizationPowers.all };

function joined(before: Standing | undefined, row: Found): Standing {
  return {
    isMember: true,
    isOwner: (before?.isOwner ?? false) || row.is_owners === true,
    organizationAccess: (before?.organizationAccess ?? 0) | (row.organization_access ?? 0),
  };
}
