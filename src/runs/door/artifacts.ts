/** The files of a run: its configuration, and what one phase leaves for the other and for readers. */
import { artifactNames } from '../../../agent/protocol.ts';
import { blobStore } from '../../core/blobs/blob-store.ts';
import { downloadOf } from '../../core/blobs/download.ts';
import type { Config } from '../../core/config.ts';
import { ApiError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Sql, Store } from '../../core/store/store.ts';
import { artifactOf, keepArtifact } from '../phases/artifacts.ts';
import { call } from './call.ts';
import { holdJob, requireRunning } from './held-job.ts';

export const readConfiguration = call<'job'>({
  operation: 'jobs.read-configuration',
  summary: 'Fetch the configuration of the run, a compressed archive',
  method: 'GET',
  path: '/job/configuration',
  opens: 'job',
  handle: async ({ holder, store, config }) => {
    requireRunning(holder);
    const [version] = await store.read<{ blob_id: string | null }[]>`
      select configuration_versions.blob_id from runs
      join configuration_versions on configuration_versions.id = runs.configuration_version_id
      where runs.id = ${holder.runId} and configuration_versions.status = 'uploaded'`;
    return { content: await downloadOf(store.read, config, version?.blob_id) };
  },
});

export const readArtifact = call<'job'>({
  operation: 'jobs.read-artifact',
  summary: 'Fetch what the phase before left under this name',
  method: 'GET',
  path: '/job/artifacts/:name',
  opens: 'job',
  handle: async ({ holder, params, store, config }) => {
    requireRunning(holder);
    const blobId = await artifactOf(store.read, holder.runId, params['name']!);
    return { content: await downloadOf(store.read, config, blobId) };
  },
});

export const writeArtifact = call<'job'>({
  operation: 'jobs.write-artifact',
  summary: 'Leave a file for the next phase or for readers; the later one of a name counts',
  method: 'PUT',
  path: '/job/artifacts/:name',
  opens: 'job',
  limitBytes: () => limits.runPlan_bytes.value,
  handle: async ({ holder, params, source, store, config }) => {
    requireRunning(holder);
    const name = artifactNames.find(known => known === params['name']);
    if (!name || holder.phase !== 'plan') throw new ApiError('not-found');
    await writing(store, config, holder.workspaceId, source, async (sql, blobId) => {
      await holdJob(sql, holder, 'running');
      await keepArtifact(sql, config, holder.runId, name, blobId);
    });
    return undefined;
  },
});

/** Writes content, and keeps it together with what `keep` does; without that it goes. */
export async function writing(
  store: Store,
  config: Config,
  workspaceId: string,
  source: AsyncIterable<Buffer>,
  keep: (sql: Sql, blobId: string) => Promise<void>,
): Promise<void> {
  const blobs = blobStore(config);
  const { id } = await blobs.write(store.content, workspaceId, source);
  try {
    await store.transaction(sql => keep(sql, id));
  } catch (error) {
    // Best effort: whatever stays behind is swept.
    await blobs.discard(store.content, [id]).catch(() => undefined);
    throw error;
  }
}
