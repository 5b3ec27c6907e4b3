/** §3 The content of a state version at its signed addresses: upload of either form in either order, and download. */
import { policy } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import { recordEvent } from '../../core/audit/record.ts';
import { postgresBlobs } from '../../core/blobs/blob-store.ts';
import { ApiError } from '../../core/errors.ts';
import { permitted } from '../../core/jsonapi/records.ts';
import type { Download, Transfer, TransferContext } from '../../core/jsonapi/transfer.ts';
import { held, type Lock, type Sql } from '../../core/store/store.ts';
import { requireSuccession } from './create.ts';
import { finalize, type Received, receive, requireMd5 } from './intake.ts';
import { headOf, readVersions, type StateVersion, stateVersionById } from './state-version.ts';

const statePath = '/_blobs/state-versions/:state_version_id/state';
const jsonPath = '/_blobs/state-versions/:state_version_id/json-state';
const mebibyte = 1024 * 1024;

export const uploadState: Transfer = {
  operation: 'state-versions.upload',
  section: '§3',
  method: 'PUT',
  path: statePath,
  limitBytes: config => config.maxStateMib * mebibyte,
  handle: async context => {
    const { store, config, source } = context;
    const { version } = await admit(store.read, context, null);
    requirePending(version);
    const received = await receive(store.read, config, version.workspace_id, source);
    await keepOrDiscard(context, 'state-versions.upload', received.blobId, async (sql, held) => {
      requireMd5(received, version.md5);
      requirePending(held);
      await requireLineage(sql, held, received);
      await finalize(sql, config, held.id, received);
    });
    return undefined;
  },
};

/** The documented form of the state; nothing is read from it. It is longer than the state. */
export const uploadJsonState: Transfer = {
  operation: 'state-versions.upload-json',
  section: '§3',
  method: 'PUT',
  path: jsonPath,
  limitBytes: config => 4 * config.maxStateMib * mebibyte,
  handle: async context => {
    const { store, config, source } = context;
    const blobs = postgresBlobs(config);
    const { version } = await admit(store.read, context, null);
    requireAwaited(version);
    const { id } = await blobs.write(store.read, version.workspace_id, source);
    await keepOrDiscard(context, 'state-versions.upload-json', id, async (sql, held) => {
      requireAwaited(held);
      await blobs.keep(sql, id);
      await sql`
        update state_versions set json_blob_id = ${id}, awaits_json = false where state_versions.id = ${held.id}`;
    });
    return undefined;
  },
};

export const downloadState: Transfer = {
  operation: 'state-versions.download',
  section: '§3',
  method: 'GET',
  path: statePath,
  handle: context => download(context, ({ blob_id }) => blob_id),
};

export const downloadJsonState: Transfer = {
  operation: 'state-versions.download-json',
  section: '§3',
  method: 'GET',
  path: jsonPath,
  handle: context => download(context, ({ json_blob_id }) => json_blob_id),
};

async function download(context: TransferContext, blobOf: (version: StateVersion) => string | null): Promise<Download> {
  const { store, config } = context;
  const version = await findVersion(store.read, context);
  const id = version.status === 'finalized' ? blobOf(version) : null;
  if (id === null) throw new ApiError('not-found');
  const [blob] = await store.read<{ size_bytes: number }[]>`
    select blobs.size_bytes from blobs where blobs.id = ${id}`;
  if (!blob) throw new ApiError('content-damaged');
  const content = postgresBlobs(config).read(store.read, id);
  return { mediaType: 'application/json', sizeBytes: blob.size_bytes, content };
}

/** For reading, the signed address is the permission: it was shown to someone who may. */
async function findVersion(sql: Sql, { params }: TransferContext): Promise<StateVersion> {
  const [version] = await readVersions(sql, sql`state_versions.id = ${params['state_version_id']!}`);
  if (!version) throw new ApiError('not-found');
  return version;
}

/**
 * For writing, the address acts for whoever made the version, and ends with that account or its power. What a run made
 * comes in while the run holds the lock. In a transaction the row of the workspace is held, as by every change of its state.
 */
async function admit(sql: Sql, context: TransferContext, lock: Lock): Promise<{ version: StateVersion; actor: Actor }> {
  const { created_by_id, workspace_id, run_id } = await findVersion(sql, context);
  const actor = await context.actingFor(sql, created_by_id);
  const [workspace] = await sql<{ locked_by_type: string | null; locked_by_id: string | null }[]>`
    select workspaces.locked_by_type, workspaces.locked_by_id from workspaces
    where workspaces.id = ${workspace_id} ${held(sql, lock, 'workspaces')}`;
  const isOfRun = run_id !== null && workspace?.locked_by_type === 'runs' && workspace.locked_by_id === run_id;
  const needs = policy['workspace:create-state-version'];
  const isPermitted = isOfRun || (await permitted({ sql, actor }, stateVersionById, needs, context.params, lock));
  // Gone meanwhile, or never there: that is told first.
  const version = await findVersion(sql, context);
  if (!isPermitted) throw new ApiError('address-ended');
  return { version, actor };
}

function requirePending(version: StateVersion): void {
  if (version.status !== 'pending') throw new ApiError('upload-used', { status: version.status });
}

function requireAwaited(version: StateVersion): void {
  if (!version.awaits_json) throw new ApiError('upload-used', { status: version.status });
}

/** Where the body of the creation did not say it, the lineage is the one of the content. */
async function requireLineage(sql: Sql, version: StateVersion, { contents }: Received): Promise<void> {
  if (version.lineage !== null || version.is_forced || contents.lineage === null) return;
  const head = await headOf(sql, version.workspace_id);
  if (!head || head.lineage === null || head.lineage === contents.lineage) return;
  requireSuccession(head, { serial: version.serial, md5: version.md5, lineage: contents.lineage }, false);
}

/** One transaction for the change and its audit event; without it the content goes. */
async function keepOrDiscard(
  context: TransferContext,
  operation: string,
  blobId: string,
  work: (sql: Sql, held: StateVersion) => Promise<void>,
): Promise<void> {
  const { store, config } = context;
  try {
    await store.transaction(async sql => {
      const { version, actor } = await admit(sql, context, 'update');
      await work(sql, version);
      await record(sql, context, operation, actor);
    });
  } catch (error) {
    // Best effort: whatever stays behind is swept.
    await postgresBlobs(config)
      .discard(store.read, [blobId])
      .catch(() => undefined);
    throw error;
  }
}

async function record(sql: Sql, context: TransferContext, operation: string, actor: Actor): Promise<void> {
  const version = await findVersion(sql, context);
  const [workspace] = await sql<{ organization_id: string }[]>`
    select workspaces.organization_id from workspaces where workspaces.id = ${version.workspace_id}`;
  await recordEvent(sql, {
    operation,
    actor,
    subject: { id: version.id, organization_id: workspace!.organization_id },
    result: null,
    notes: { status: version.status, size: version.size, serial: version.serial, md5: version.md5 },
    requestId: context.requestId,
    remoteAddress: context.remoteAddress,
  });
}
