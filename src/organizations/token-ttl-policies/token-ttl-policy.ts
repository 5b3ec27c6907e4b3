/** §5.6 How long the tokens that reach an organization may live: one policy for each kind of token, and what follows from it in SQL. */
import { type Static, Type } from 'typebox';
import { column, timestamp, word } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { derivedId } from '../../core/store/ids.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';

export const tokenTypes = ['organization', 'team', 'user', 'audit_trails'] as const;
export type TokenType = (typeof tokenTypes)[number];

/** Two mean calendar years: what clients know as the value of a policy that nobody set. */
const usualLife_ms = 63_113_904_000;

export const life_ms = Type.Integer({ minimum: 60_000, maximum: 3_155_695_200_000 });

export const tokenTtlPolicies = resource({
  type: 'organization-token-ttl-policies',
  attributes: {
    'token-type': column(word(...tokenTypes)),
    'max-ttl-ms': column(life_ms),
    'created-at': column(timestamp),
    'updated-at': column(timestamp),
  },
  relationships: {},
});

export interface TokenTtlPolicy {
  id: string;
  token_type: TokenType;
  max_ttl_ms: Static<typeof life_ms>;
  created_at: string;
  updated_at: string;
}

/** All four, in their order; those that nobody set too. */
export async function policiesOf(sql: Sql, organizationId: string): Promise<TokenTtlPolicy[]> {
  const rows = await sql<Omit<TokenTtlPolicy, 'id'>[]>`
    select kinds.token_type,
      coalesce(token_ttl_policies.max_ttl_ms, ${usualLife_ms})::float8 as max_ttl_ms,
      coalesce(token_ttl_policies.created_at, organizations.created_at) as created_at,
      coalesce(token_ttl_policies.updated_at, organizations.created_at) as updated_at
    from organizations
    cross join unnest(${[...tokenTypes]}::text[]) with ordinality as kinds (token_type, place)
    left join token_ttl_policies on token_ttl_policies.organization_id = organizations.id
      and token_ttl_policies.token_type = kinds.token_type
    where organizations.id = ${organizationId}
    order by kinds.place`;
  // Nobody makes the four rows, so their ids follow from what they are about.
  return rows.map(row => ({ ...row, id: derivedId('tttl', `${organizationId}/${row.token_type}`) }));
}

/** How long a new token of the kind may live at most, in milliseconds; null where the organization asks for nothing. */
export async function longestLife(sql: Sql, organizationId: string, type: TokenType): Promise<number | null> {
  const [found] = await sql<{ max_ttl_ms: number | null }[]>`
    select coalesce(token_ttl_policies.max_ttl_ms, ${usualLife_ms})::float8 as max_ttl_ms
    from organizations
    left join token_ttl_policies on token_ttl_policies.organization_id = organizations.id
      and token_ttl_policies.token_type = ${type}
    where organizations.id = ${organizationId} and organizations.max_ttl_enabled`;
  return found?.max_ttl_ms ?? null;
}

/**
 * On rows with the kind and the creation of a token and, where there is one, `organizations`: when it becomes too old there;
 * null where it never does.
 */
export const tooOldAt = (sql: Sql, token: string): Fragment => sql`
  case when organizations.max_ttl_enabled then ${sql(token)}.created_at + interval '1 millisecond' * coalesce((
    select token_ttl_policies.max_ttl_ms from token_ttl_policies
    where token_ttl_policies.organization_id = organizations.id
      and token_ttl_policies.token_type = replace(${sql(token)}.kind, '-', '_')
  ), ${usualLife_ms}::bigint) end`;

export const isTooOld = (sql: Sql, token: string): Fragment => sql`(${tooOldAt(sql, token)} <= now()) is true`;
