/** The caller that a person is once signed in: for questions about what somebody may do. */
import type { Actor } from '../../core/access/actor.ts';
import type { Sql } from '../../core/store/store.ts';
import { actorFrom, type Found } from './authenticate.ts';

/** By id or username. Undefined for nobody, and for accounts that act for a team or an organization. */
export async function asCaller(sql: Sql, user: string): Promise<Actor | undefined> {
  const rows = await sql<Found[]>`
    select '' as shown_id, 'user' as kind, null as organization_id, null as shown_team_id, null as refusal, '' as stamp,
      users.id as user_id, users.username, users.is_admin,
      organization_memberships.organization_id as member_of,
      teams.id as team_id, teams.is_owners, teams.organization_access
    from users
    left join organization_memberships
      on organization_memberships.user_id = users.id and organization_memberships.status = 'active'
    left join team_memberships on team_memberships.organization_membership_id = organization_memberships.id
    left join teams on teams.id = team_memberships.team_id
    where (users.id = ${user} or users.username = ${user}) and not users.is_service_account
    order by users.id = ${user} desc, users.id, team_memberships.team_id`;
  const [first] = rows;
  if (!first) return undefined;
  const own = rows.filter(row => row.user_id === first.user_id);
  return { ...actorFrom(first, own), sessionId: null, withheld: [] };
}
