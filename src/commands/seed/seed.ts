/** Fills an organization with made-up teams and workspaces: the same seed gives the same ones, a second run adds nothing. */

import type { Actor } from '../../core/access/actor.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql, type Store } from '../../core/store/store.ts';
import { foundOrganization } from '../../organizations/organizations/found.ts';
import { type Added, type Plan, seedSurroundings } from './organization.ts';
import { seedWorkspaces } from './workspaces.ts';

const batchSize = 1000;

export interface SeedOptions {
  organization: string;
  teams: number;
  workspaces: number;
  seed: string;
  onProgress?: (done: number, total: number) => void;
}

export interface SeedResult {
  organization: string;
  /** Whether this run made the organization. */
  isFounded: boolean;
  /** Rows added, by table; every table at 0 when all was there before. */
  added: Added;
}

/** Who seeds: an account that the organization belongs to when it has to be made. */
export interface Seeder {
  id: string;
  username: string;
  email: string;
}

/** Brings the organization to at least what the options say. Each batch is a transaction: a run that breaks off goes on. */
export async function seed(store: Store, seeder: Seeder, options: SeedOptions): Promise<SeedResult> {
  const { onProgress = () => {} } = options;
  const { id, isFounded } = await store.transaction(sql => findOrFound(sql, seeder, options.organization));
  const plan: Plan = { ...options, organization: { id, name: options.organization }, administratorId: seeder.id };
  const { surroundings, added } = await store.transaction(async sql => {
    const done = await seedSurroundings(sql, plan);
    await record(sql, plan, seeder, done.added);
    return done;
  });
  const before = await knownWorkspaces(store.read);
  for (let first = 0; first < plan.workspaces; first += batchSize) {
    onProgress(first, plan.workspaces);
    const end = Math.min(first + batchSize, plan.workspaces);
    const batch = await store.transaction(async sql => {
      const done = await seedWorkspaces(sql, plan, surroundings, first, end);
      await record(sql, plan, seeder, done);
      return done;
    });
    for (const [table, count] of Object.entries(batch)) added[table] = (added[table] ?? 0) + count;
  }
  onProgress(plan.workspaces, plan.workspaces);
  // Plans made between so much growth and the next automatic analysis would be those for small tables. Of a small
  // organization among many PostgreSQL need not be told: two hundred analyses took longer than what they were for.
  if ((added['workspaces'] ?? 0) > before * muchGrowth) await store.read`analyze`;
  return { organization: plan.organization.name, isFounded, added };
}

/** By how much a table has to grow before PostgreSQL analyses it by itself, unless told otherwise. */
const muchGrowth = 0.1;

/** As the planner knows it, without counting. */
async function knownWorkspaces(sql: Sql): Promise<number> {
  const [table] = await sql<{ known: number }[]>`
    select greatest(pg_class.reltuples, 0)::double precision as known
    from pg_class where pg_class.oid = 'workspaces'::regclass`;
  return table!.known;
}

async function findOrFound(sql: Sql, seeder: Seeder, name: string): Promise<{ id: string; isFounded: boolean }> {
  const [found] = await sql<{ id: string }[]>`
    select organizations.id from organizations where organizations.name = ${name}`;
  if (found) return { id: found.id, isFounded: false };
  const made = await foundOrganization(sql, { userId: seeder.id } as Actor, { name, email: seeder.email });
  await record(sql, { organization: { id: made.organization_id, name } }, seeder, { organizations: 1 });
  return { id: made.organization_id, isFounded: true };
}

/** One audit event for each transaction that added something: no change without one. */
async function record(sql: Sql, { organization }: Pick<Plan, 'organization'>, seeder: Seeder, added: Added) {
  const changes = Object.fromEntries(Object.entries(added).filter(([, count]) => count > 0));
  if (Object.keys(changes).length === 0) return;
  await sql`
    insert into audit_events ${row(sql, {
      id: newId('ae'),
      organization_id: organization.id,
      action: 'organizations.seed',
      actor_type: 'user',
      actor_id: seeder.id,
      actor_name: seeder.username,
      resource_type: 'organizations',
      resource_id: organization.id,
      resource_name: organization.name,
      changes: sql.json({ added: changes }),
      request_id: newId('req'),
    })}`;
}
