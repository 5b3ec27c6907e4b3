/** How content becomes that of a state version: streamed to the store while it is hashed and read, then made final. */

import { createHash } from 'node:crypto';
import { type Content, postgresBlobs } from '../../core/blobs/blob-store.ts';
import type { Config } from '../../core/config.ts';
import { ApiError } from '../../core/errors.ts';
import { newId } from '../../core/store/ids.ts';
import { seal } from '../../core/store/secrets.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { contentsReader, type Output, type StateContents } from './contents.ts';
import { sealContext } from './outputs.ts';
import { NotJson } from './scan.ts';

export interface Received {
  blobId: string;
  sizeBytes: number;
  /** In hexadecimal digits. */
  md5: string;
  contents: StateContents;
}

/** Writes the content and reads it in passing. Throws `state-not-json`, and what the content throws; then nothing is left. */
export async function receive(sql: Sql, config: Config, workspaceId: string, content: Content): Promise<Received> {
  const md5 = createHash('md5');
  const reader = contentsReader();
  let contents: StateContents | undefined;
  const watched = async function* () {
    for await (const piece of content) {
      md5.update(piece);
      reader.push(piece);
      yield piece;
    }
    contents = reader.end();
  };
  try {
    const { id, sizeBytes } = await postgresBlobs(config).write(sql, workspaceId, watched());
    return { blobId: id, sizeBytes, md5: md5.digest('hex'), contents: contents! };
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    throw new ApiError('state-not-json', { reason: error.message }, { pointer: '/data/attributes/state' });
  }
}

export function requireMd5(received: Received, md5: string): void {
  if (received.md5 === md5.toLowerCase()) return;
  throw new ApiError('state-md5-mismatch', { md5: received.md5 }, { pointer: '/data/attributes/md5' });
}

const outputsAtOnce = 500;

/** Makes a version final: its content, its outputs, and what its resources are. The workspace's row is held. */
export async function finalize(sql: Sql, config: Config, versionId: string, received: Received): Promise<void> {
  const { blobId, sizeBytes, contents } = received;
  await postgresBlobs(config).keep(sql, blobId);
  const [version] = await sql<{ workspace_id: string; created_at: string }[]>`
    update state_versions
    set ${row(sql, {
      status: 'finalized',
      blob_id: blobId,
      size: sizeBytes,
      format_version: contents.formatVersion,
      engine_version: contents.engineVersion,
      is_readable: contents.isReadable,
      resources_processed: true,
      resource_count: contents.instances.length,
      billable_rum_count: contents.billableCount,
      modules: sql.json(contents.modules),
      providers: sql.json(contents.providers),
      resources: sql.json(contents.groups as never),
      instances: sql.json(contents.instances as never),
    })}, lineage = coalesce(state_versions.lineage, ${contents.lineage})
    where state_versions.id = ${versionId}
    returning state_versions.workspace_id, state_versions.created_at`;
  for (let from = 0; from < contents.outputs.length; from += outputsAtOnce) {
    const rows = contents.outputs
      .slice(from, from + outputsAtOnce)
      .map(output => outputRow(sql, config, versionId, output));
    await sql`insert into state_version_outputs ${sql(rows as never)}`;
  }
  await sql`
    update workspaces
    set latest_change_at = greatest(workspaces.latest_change_at, ${version!.created_at}), revision = default
    where workspaces.id = ${version!.workspace_id}`;
}

/** Every value is sealed, sensitive or not: which ones are may change from version to version. */
function outputRow(sql: Sql, config: Config, versionId: string, output: Output) {
  const { name, sensitive, type, detailedType, value } = output;
  const id = newId('wsout');
  return {
    id,
    state_version_id: versionId,
    name,
    sensitive,
    type,
    detailed_type: sql.json(detailedType as never),
    sealed_value: seal(config, JSON.stringify(value), sealContext(id)),
  };
}
