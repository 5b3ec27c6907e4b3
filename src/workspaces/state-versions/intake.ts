/** How content becomes that of a state version: streamed to the store while it is hashed and read, then made final. */
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { blobStore, type Content, type Written } from '../../core/blobs/blob-store.ts';
import type { Config } from '../../core/config.ts';
import { ApiError } from '../../core/errors.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { isSinglePart } from '../workspaces/current-resources.ts';
import { contentsReader, type StateContents } from './contents.ts';
import { NotJson } from './json-grammar.ts';
import { Unwanted } from './json-reader.ts';
import { type Staging, stagingOf } from './staging.ts';

export interface Received extends Written {
  /** In hexadecimal digits. */
  md5: string;
  contents: StateContents;
  resourceCount: number;
}

/** Writes the content and reads it in passing. Throws `state-not-json`, `state-unwanted`, and what the content throws; then nothing is left. */
export async function receive(sql: Sql, config: Config, workspaceId: string, content: Content): Promise<Received> {
  const id = newId('blob');
  const watch = watched(content, stagingOf(sql, config, id));
  try {
    const written = await blobStore(config).write(sql, workspaceId, watch.content(), id);
    const [count] = await sql<{ total: number }[]>`
      select count(*) as total from state_instances where state_instances.blob_id = ${id}`;
    return { ...written, resourceCount: count!.total, ...watch.result() };
  } catch (error) {
    if (error instanceof NotJson) throw refusal('state-not-json', error);
    throw error instanceof Unwanted ? refusal('state-unwanted', error) : error;
  }
}

/** So much is read before others have their turn: a few milliseconds of work at the most. */
const sliceBytes = 16 * 1024;

/** The content as it is, while it is summed up and read. */
function watched(content: Content, staging: Staging) {
  const md5 = createHash('md5');
  const reader = contentsReader();
  let contents: StateContents;
  return {
    content: async function* () {
      for await (const piece of content) {
        md5.update(piece);
        for (let from = 0; from < piece.length; from += sliceBytes) {
          reader.push(piece.subarray(from, from + sliceBytes));
          await staging.add(reader.drain());
          await turn();
        }
        yield piece;
      }
      contents = reader.end();
      await staging.flush();
    },
    result: () => ({ md5: md5.digest('hex'), contents }),
  };
}

function refusal(name: 'state-not-json' | 'state-unwanted', { message }: Error): ApiError {
  return new ApiError(name, { reason: message }, { pointer: '/data/attributes/state' });
}

export function requireMd5(received: Received, md5: string): void {
  if (received.md5 === md5.toLowerCase()) return;
  throw new ApiError('state-md5-mismatch', { md5: received.md5 }, { pointer: '/data/attributes/md5' });
}

/** Makes a version final: its content, its outputs, and what its resources are. The workspace's row is held. */
export async function finalize(sql: Sql, config: Config, versionId: string, received: Received): Promise<void> {
  const { id: blobId, sizeBytes, contents, resourceCount } = received;
  await blobStore(config).keep(sql, blobId);
  const [version] = await sql<{ workspace_id: string; created_at: string }[]>`
    update state_versions
    set ${row(sql, {
      status: 'finalized',
      blob_id: blobId,
      size: sizeBytes,
      format_version: contents.formatVersion,
      engine_version: contents.engineVersion,
      is_readable: contents.isReadable,
      resources_processed: isSinglePart(resourceCount),
      resource_count: resourceCount,
      billable_rum_count: contents.billableCount,
      modules: sql.json(contents.modules),
      providers: sql.json(contents.providers),
      resources: sql.json(contents.groups),
    })}, lineage = coalesce(state_versions.lineage, ${contents.lineage})
    where state_versions.id = ${versionId}
    returning state_versions.workspace_id, state_versions.created_at`;
  await sql`
    update state_version_outputs set state_version_id = ${versionId} where state_version_outputs.blob_id = ${blobId}`;
  await sql`
    update workspaces
    set latest_change_at = greatest(workspaces.latest_change_at, ${version!.created_at}), revision = default
    where workspaces.id = ${version!.workspace_id}`;
}
