/** §5.3: which teams an actor may see, in SQL. */
import { type Actor, organizationsWhere } from '../core/access/actor.ts';
import type { Fragment, Sql } from '../core/store/store.ts';

/** On a row of `teams`: members see `organization` teams and their own; owners see all. */
export function teamIsVisible(sql: Sql, actor: Actor): Fragment {
  const owned = organizationsWhere(actor, ({ isOwner }) => isOwner);
  const joined = organizationsWhere(actor, ({ isMember }) => isMember);
  return sql`(
    teams.organization_id = any(${owned})
    or teams.id = any(${actor.teamIds as string[]})
    or (teams.visibility = 'organization' and teams.organization_id = any(${joined}))
  )`;
}
