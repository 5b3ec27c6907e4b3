/** The caller that a person is once signed in: for questions about what somebody may do. */
import type { Actor } from '../../core/access/actor.ts';
import type { Sql } from '../../core/store/store.ts';
import { authenticate } from './authenticate.ts';

/** By id or username. Null for nobody, and for accounts that act for a team or an organization. */
export async function asCaller(sql: Sql, user: string): Promise<Actor | null> {
  const [found] = await sql<{ id: string }[]>`
    select users.id from users
    where (users.id = ${user} or users.username = ${user}) and not users.is_service_account
    order by users.id = ${user} desc, users.id limit 1`;
  return found ? authenticate(sql, { kind: 'address', givenTo: found.id }) : null;
}
