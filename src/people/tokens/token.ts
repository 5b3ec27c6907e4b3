/** §5.6 Token: the document, the SELECT and the finder. Its secret text is shown once, in the answer that made it. */

import { Type } from 'typebox';
import { meets } from '../../access/organization-access.ts';
import { policy, tokenPowers } from '../../access/policy.ts';
import { type Actor, organizationsWhere, standingIn } from '../../core/access/actor.ts';
import { addressed, choice, column, computed, nullable, text, timestamp } from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { any } from '../../core/store/conditions.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';

interface TokenRow extends Subject<'token'> {
  created_by_type: string;
  created_by_id: string;
  created_by_organization: string | null;
  kind: TokenKind;
  user_id: string;
  team_id: string | null;
  organization_id: string | null;
  /** The caller has it as a member of the team alone, which older releases do not let be enough (§9.2). */
  is_by_membership: boolean;
  /** Only in the answer that made it. */
  token?: string;
}

const attributes = {
  'created-at': column(timestamp),
  'last-used-at': column(nullable(timestamp)),
  description: column(nullable(text), { write: nullable(Type.String({ maxLength: 255 })) }),
  'expired-at': column(nullable(timestamp), { write: true }),
  token: computed(nullable(text), (row: TokenRow) => row.token ?? null),
};

export const tokens = resource({
  type: 'authentication-tokens',
  sentAs: ['agent-tokens', 'authentication-token'],
  attributes,
  relationships: {
    team: addressed('teams', 'team_id'),
    'created-by': choice(['users', 'teams', 'organizations'], (row: TokenRow) => ({
      type: row.created_by_type,
      id: row.created_by_organization ?? row.created_by_id,
    })),
  },
  links: row => ({ self: `/api/v2/authentication-tokens/${row.id}` }),
});

/** Agents sign in with theirs, which open nothing of this interface. */
export type TokenKind = Exclude<Actor['kind'], 'visitor'> | 'agent';

export interface Token extends RowOf<typeof attributes>, TokenRow {}

/** Whatever may be managed may be read and revoked. */
export const tokenRecords = records<Token>({
  table: 'tokens',
  columns: sql => sql`
    tokens.id, tokens.kind, tokens.user_id, tokens.team_id, tokens.description, tokens.created_at, tokens.last_used_at,
    tokens.expired_at, tokens.created_by_type, tokens.created_by_id, teams.is_owners,
    coalesce(tokens.organization_id, teams.organization_id) as organization_id,
    creating_organizations.name as created_by_organization`,
  from: sql => sql`
    tokens
    left join teams on teams.id = tokens.team_id
    left join users as creating_users on creating_users.id = tokens.created_by_id
    left join teams as creating_teams on creating_teams.id = tokens.created_by_id
    left join organizations as creating_organizations on creating_organizations.id = tokens.created_by_id`,
  isVisible: isManageable,
  powers: () => tokenPowers.all,
  complete: (row, actor) => ({
    is_by_membership: row.kind === 'team' && !standingIn(actor, row.organization_id!).isOwner,
  }),
});

export const tokenById = tokenRecords.byId('token_id');

/** One's own; any person's for site administrators; a team's for owners and its members; an organization's for owners; agents' for managers of pools. */
function isManageable(sql: Sql, actor: Actor): Fragment {
  const owned = organizationsWhere(actor, ({ isOwner }) => isOwner);
  const managesPools = policy['organization:manage-agent-pools'];
  const teamIds = actor.kind === 'user' ? (actor.teamIds as string[]) : [];
  return any(sql, [
    sql`tokens.kind = 'user' and tokens.user_id = ${actor.userId}`,
    actor.isSiteAdmin && sql`tokens.kind = 'user'`,
    sql`tokens.organization_id = any(${owned})`,
    sql`tokens.kind = 'agent'
      and tokens.organization_id = any(${organizationsWhere(actor, (_standing, id) => meets(actor, id, managesPools))})`,
    sql`teams.organization_id = any(${owned})`,
    sql`teams.id = any(${teamIds}) and teams.allow_member_token_management`,
  ]);
}
