/** Upload and download of a configuration version's content, as it is: a compressed archive that nobody looks into. */

import { policy } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import { recordEvent } from '../../core/audit/record.ts';
import { postgresBlobs } from '../../core/blobs/blob-store.ts';
import type { Config } from '../../core/config.ts';
import { ApiError } from '../../core/errors.ts';
import { permitted } from '../../core/jsonapi/records.ts';
import type { Transfer, TransferContext } from '../../core/jsonapi/transfer.ts';
import type { Lock, Sql } from '../../core/store/store.ts';
import { beginRun, runningWorkspace } from '../queue/of-workspace.ts';
import { stamp } from '../queue/phases.ts';
import {
  type ConfigurationVersion,
  configurationVersionById,
  contentPath,
  readConfigurationVersions,
} from './configuration-version.ts';

export const configurationLimitBytes = 128 * 1024 * 1024;

const path = contentPath(':configuration_version_id');

/** The same address takes the content again until a run uses it or somebody archives it: the later one counts. */
export const uploadConfiguration: Transfer = {
  operation: 'configuration-versions.upload',
  section: '§2.2',
  method: 'PUT',
  path,
  limitBytes: () => configurationLimitBytes,
  handle: async context => {
    const { store, config, source } = context;
    const blobs = postgresBlobs(config);
    const found = await admit(store.read, context, null);
    await requireOpen(store.read, found.version);
    const { id, sizeBytes } = await blobs.write(store.read, found.version.workspace_id, source);
    try {
      await store.transaction(async sql => {
        const { version, actor } = await admit(sql, context, 'update');
        await requireOpen(sql, version);
        await blobs.keep(sql, id);
        await sql`
          update configuration_versions
          set blob_id = ${id}, status = 'uploaded',
            status_timestamps = status_timestamps || jsonb_build_object('uploaded-at', ${stamp(sql)})
          where configuration_versions.id = ${version.id}`;
        if (version.blob_id !== null) await blobs.remove(sql, [version.blob_id]);
        if (version.status === 'pending' && version.auto_queue_runs) await queueRun(sql, config, version);
        await record(sql, context, version, actor, sizeBytes);
      });
    } catch (error) {
      // Best effort: whatever stays behind is swept.
      await blobs.discard(store.read, [id]).catch(() => undefined);
      throw error;
    }
    return undefined;
  },
};

export const downloadConfiguration: Transfer = {
  operation: 'configuration-versions.fetch',
  section: '§2.2',
  method: 'GET',
  path,
  handle: async context => {
    const { store, config } = context;
    const version = await findVersion(store.read, context);
    if (version.status !== 'uploaded' || version.blob_id === null) throw new ApiError('not-found');
    const [blob] = await store.read<{ size_bytes: number }[]>`
      select blobs.size_bytes from blobs where blobs.id = ${version.blob_id}`;
    if (!blob) throw new ApiError('content-damaged');
    const content = postgresBlobs(config).read(store.read, version.blob_id);
    return { mediaType: 'application/octet-stream', sizeBytes: blob.size_bytes, content };
  },
};

export const configurationVersionTransfers = [uploadConfiguration, downloadConfiguration];

/** For reading, the signed address is the permission: it was shown to someone who may. */
async function findVersion(sql: Sql, { params }: TransferContext): Promise<ConfigurationVersion> {
  const [version] = await readConfigurationVersions(
    sql,
    sql`configuration_versions.id = ${params['configuration_version_id']!}`,
  );
  if (!version) throw new ApiError('not-found');
  return version;
}

/** For writing, the address acts for whoever made the version, and ends with that account or its power. */
async function admit(
  sql: Sql,
  context: TransferContext,
  lock: Lock,
): Promise<{ version: ConfigurationVersion; actor: Actor }> {
  const { created_by_id } = await findVersion(sql, context);
  const actor = await context.actingFor(sql, created_by_id);
  const needs = policy['configuration-version:create'];
  const version = await permitted({ sql, actor }, configurationVersionById, needs, context.params, lock);
  if (version) return { version, actor };
  // Gone meanwhile, or never there: that is told first.
  await findVersion(sql, context);
  throw new ApiError('address-ended');
}

/** What a run was made of stays as it was: its plan would be of something else than what is applied. */
async function requireOpen(sql: Sql, { id, status }: ConfigurationVersion): Promise<void> {
  if (status !== 'pending' && status !== 'uploaded') throw new ApiError('upload-used', { status });
  const [run] = await sql`select from runs where runs.configuration_version_id = ${id} limit 1`;
  if (run) throw new ApiError('upload-used', { status: 'used by a run' });
}

/** `auto-queue-runs`: the first upload makes a run, where the workspace takes runs at all. */
async function queueRun(sql: Sql, config: Config, version: ConfigurationVersion): Promise<void> {
  const workspace = await runningWorkspace(sql, version.workspace_id);
  if (!workspace) return;
  const begun = {
    source: 'tfe-configuration-version',
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

async function record(
  sql: Sql,
  { requestId, remoteAddress }: TransferContext,
  version: ConfigurationVersion,
  actor: Actor,
  sizeBytes: number,
): Promise<void> {
  await recordEvent(sql, {
    operation: 'configuration-versions.upload',
    actor,
    subject: { id: version.id, organization_id: version.organization_id },
    result: null,
    notes: { status: [version.status, 'uploaded'], size: sizeBytes },
    requestId,
    remoteAddress,
  });
}
