/** Accounts that exist only because an organization invited their addresses. */
import type { Sql } from '../../core/store/store.ts';

/** Removes those of the accounts that nobody has taken over and no organization invites any more. */
export async function forgetUninvited(sql: Sql, ids: readonly string[]): Promise<void> {
  // Locked first, so that an invitation at the same moment is either seen here or waits.
  await sql`
    select from users where users.id = any(${ids as string[]}) and users.username is null order by users.id for update`;
  await sql`
    delete from users
    where users.id = any(${ids as string[]}) and users.username is null and not exists (
      select from organization_memberships where organization_memberships.user_id = users.id
    )`;
}
