/** §4.7 One server at a time deletes: a lease in the database, by whose clock alone it expires. */
import type { Sql } from '../../core/store/store.ts';

const name = 'data-retention';
export const leaseSeconds = 120;

/** Whoever held the lease has it no more: another server may be at work. */
export class LeaseLostError extends Error {}

/** Returns whether `holderId` has the lease now. It does not wait for a holder that is at work. */
export async function takeLease(sql: Sql, holderId: string): Promise<boolean> {
  const taken = await sql`
    update leases set holder_id = ${holderId}, expires_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where leases.name = (
      select free.name from leases as free
      where free.name = ${name} and (free.holder_id is null or free.expires_at <= clock_timestamp())
      for update skip locked
    )
    returning leases.name`;
  return taken.length > 0;
}

/**
 * Lengthens the lease, and in a transaction keeps it until that ends: nobody takes it over in between, however long it
 * lasts. Throws LeaseLostError when another has taken it.
 */
export async function renewLease(sql: Sql, holderId: string): Promise<void> {
  const renewed = await sql`
    update leases set expires_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where leases.name = ${name} and leases.holder_id = ${holderId}
    returning leases.name`;
  if (renewed.length === 0) throw new LeaseLostError('Another server has taken the work over.');
}

/** @param isFinished whether all of the work was done, which who watches is told */
export async function releaseLease(sql: Sql, holderId: string, isFinished: boolean): Promise<void> {
  await sql`
    update leases set holder_id = null, expires_at = null,
      finished_at = case when ${isFinished} then clock_timestamp() else leases.finished_at end
    where leases.name = ${name} and leases.holder_id = ${holderId}`;
}
