/** Whether anything changed in an organization since somebody looked, in SQL. */
import { none } from '../../core/store/sql.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';

/**
 * True where a transaction that `snapshot` did not see has changed a record of the organization. It is asked of the same
 * snapshot as the statement that it stands in, and reads what was written since the oldest transaction of then alone; more
 * than a thousand such rows count as a change.
 * @param snapshot as `pg_current_snapshot()` said it then
 * @param types of records that count; without them all do
 */
// The order keeps to the index: a plan that knows no values would take a third of all changes for new.
export const hasChangedSince = (
  sql: Sql,
  organizationId: string,
  snapshot: string,
  types?: readonly string[],
): Fragment => sql`
  (
    select count(*) = 1000 or bool_or(
      not pg_visible_in_snapshot(recent.transaction_id, ${snapshot}::text::pg_snapshot)
      ${types ? sql`and recent.type = any(${types as string[]})` : none}
    ) is true
    from (
      select changes.transaction_id, changes.type from changes
      where changes.organization_id = ${organizationId}
        and changes.transaction_id >= pg_snapshot_xmin(${snapshot}::text::pg_snapshot)
      order by changes.transaction_id, changes.position limit 1000
    ) as recent
  )`;
