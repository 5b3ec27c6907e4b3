/** §4.7 Delete a batch of one workspace's content for good, under the lease and the row of the workspace. */
import type { SystemActor } from '../../core/audit/change.ts';
import { blobStore } from '../../core/blobs/blob-store.ts';
import type { Config } from '../../core/config.ts';
import type { Sql, Store } from '../../core/store/store.ts';
import { recordEvent } from '../../organizations/audit/record.ts';
import { type Due, dueOf, type Kind } from './due.ts';
import { renewLease } from './lease.ts';

/** Few, since the workspace takes no change meanwhile: ten of the largest states are gone in about a second. */
export const batchSize = 10;

const actor: SystemActor = { kind: 'system', userId: 'data-retention', username: 'Data retention', tokenId: null };
const gone = 'backing_data_permanently_deleted';

/** Returns how many were deleted and whether there may be more; null when somebody else is changing the workspace. */
export async function deleteBatch(
  store: Store,
  config: Config,
  jobId: string,
  kind: Kind,
  workspaceId: string,
): Promise<{ deleted: number; isMore: boolean } | null> {
  return store.transaction(async sql => {
    await renewLease(sql, jobId);
    if (!(await holdWorkspace(sql, workspaceId))) return null;
    const held = await dueOf(sql, kind, workspaceId, sql`limit ${batchSize} for update of versions skip locked`);
    const due = await withoutNeeded(sql, held);
    await removeContent(sql, config, kind, due);
    for (const version of due) await record(sql, jobId, version);
    return { deleted: due.length, isMore: held.length === batchSize };
  });
}

/** What is current and which policy is in effect can change only behind these two rows. */
async function holdWorkspace(sql: Sql, id: string): Promise<boolean> {
  const held = await sql`
    select workspaces.id from workspaces
    join organizations on organizations.id = workspaces.organization_id
    where workspaces.id = ${id}
    for update of workspaces skip locked
    for share of organizations skip locked`;
  return held.length > 0;
}

/** A run of another workspace may have been made of a configuration version just before that was held. */
async function withoutNeeded(sql: Sql, held: Due[]): Promise<Due[]> {
  const ids = held.filter(({ kind }) => kind === 'configuration-versions').map(({ id }) => id);
  if (ids.length === 0) return held;
  const needed = await sql<{ id: string }[]>`
    select distinct runs.configuration_version_id as id from runs
    where runs.configuration_version_id = any(${ids}) and runs.finished_at is null`;
  return held.filter(({ id }) => !needed.some(run => run.id === id));
}

async function removeContent(sql: Sql, config: Config, kind: Kind, due: Due[]): Promise<void> {
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) return;
  const blobIds = due.flatMap(({ blob_ids }) => blob_ids);
  if (kind === 'state-versions') {
    // Whoever still has an address for the second upload could bring content back.
    await sql`
      update state_versions set status = ${gone}, blob_id = null, json_blob_id = null, awaits_json = false
      where state_versions.id = any(${ids})`;
    await sql`delete from state_version_outputs where state_version_outputs.state_version_id = any(${ids})`;
  } else {
    await sql`
      update configuration_versions set status = ${gone}, blob_id = null where configuration_versions.id = any(${ids})`;
  }
  await blobStore(config).remove(sql, blobIds);
}

/** Under the name of the action that people have for the same. */
async function record(sql: Sql, jobId: string, due: Due): Promise<void> {
  await recordEvent(sql, {
    operation: `${due.kind}.permanently-delete-backing-data`,
    actor,
    subject: { id: due.id, organization_id: due.organization_id },
    result: null,
    notes: {
      status: [due.status, gone],
      workspace_id: due.workspace_id,
      created_at: due.created_at,
      delete_older_than_n_days: due.delete_older_than_n_days,
    },
    requestId: jobId,
    remoteAddress: null,
  });
}
