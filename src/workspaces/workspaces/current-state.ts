/** §3 A workspace's current state version: which one it is, and how another takes its place. */
import type { Sql } from '../../core/store/store.ts';

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
  const [version] = await sql<{ position: number; blob_id: string | null }[]>`
    update workspaces
    set current_state_version_id = state_versions.id, resource_count = state_versions.resource_count,
      revision = default
    from state_versions
    where workspaces.id = ${workspaceId} and state_versions.id = ${versionId}
    returning state_versions.position, state_versions.blob_id`;
  await writeResources(sql, workspaceId, versionId, version!.blob_id);
  await sql`
    with settled as (
      update state_versions
      set intermediate = false,
        status = case state_versions.status when 'pending' then 'discarded' else state_versions.status end,
        awaits_json = state_versions.awaits_json and state_versions.status <> 'pending'
      where state_versions.workspace_id = ${workspaceId} and state_versions.position <= ${version!.position}
        and state_versions.intermediate
      returning state_versions.blob_id
    )
    delete from state_instances
    where state_instances.blob_id = ${version!.blob_id}
      or state_instances.blob_id in (select settled.blob_id from settled where settled.blob_id is not null)`;
}

/** Resources keep their id and the time they came; those that the version describes otherwise were modified by it. */
async function writeResources(sql: Sql, workspaceId: string, versionId: string, blobId: string | null): Promise<void> {
  await sql`
    delete from workspace_resources
    where workspace_resources.workspace_id = ${workspaceId} and not exists (
      select from state_instances
      where state_instances.blob_id = ${blobId}
        and state_instances.address_digest = workspace_resources.address_digest
    )`;
  await sql`
    insert into workspace_resources (id, workspace_id, address, address_digest, name, name_index, module, provider,
      provider_type, fingerprint, modified_by_state_version_id, created_at, updated_at)
    select state_instances.id, state_versions.workspace_id, state_instances.address, state_instances.address_digest,
      state_instances.name, state_instances.name_index, state_instances.module, state_instances.provider,
      state_instances.provider_type, state_instances.fingerprint, state_versions.id, state_versions.created_at,
      state_versions.created_at
    from state_instances
    join state_versions on state_versions.id = ${versionId}
    where state_instances.blob_id = ${blobId}
    on conflict (workspace_id, address_digest) do update
    set fingerprint = excluded.fingerprint, provider = excluded.provider,
      modified_by_state_version_id = excluded.modified_by_state_version_id, updated_at = excluded.updated_at
    where workspace_resources.fingerprint <> excluded.fingerprint`;
}
