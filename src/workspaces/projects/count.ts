/** The number of workspaces of an organization and of each project: a few rows of each whose sum every list reads. */
import type { Sql } from '../../core/store/store.ts';

const slots = 8;

/**
 * Adds to a slot drawn by chance, so that changes at once seldom wait for the same row.
 * @param changes project → how many more; a move takes from one what it gives to another. Each is held in the order of
 * ids, so that moves to and fro wait for each other at most once.
 */
export function countWorkspaces(sql: Sql, organizationId: string, changes: Readonly<Record<string, number>>): void {
  const slot = Math.floor(Math.random() * slots);
  const total = Object.values(changes).reduce((sum, change) => sum + change, 0);
  sql`
    with whole as (
      insert into workspace_counts (organization_id, slot, workspaces)
      select ${organizationId}, ${slot}::smallint, ${total}::integer where ${total}::integer <> 0
      on conflict (organization_id, slot) do update set workspaces = workspace_counts.workspaces + excluded.workspaces
    )
    insert into project_workspace_counts (project_id, slot, workspaces)
    select changes.key, ${slot}::smallint, changes.value::integer
    from jsonb_each_text(${sql.json(changes)}) as changes
    order by changes.key
    on conflict (project_id, slot) do update
      set workspaces = project_workspace_counts.workspaces + excluded.workspaces`.send();
}
