/** §2.2 The resources of a workspace are those of its current state: at once where they are few, else part by part. */
import { type RepeatLog, repeat } from '../../core/repeat.ts';
import type { Fragment, Sql, Store } from '../../core/store/store.ts';

/** Where the instances that a state names are found. */
interface Taken {
  workspaceId: string;
  versionId: string;
  blobId: string | null;
}

/** Of both in the order of their digests: from the first one on, up to the one with which the next part begins. */
interface Part {
  from: string;
  before: string | null;
}

/** A part is written in some 300 ms, and the row of the workspace is held meanwhile. Most states are a single part. */
const part_items = 5000;

/** Whether a state's resources are those of the workspace as soon as it is the current one. */
export const isSinglePart = (resourceCount: number) => resourceCount <= part_items;

/** The row of the workspace is held. What is left to do is a row, which outlives this server. */
export async function takeResources(sql: Sql, taken: Taken, resourceCount: number): Promise<void> {
  if (isSinglePart(resourceCount)) return takePart(sql, taken, { from: '', before: null });
  await sql`
    insert into unfinished_resources (workspace_id, state_version_id)
    values (${taken.workspaceId}, ${taken.versionId})`;
}

/**
 * Resources keep their id and the time they came; those that the version describes otherwise were modified by it, and
 * those that it describes as they are cost no write. The instances are needed no more.
 */
async function takePart(sql: Sql, { workspaceId, versionId, blobId }: Taken, part: Part): Promise<void> {
  // Rows come and go here by the ten thousand, and PostgreSQL often believes that there are a handful: it then compared
  // each with each, which took longer than a statement may. The other ways to join are linear, however many there are.
  sql`set local enable_nestloop = off`.send();
  await sql`
    with gone as (
      delete from workspace_resources
      where workspace_resources.workspace_id = ${workspaceId}
        and ${within(sql, 'workspace_resources.address_digest', part)} and not exists (
          select from state_instances
          where state_instances.blob_id = ${blobId} and ${within(sql, 'state_instances.address_digest', part)}
            and state_instances.address_digest = workspace_resources.address_digest
        )
    )
    insert into workspace_resources (id, workspace_id, address, address_digest, name, name_index, module, provider,
      provider_type, fingerprint, modified_by_state_version_id, created_at, updated_at)
    select state_instances.id, state_versions.workspace_id, state_instances.address, state_instances.address_digest,
      state_instances.name, state_instances.name_index, state_instances.module, state_instances.provider,
      state_instances.provider_type, state_instances.fingerprint, state_versions.id, state_versions.created_at,
      state_versions.created_at
    from state_instances
    join state_versions on state_versions.id = ${versionId}
    where state_instances.blob_id = ${blobId} and ${within(sql, 'state_instances.address_digest', part)}
      and not exists (
        select from workspace_resources as known
        where known.workspace_id = ${workspaceId} and ${within(sql, 'known.address_digest', part)}
          and known.address_digest = state_instances.address_digest
          and known.fingerprint = state_instances.fingerprint
      )
    on conflict (workspace_id, address_digest) do update
    set fingerprint = excluded.fingerprint, provider = excluded.provider,
      modified_by_state_version_id = excluded.modified_by_state_version_id, updated_at = excluded.updated_at`;
  await sql`
    delete from state_instances
    where state_instances.blob_id = ${blobId} and ${within(sql, 'state_instances.address_digest', part)}`;
}

function within(sql: Sql, digest: string, { from, before }: Part): Fragment {
  return before === null
    ? sql`${sql(digest)} >= ${from}`
    : sql`${sql(digest)} >= ${from} and ${sql(digest)} < ${before}`;
}

/** Takes over what large states have left to do, one workspace after the other. Any number of servers may do so at once. */
export async function finishResources(store: Store, isStopped = () => false): Promise<void> {
  const unfinished = await store.read<{ id: string }[]>`
    select unfinished_resources.workspace_id as id from unfinished_resources
    order by unfinished_resources.began_at, unfinished_resources.workspace_id limit ${batchSize}`;
  for (const { id } of unfinished) {
    while (!isStopped() && (await store.transaction(sql => takeNextPart(sql, id))));
  }
}

const batchSize = 100;

/** True where there is more to do. Where somebody else has the workspace, there is not: it comes up again. */
async function takeNextPart(sql: Sql, workspaceId: string): Promise<boolean> {
  // In the order in which everybody holds rows: the workspace first.
  const [workspace] = await sql`
    select from workspaces where workspaces.id = ${workspaceId} for key share of workspaces skip locked`;
  if (!workspace) return false;
  const [found] = await sql<{ versionId: string; blobId: string; from: string }[]>`
    select state_versions.id as "versionId", state_versions.blob_id as "blobId", unfinished_resources.next_digest as "from"
    from unfinished_resources
    join state_versions on state_versions.id = unfinished_resources.state_version_id
    where unfinished_resources.workspace_id = ${workspaceId}
    for update of unfinished_resources skip locked`;
  if (!found) return false;
  const { versionId, blobId, from } = found;
  const [next] = await sql<{ digest: string }[]>`
    select state_instances.address_digest as digest from state_instances
    where state_instances.blob_id = ${blobId} and state_instances.address_digest >= ${from}
    order by state_instances.address_digest offset ${part_items} limit 1`;
  await takePart(sql, { workspaceId, versionId, blobId }, { from, before: next?.digest ?? null });
  if (next) {
    await sql`
      update unfinished_resources set next_digest = ${next.digest}
      where unfinished_resources.workspace_id = ${workspaceId}`;
    return true;
  }
  await sql`delete from unfinished_resources where unfinished_resources.workspace_id = ${workspaceId}`;
  await sql`update state_versions set resources_processed = true where state_versions.id = ${versionId}`;
  return false;
}

const interval_ms = 1000;

/** Looks every second until the returned function is called, which resolves behind the part that is under way. */
export function startFinishingResources(store: Store, log: RepeatLog): () => Promise<void> {
  let isStopped = false;
  const work = () => finishResources(store, () => isStopped);
  const end = repeat(
    interval_ms,
    work,
    log,
    'the resources of a large state could not be taken over; it is tried again',
  );
  return async () => {
    isStopped = true;
    await end();
  };
}
