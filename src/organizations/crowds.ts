/** How many teams and members an organization may have: what a caller's every request costs grows with the caller's teams. */
import { ApiError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import type { Sql } from '../core/store/store.ts';

const most = limits.membershipTeams_items.value;

export const tooManyTeams = `Nobody may be on more than ${most} teams of an organization`;

/** Those of the memberships that are on too many teams now. Their rows are held. */
export async function membershipsOnTooManyTeams(sql: Sql, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await sql<{ id: string }[]>`
    select team_memberships.organization_membership_id as id from team_memberships
    where team_memberships.organization_membership_id = any(${ids as string[]})
    group by team_memberships.organization_membership_id
    having count(*) > ${most}
    order by team_memberships.organization_membership_id`;
  return new Set(found.map(({ id }) => id));
}

/** Asked after an insertion, with the row of the organization held: of two at once, the second sees the first. */
export async function keepWithin(sql: Sql, organizationId: string, what: 'teams' | 'memberships'): Promise<void> {
  const { table, limit, name } = crowds[what];
  const [counted] = await sql<{ total: number }[]>`
    select count(*) as total from (
      select from ${sql(table)} as records where records.organization_id = ${organizationId} limit ${limit + 1}
    ) as known`;
  if (counted!.total <= limit) return;
  throw new ApiError(
    'invalid-document',
    { reason: `An organization has at most ${limit} ${name}.` },
    { pointer: '/data' },
  );
}

const crowds = {
  teams: { table: 'teams', limit: limits.organizationTeams_items.value, name: 'teams' },
  memberships: {
    table: 'organization_memberships',
    limit: limits.organizationMembers_items.value,
    name: 'members, invited ones included',
  },
};
