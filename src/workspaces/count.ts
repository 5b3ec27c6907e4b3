/** The number of workspaces of an organization: a few rows whose sum is read by every unfiltered list. */
import type { Sql } from '../store/store.ts';

const slots = 8;

/** Adds to a slot drawn by chance, so that changes at once seldom wait for the same row. */
export async function countWorkspaces(sql: Sql, organizationId: string, change: number): Promise<void> {
  const slot = Math.floor(Math.random() * slots);
  await sql`
    insert into workspace_counts (organization_id, slot, workspaces) values (${organizationId}, ${slot}, ${change})
    on conflict (organization_id, slot) do update set workspaces = workspace_counts.workspaces + excluded.workspaces`;
}
