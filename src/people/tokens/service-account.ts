/** §2.1 The account that stands for the tokens of a team or an organization, made with the first of them. */
import { randomInt } from 'node:crypto';
import { newId, randomBase62 } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';

/** The account of a team: `api-team_` and digits. Returns its id. */
export function teamAccount(sql: Sql, teamId: string): Promise<string> {
  return account(sql, teamId, `api-team_${randomInt(10 ** 12, 10 ** 13)}`);
}

/** The account of an organization: its name as it was then, and what keeps it apart. Returns its id. */
export function organizationAccount(sql: Sql, organizationId: string, name: string): Promise<string> {
  return account(sql, organizationId, `api-org-${name}-${randomBase62(10)}`);
}

async function account(sql: Sql, serviceOfId: string, username: string): Promise<string> {
  // The address is one that no mail can reach; nobody is shown it.
  const made = {
    id: newId('user'),
    username,
    email: `${username}@service.invalid`,
    is_service_account: true,
    service_of_id: serviceOfId,
  };
  const [found] = await sql<{ id: string }[]>`
    insert into users ${row(sql, made)}
    on conflict (service_of_id) do update set service_of_id = excluded.service_of_id
    returning users.id`;
  return found!.id;
}
