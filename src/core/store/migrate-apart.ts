/**
 * Migrations that run outside a transaction, statement by statement: an index of a large table is made so, since in a
 * transaction it would keep everybody from writing until it is complete. One server at a time runs such a file, by a claim
 * and not by a lock: a transaction that waited for the lock would be one of those that PostgreSQL waits for before it
 * calls such an index complete.
 */
import { randomUUID } from 'node:crypto';
import type { Sql, Store } from './store.ts';

/** How a file begins that runs so. Broken off half-way it is run again from its start, so every statement allows for that. */
const firstWords = '-- Outside a transaction';

export const isApart = ({ text }: { text: string }): boolean => text.startsWith(firstWords);

const renewal_ms = 5000;
/** A server that has not renewed its claim for so long is gone. */
const claim_s = 60;

/** Claims the migrations, in a transaction that holds the row of version 0; undefined while another server has them. */
export async function claim(sql: Sql): Promise<string | undefined> {
  const id = randomUUID();
  const claimed = await sql`
    update schema_migrations set checksum = ${id}, applied_at = clock_timestamp()
    where schema_migrations.version = 0
      and (schema_migrations.checksum = '' or schema_migrations.applied_at < clock_timestamp() - make_interval(secs => ${claim_s}))`;
  return claimed.count === 1 ? id : undefined;
}

export const giveUpClaim = (sql: Sql, claimId: string): Promise<unknown> => sql`
  update schema_migrations set checksum = ''
  where schema_migrations.version = 0 and schema_migrations.checksum = ${claimId}`;

/**
 * Runs the statements of the file, each in a line or lines of its own that end in a semicolon. One that needs what an
 * extension brings is left out where the extension is missing, as the migration that asks for the extension allows.
 */
export async function runApart(store: Store, text: string, claimId: string): Promise<void> {
  const timer = setInterval(() => void renew(store.read, claimId).catch(() => undefined), renewal_ms);
  try {
    for (const statement of statementsOf(text)) {
      // On another connection than the renewals, which would wait for it.
      await store.search.script(statement).catch(refuseUnlessMissing);
    }
  } finally {
    clearInterval(timer);
  }
}

const renew = (sql: Sql, claimId: string) => sql`
  update schema_migrations set applied_at = clock_timestamp()
  where schema_migrations.version = 0 and schema_migrations.checksum = ${claimId}`;

const statementsOf = (text: string): string[] => text.split(/;\s*$/m).filter(part => /^[^-\s]/m.test(part));

const undefinedObject = '42704';

function refuseUnlessMissing(error: { code?: string }): void {
  if (error.code !== undefinedObject) throw error;
}
