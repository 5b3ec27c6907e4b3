/**
 * Changes beside the rows of a workspace, its project and its organization that its document shows all the same. The rows'
 * own updates say `revision = default` themselves: servers keep documents by the three revisions (`workspaces/kept.ts`).
 */
import type { Sql } from '../core/store/store.ts';

/** Of what hangs from one workspace or from a few. */
export async function reviseWorkspaces(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql`update workspaces set revision = default where workspaces.id = any(${ids as string[]})`;
}

/** Of what may show in any workspace of the organization: one row, however many there are. */
export async function reviseOrganization(sql: Sql, id: string): Promise<void> {
  await sql`update organizations set revision = default where organizations.id = ${id}`;
}
