/** §1 Names that accounts had: nobody else gets one for a while, since scripts go on naming people by them. */
import { ApiError, faultAt } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Sql } from '../../core/store/store.ts';

/** Keeps a name that an account gives up, with the account or with its name. */
export async function keepUsername(sql: Sql, { id, username }: { id: string; username: string | null }): Promise<void> {
  if (username === null) return;
  await sql`
    insert into kept_usernames (username, user_id, kept_until)
    values (${username}, ${id}, now() + ${limits.keptUsername_days.value} * interval '1 day')
    on conflict (username) do update set user_id = excluded.user_id, kept_until = excluded.kept_until`;
}

/**
 * Asked when an account has taken a name, so that whoever let go of it at the same time is seen. Throws `username-taken`
 * where it is kept for another account.
 */
export async function claimUsername(sql: Sql, userId: string, username: string): Promise<void> {
  const [kept] = await sql<{ user_id: string }[]>`
    select kept_usernames.user_id from kept_usernames
    where kept_usernames.username = ${username} and kept_usernames.kept_until > now()`;
  if (kept && kept.user_id !== userId) {
    throw new ApiError([faultAt('username-taken', '/data/attributes/username')]);
  }
  await sql`delete from kept_usernames where kept_usernames.username = ${username}`;
}
