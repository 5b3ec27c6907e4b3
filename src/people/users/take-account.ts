/** §1 The account of a person whose address is known to be theirs: new, or the one that waits for them since they were invited. */
import { ApiError, faultAt } from '../../core/errors.ts';
import { row, type Sql } from '../../core/store/store.ts';

export const emailTaken = faultAt('email-taken', '/data/attributes/email');

/**
 * Inserts the account, or takes over the placeholder of whoever was invited by this address: the invitations that waited for
 * it are memberships from now on. Returns its id. Throws `email-taken` where somebody has it.
 */
export async function takeAccount(sql: Sql, account: Record<string, unknown>): Promise<string> {
  const [taken] = await sql<{ id: string }[]>`
    insert into users ${row(sql, account)}
    on conflict (lower(email)) where not is_service_account do update
    set username = excluded.username, email = excluded.email, is_admin = excluded.is_admin
    where users.username is null
    returning users.id`;
  if (!taken) throw new ApiError([emailTaken]);
  await sql`
    update organization_memberships set status = 'active'
    where organization_memberships.user_id = ${taken.id} and organization_memberships.status = 'invited'`;
  return taken.id;
}
