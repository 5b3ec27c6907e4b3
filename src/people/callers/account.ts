/** The caller that an account is now, where an address was given to it and nothing else is shown. */
import type { Actor } from '../../core/access/actor.ts';
import type { Sql } from '../../core/store/store.ts';
import { actorFrom, type Found } from './authenticate.ts';

/** A person, or what a service account stands for; null once that is gone. */
export async function actorOfAccount(sql: Sql, accountId: string): Promise<Actor | null> {
  const rows = await sql<Found[]>`
    select
      null as shown_id,
      case when not users.is_service_account then 'user' when served.id is not null then 'team' else 'organization' end
        as kind,
      organizations.id as organization_id, served.id as shown_team_id, users.id as user_id, users.username,
      users.is_admin, coalesce(organization_memberships.organization_id, teams.organization_id) as member_of,
      null as refusal, teams.id as team_id, teams.is_owners, teams.organization_access, '' as stamp
    from users
    left join teams as served on served.id = users.service_of_id
    left join organizations on organizations.id = users.service_of_id
    left join organization_memberships
      on not users.is_service_account
      and organization_memberships.user_id = users.id
      and organization_memberships.status = 'active'
    left join team_memberships on team_memberships.organization_membership_id = organization_memberships.id
    left join teams on teams.id = coalesce(team_memberships.team_id, served.id)
    where users.id = ${accountId}
      and (not users.is_service_account or served.id is not null or organizations.id is not null)`;
  const [first] = rows;
  return first ? { ...actorFrom(first, rows), sessionId: null, withheld: [] } : null;
}
