/** §3 A workspace's current state version: which one it is, and how another takes its place. */
import type { Sql } from '../../core/store/store.ts';
import { takeResources } from './current-resources.ts';

/** What the latest final version manages: the latest one made under this lock, or the current one. */
export async function managedByHead(
  sql: Sql,
  workspaceId: string,
): Promise<{ resource_count: number; is_readable: boolean } | undefined> {
  const [head] = await sql<{ resource_count: number; is_readable: boolean }[]>`
    select state_versions.resource_count, state_versions.is_readable from state_versions
    where state_versions.workspace_id = ${workspaceId} and state_versions.status = 'finalized' and (
      state_versions.intermediate or state_versions.id = (
        select workspaces.current_state_version_id from workspaces where workspaces.id = ${workspaceId}
      )
    )
    order by state_versions.position desc limit 1`;
  return head;
}

/** The status of the latest intermediate version (§3), null where there is none. */
export async function latestIntermediateStatus(sql: Sql, workspaceId: string): Promise<string | null> {
  const [latest] = await sql<{ status: string }[]>`
    select state_versions.status from state_versions
    where state_versions.workspace_id = ${workspaceId} and state_versions.intermediate
    order by state_versions.position desc limit 1`;
  return latest?.status ?? null;
}

/** §3, when the lock goes: the latest final intermediate version becomes current, and what is still pending is void. */
export async function promoteIntermediate(sql: Sql, workspaceId: string): Promise<void> {
  const [latest] = await sql<{ id: string }[]>`
    select state_versions.id from state_versions
    where state_versions.workspace_id = ${workspaceId} and state_versions.intermediate
      and state_versions.status = 'finalized'
    order by state_versions.position desc limit 1`;
  if (latest) await makeCurrent(sql, workspaceId, latest.id);
  await sql`
    update state_versions set status = 'discarded', intermediate = false, awaits_json = false
    where state_versions.workspace_id = ${workspaceId} and state_versions.intermediate
      and state_versions.status = 'pending'`;
}

/** The version becomes the workspace's current one, and the resources that it names those of the workspace. */
export async function makeCurrent(sql: Sql, workspaceId: string, versionId: string): Promise<void> {
  const [made] = await sql<{ position: number; blob_id: string | null; resource_count: number }[]>`
    update workspaces
    set current_state_version_id = state_versions.id, resource_count = state_versions.resource_count,
      revision = default
    from state_versions
    where workspaces.id = ${workspaceId} and state_versions.id = ${versionId}
    returning state_versions.position, state_versions.blob_id, state_versions.resource_count`;
  const { position, blob_id: blobId, resource_count: resourceCount } = made!;
  await settleOthers(sql, workspaceId, { versionId, position });
  await takeResources(sql, { workspaceId, versionId, blobId }, resourceCount);
}

/** Those that it displaces take no more uploads, and nobody takes over what they left to do: their instances go. */
async function settleOthers(
  sql: Sql,
  workspaceId: string,
  { versionId, position }: { versionId: string; position: number },
): Promise<void> {
  await sql`
    with unfinished as (
      delete from unfinished_resources where unfinished_resources.workspace_id = ${workspaceId}
      returning unfinished_resources.state_version_id as id
    ), settled as (
      update state_versions
      set intermediate = false,
        status = case state_versions.status when 'pending' then 'discarded' else state_versions.status end,
        awaits_json = state_versions.awaits_json and state_versions.status <> 'pending',
        resources_processed = state_versions.resources_processed
          or state_versions.id <> ${versionId} and state_versions.status <> 'pending'
      where state_versions.workspace_id = ${workspaceId} and (
        state_versions.intermediate and state_versions.position <= ${position}
        or state_versions.id in (select unfinished.id from unfinished)
      )
      returning state_versions.id, state_versions.blob_id
    )
    delete from state_instances
    where state_instances.blob_id in (
      select settled.blob_id from settled where settled.blob_id is not null and settled.id <> ${versionId}
    )`;
}
