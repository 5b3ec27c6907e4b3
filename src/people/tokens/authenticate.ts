/** §5: a token → the caller, with the teams and organization access that it carries, in one statement. */

import { LRUCache } from 'lru-cache';
import { organizationPowers } from '../../access/organization-access.ts';
import type { Actor, Callers, Standing } from '../../core/access/actor.ts';
import { limits } from '../../core/limits.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';

interface Found {
  token_id: string;
  kind: Actor['kind'];
  organization_id: string | null;
  token_team_id: string | null;
  user_id: string;
  username: string;
  is_admin: boolean;
  member_of: string | null;
  /** Whether the organization takes no users' tokens; null where nobody is asked for a membership. */
  is_withheld: boolean | null;
  team_id: string | null;
  is_owners: boolean | null;
  organization_access: number | null;
  stamp: string;
}

/** One row for each team of the caller (and for each organization without one). No row: unknown, revoked or expired. */
const standings = (sql: Sql, hash: Buffer): Fragment => sql`
  from tokens
  join users on users.id = tokens.user_id
  left join organization_memberships
    on tokens.kind = 'user'
    and organization_memberships.user_id = tokens.user_id
    and organization_memberships.status = 'active'
  left join organizations on organizations.id = organization_memberships.organization_id
  left join team_memberships on team_memberships.organization_membership_id = organization_memberships.id
  left join teams on teams.id = coalesce(team_memberships.team_id, tokens.team_id)
  where tokens.hash = ${hash} and tokens.kind <> 'agent' and (tokens.expired_at is null or tokens.expired_at > now())`;

/** A digest of all columns from which an actor is made. */
const stamp = (sql: Sql, hash: Buffer): Fragment => sql`
  (
    select md5(string_agg(
      (tokens.id, users.username, users.is_admin, organization_memberships.organization_id,
        organizations.user_tokens_enabled, teams.id, teams.organization_id, teams.is_owners,
        teams.organization_access)::text,
      ' ' order by organization_memberships.id, teams.id
    ))
    ${standings(sql, hash)}
  )`;

/** The callers that this process read last, by the hashes of their tokens. */
export function callersByToken(most = limits.rememberedCallers_items.value): Callers {
  const remembered = new LRUCache<string, Actor>({ max: most });
  return {
    remembered: hash => remembered.get(hash.toString('latin1')),
    read: async (sql, hash) => {
      const actor = await authenticate(sql, hash);
      const key = hash.toString('latin1');
      if (actor) remembered.set(key, actor);
      else remembered.delete(key);
      return actor;
    },
    proof: stamp,
  };
}

/** The caller behind a token's hash, or null when the token is missing, unknown, revoked or expired. */
export async function authenticate(sql: Sql, hash: Buffer): Promise<Actor | null> {
  const rows = await sql<Found[]>`
    select
      tokens.id as token_id, tokens.kind, tokens.organization_id, tokens.team_id as token_team_id,
      users.id as user_id, users.username, users.is_admin,
      coalesce(organization_memberships.organization_id, teams.organization_id) as member_of,
      not organizations.user_tokens_enabled as is_withheld,
      teams.id as team_id, teams.is_owners, teams.organization_access, ${stamp(sql, hash)} as stamp
    ${standings(sql, hash)}`;
  const [first] = rows;
  if (!first) return null;
  const withheld = rows.filter(row => row.is_withheld);
  if (withheld.length === 0) return actorFrom(first, rows, null);
  const open = rows.filter(row => !row.is_withheld);
  return actorFrom(first, open, actorFrom(first, withheld, null));
}

function actorFrom(first: Found, rows: readonly Found[], withheld: Actor | null): Actor {
  const standings = new Map<string, Standing>();
  const teamIds: string[] = [];
  if (first.kind === 'organization') standings.set(first.organization_id!, organizationItself);
  for (const row of rows) {
    if (row.team_id !== null) teamIds.push(row.team_id);
    if (row.member_of !== null) standings.set(row.member_of, joined(standings.get(row.member_of), row));
  }
  return {
    kind: first.kind,
    userId: first.user_id,
    username: first.username,
    isSiteAdmin: first.kind === 'user' && first.is_admin,
    tokenId: first.token_id,
    organizationId: first.organization_id,
    teamId: first.token_team_id,
    teamIds,
    standings,
    withheld,
    stamp: first.stamp,
  };
}

/** §5.2: the organization token acts as an owner. */
const organizationItself: Standing = { isMember: true, isOwner: true, organizationAccess: organizationPowers.all };

function joined(before: Standing | undefined, row: Found): Standing {
  return {
    isMember: true,
    isOwner: (before?.isOwner ?? false) || row.is_owners === true,
    organizationAccess: (before?.organizationAccess ?? 0) | (row.organization_access ?? 0),
  };
}
