/** §5.6 Token: the document, the SELECT and the finder. Its secret text is shown once, in the answer that made it. */
import { Type } from 'typebox';
import { organizationPowers, organizationPowersOf } from '../../access/organization-access.ts';
import { tokenPowers } from '../../access/policy.ts';
import { type Actor, standingIn } from '../../core/access/actor.ts';
import type { Finder, Subject } from '../../core/jsonapi/endpoint.ts';
import { choice, column, computed, nullable, type Row, reference, text, timestamp } from '../../core/jsonapi/fields.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { type Fragment, held, type Sql } from '../../core/store/store.ts';

const attributes = {
  'created-at': column(timestamp),
  'last-used-at': column(nullable(timestamp)),
  description: column(nullable(text), { write: nullable(Type.String({ maxLength: 255 })) }),
  'expired-at': column(nullable(timestamp), { write: true }),
  token: computed(nullable(text), row => row['token'] ?? null),
};

export const tokens = resource({
  type: 'authentication-tokens',
  attributes,
  relationships: {
    team: reference('teams', 'team_id', row => `/api/v2/teams/${row['team_id']}`),
    'created-by': choice(['users', 'teams', 'organizations'], row => ({
      type: row['created_by_type'],
      id: row['created_by_organization'] ?? row['created_by_id'],
    })),
  },
  links: row => ({ self: `/api/v2/authentication-tokens/${row.id}` }),
});

/** Agents sign in with theirs, which open nothing of this interface. */
export type TokenKind = Actor['kind'] | 'agent';

export interface Token extends RowOf<typeof attributes>, Subject {
  kind: TokenKind;
  user_id: string;
  team_id: string | null;
  organization_id: string | null;
  /** The caller has it as a member of the team alone, which older releases do not let be enough (§9.2). */
  is_by_membership: boolean;
  /** Only in the answer that made it. */
  token?: string;
}

/** The tokens of a condition that the actor may manage, as they are read everywhere. */
export async function readTokens(sql: Sql, actor: Actor, condition: Fragment, rest?: Fragment): Promise<Token[]> {
  const rows = await sql<Row[]>`
    select ${tokenColumns(sql)}
    ${tokenTables(sql)}
    where ${condition} and ${manageableBy(sql, actor)}
    ${rest ?? sql``}`;
  return rows.map(row => asToken(row, actor));
}

export const tokenColumns = (sql: Sql): Fragment => sql`
  tokens.id, tokens.kind, tokens.user_id, tokens.team_id, tokens.description, tokens.created_at, tokens.last_used_at,
  tokens.expired_at, tokens.created_by_type, tokens.created_by_id, teams.is_owners,
  coalesce(tokens.organization_id, teams.organization_id) as organization_id,
  creating_organizations.name as created_by_organization`;

export const tokenTables = (sql: Sql): Fragment => sql`
  from tokens
  left join teams on teams.id = tokens.team_id
  left join users as creating_users on creating_users.id = tokens.created_by_id
  left join teams as creating_teams on creating_teams.id = tokens.created_by_id
  left join organizations as creating_organizations on creating_organizations.id = tokens.created_by_id`;

/** One's own; any person's for site administrators; a team's for owners and its members; an organization's for owners; agents' for managers of pools. */
export function manageableBy(sql: Sql, actor: Actor): Fragment {
  const owned = [...actor.standings].filter(([, { isOwner }]) => isOwner).map(([id]) => id);
  const poolsManaged = [...actor.standings.keys()].filter(id =>
    organizationPowers.has(organizationPowersOf(actor, id), 'manage-agent-pools'),
  );
  const teamIds = actor.kind === 'user' ? (actor.teamIds as string[]) : [];
  return sql`(
    (tokens.kind = 'user' and tokens.user_id = ${actor.userId})
    ${actor.isSiteAdmin ? sql`or tokens.kind = 'user'` : sql``}
    or tokens.organization_id = any(${owned})
    or (tokens.kind = 'agent' and tokens.organization_id = any(${poolsManaged}))
    or teams.organization_id = any(${owned})
    or (teams.id = any(${teamIds}) and teams.allow_member_token_management)
  )`;
}

/** Whatever may be managed may be read and revoked. */
export function asToken(row: Row, actor: Actor): Token {
  const isByMembership = row['kind'] === 'team' && !standingIn(actor, row['organization_id']).isOwner;
  return { ...row, is_by_membership: isByMembership, powers: tokenPowers.all } as unknown as Token;
}

export const tokenById: Finder<Token> = {
  find: async (sql, actor, params, lock) => {
    const [token] = await readTokens(sql, actor, sql`tokens.id = ${params['token_id']!}`, held(sql, lock, 'tokens'));
    return token;
  },
};
