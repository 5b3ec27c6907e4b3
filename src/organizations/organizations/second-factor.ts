/** Organizations that take members with a second factor only (`collaborator-auth-policy`). */
import type { Actor } from '../../core/access/actor.ts';
import { attributeFault, type Fault } from '../../core/errors.ts';
import type { Sql } from '../../core/store/store.ts';

/** Whoever asks for it without having one would be locked out by it. */
export async function secondFactorFaults(sql: Sql, actor: Actor, policy: string | undefined): Promise<Fault[]> {
  if (policy !== 'two_factor_mandatory' || actor.kind !== 'user') return [];
  const [own] = await sql`
    select second_factors.user_id from second_factors
    where second_factors.user_id = ${actor.userId} and second_factors.confirmed_at is not null`;
  if (own) return [];
  const reason = 'Collaborator auth policy would lock you out: turn on your own second factor first';
  return [attributeFault('collaborator-auth-policy', reason)];
}
