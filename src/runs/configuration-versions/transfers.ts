/** Upload and download of a configuration version's content, as it is: a compressed archive that nobody looks into. */

import { recordEvent } from '../../core/audit/record.ts';
import { postgresBlobs } from '../../core/blobs/blob-store.ts';
import type { Config } from '../../core/config.ts';
import { ApiError } from '../../core/errors.ts';
import type { Row } from '../../core/jsonapi/fields.ts';
import type { Transfer, TransferContext } from '../../core/jsonapi/transfer.ts';
import type { Sql } from '../../core/store/store.ts';
import { beginRun, runningWorkspace } from '../queue/of-workspace.ts';
import { stamp } from '../queue/phases.ts';
import { type ConfigurationVersion, contentPath, readConfigurationVersions } from './configuration-version.ts';

export const configurationLimitBytes = 128 * 1024 * 1024;

const path = contentPath(':configuration_version_id');

/** The same address takes the content again until somebody archives it: the later one counts. */
export const uploadConfiguration: Transfer = {
  operation: 'configuration-versions.upload',
  section: '§2.2',
  method: 'PUT',
  path,
  limitBytes: () => configurationLimitBytes,
  handle: async context => {
    const { store, config, source } = context;
    const blobs = postgresBlobs(config);
    const found = await findVersion(store.read, context);
    requireOpen(found);
    const { id, sizeBytes } = await blobs.write(store.read, found.workspace_id, source);
    try {
      await store.transaction(async sql => {
        await sql`select from workspaces where workspaces.id = ${found.workspace_id} for update`;
        const version = await findVersion(sql, context);
        requireOpen(version);
        await blobs.keep(sql, id);
        await sql`
          update configuration_versions
          set blob_id = ${id}, status = 'uploaded',
            status_timestamps = status_timestamps || jsonb_build_object('uploaded-at', ${stamp(sql)})
          where configuration_versions.id = ${version.id}`;
        if (version.blob_id !== null) await blobs.remove(sql, [version.blob_id]);
        if (version.status === 'pending' && version.auto_queue_runs) await queueRun(sql, config, version);
        await record(sql, context, version, sizeBytes);
      });
    } catch (error) {
      // Best effort: whatever stays behind is swept.
      await blobs.remove(store.read, [id]).catch(() => undefined);
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

/** The signed address is the permission: it was shown to someone who may. */
async function findVersion(sql: Sql, { params }: TransferContext): Promise<ConfigurationVersion> {
  const [version] = await readConfigurationVersions(
    sql,
    sql`configuration_versions.id = ${params['configuration_version_id']!}`,
  );
  if (!version) throw new ApiError('not-found');
  return version;
}

function requireOpen({ status }: ConfigurationVersion): void {
  if (status !== 'pending' && status !== 'uploaded') throw new ApiError('upload-used', { status });
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

/** In the name of whoever created the version, and so was given the address. */
async function record(
  sql: Sql,
  { requestId, remoteAddress }: TransferContext,
  version: ConfigurationVersion,
  sizeBytes: number,
): Promise<void> {
  const [user] = await sql<Row[]>`select users.username from users where users.id = ${version.created_by_id}`;
  const username: string | null = user?.['username'] ?? null;
  await recordEvent(sql, {
    operation: 'configuration-versions.upload',
    actor: { kind: 'user', userId: version.created_by_id, username, tokenId: null } as never,
    subject: { id: version.id, organization_id: version.organization_id },
    result: null,
    notes: { status: [version.status, 'uploaded'], size: sizeBytes },
    requestId,
    remoteAddress,
  });
}
