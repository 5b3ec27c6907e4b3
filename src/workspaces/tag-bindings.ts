/** §2.3, §4.2 key-value tags bound directly to a workspace: the replacing form of create and update. */
import { newId } from '../store/ids.ts';
import type { Sql } from '../store/store.ts';
import type { BindingGiven } from '../tags/binding-rules.ts';

/** Leaves exactly these bindings; those that stay keep their id and the time they were made. */
export async function replaceBindings(
  sql: Sql,
  organizationId: string,
  workspaceId: string,
  given: readonly BindingGiven[],
): Promise<void> {
  const bindings = given.map(({ key, value }) => ({ id: newId('tb'), key, value: value ?? '' }));
  await sql`
    delete from workspace_tag_bindings
    where workspace_tag_bindings.workspace_id = ${workspaceId}
      and not workspace_tag_bindings.key = any(${bindings.map(({ key }) => key)})`;
  if (bindings.length === 0) return;
  await sql`
    insert into workspace_tag_bindings (id, organization_id, workspace_id, key, value)
    select given.id, ${organizationId}, ${workspaceId}, given.key, given.value
    from jsonb_to_recordset(${sql.json(bindings)}) as given (id text, key text, value text)
    on conflict (workspace_id, key) do update set value = excluded.value`;
}
