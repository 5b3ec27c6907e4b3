/** Upload and download of a configuration version's content, as it is: a compressed archive that nobody looks into. */

import { policy } from '../../access/policy.ts';
import { blobStore, type Written } from '../../core/blobs/blob-store.ts';
import { downloadOf } from '../../core/blobs/download.ts';
import { blobsOf, type Repeated, requireSame, summedUp } from '../../core/blobs/repeated.ts';
import type { Config } from '../../core/config.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint, type Receiver } from '../../core/jsonapi/endpoint.ts';
import { limits } from '../../core/limits.ts';
import type { Sql } from '../../core/store/store.ts';
import { beginRun, runningWorkspace } from '../queue/of-workspace.ts';
import { stamp } from '../queue/phases.ts';
import { ofConfigurations } from '../queue/sources.ts';
import { type ConfigurationVersion, configurationVersionById, contentPath } from './configuration-version.ts';

const content = {
  section: '§2.2',
  paths: [contentPath(':configuration_version_id')],
  signed: 'in query',
  subject: configurationVersionById,
} as const;

/** The same address takes the content again until a run uses it or somebody archives it: the later one counts. */
export const uploadConfiguration = endpoint({
  ...content,
  operation: 'configuration-versions.upload',
  summary: 'Send the content of a configuration version, a compressed archive',
  method: 'PUT',
  needs: policy['configuration-version:create'],
  answer: { status: 200 },
  errors: ['upload-used'],
  receives: {
    limitBytes: () => limits.configuration_bytes.value,
    take: async ({ pieces }, { subject, store, config }) => {
      requireOpen(subject);
      const received = (await isUsed(store.read, subject))
        ? await summedUp(pieces)
        : await blobStore(config).write(store.read, subject.workspace_id, pieces);
      return { rest: Buffer.alloc(0), received };
    },
    discard: (received, { store, config }) => blobStore(config).discard(store.read, blobsOf(received)),
  } satisfies Receiver<ConfigurationVersion, undefined, Written | Repeated>,
  handle: async ({ sql, subject: version, config, received, note }) => {
    requireOpen(version);
    const blobs = blobStore(config);
    if (received.id === null || (await isUsed(sql, version))) {
      await requireSame(sql, version.blob_id, received, 'used by a run');
      await blobs.discard(sql, blobsOf(received));
      return note({ status: version.status });
    }
    const { id, sizeBytes } = received;
    await blobs.keep(sql, id);
    await sql`
      update configuration_versions
      set blob_id = ${id}, status = 'uploaded',
        status_timestamps = status_timestamps || jsonb_build_object('uploaded-at', ${stamp(sql)})
      where configuration_versions.id = ${version.id}`;
    if (version.blob_id !== null) await blobs.remove(sql, [version.blob_id]);
    if (version.status === 'pending' && version.auto_queue_runs) await queueRun(sql, config, version);
    note({ status: [version.status, 'uploaded'], size: sizeBytes });
  },
});

export const configurationContent = endpoint({
  ...content,
  operation: 'configuration-versions.fetch',
  isForTasks: true,
  summary: 'Fetch the content of a configuration version',
  method: 'GET',
  needs: policy['configuration-version:read'],
  answer: { status: 200, content: 'application/octet-stream' },
  errors: ['content-damaged'],
  handle: ({ sql, subject: { status, blob_id }, config }) =>
    downloadOf(sql, config, status === 'uploaded' ? blob_id : null),
});

function requireOpen({ status }: ConfigurationVersion): void {
  if (status !== 'pending' && status !== 'uploaded') throw new ApiError('upload-used', { status });
}

/** What a run was made of stays as it was: its plan would be of something else than what is applied. */
async function isUsed(sql: Sql, { id }: ConfigurationVersion): Promise<boolean> {
  const runs = await sql`select from runs where runs.configuration_version_id = ${id} limit 1`;
  return runs.length > 0;
}

/** `auto-queue-runs`: the first upload makes a run, where the workspace takes runs at all. */
async function queueRun(sql: Sql, config: Config, version: ConfigurationVersion): Promise<void> {
  const workspace = await runningWorkspace(sql, version.workspace_id);
  if (!workspace) return;
  const begun = {
    source: ofConfigurations,
    created_by_id: version.created_by_id,
    configuration_version_id: version.id,
  };
  await beginRun(sql, config, workspace, begun, {
    message: 'Queued by the upload of a configuration version',
    plan_only: version.speculative,
    // Whoever may only upload has not decided that it is applied.
    auto_apply: !version.speculative && version.creator_may_apply && workspace.auto_apply,
  });
}
