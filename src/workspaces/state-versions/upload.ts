/** §3 The content of a state version at its signed addresses: upload of either form in either order, and download. */
import type { Actor } from '../../core/access/actor.ts';
import { recordEvent } from '../../core/audit/record.ts';
import { postgresBlobs } from '../../core/blobs/blob-store.ts';
import { ApiError } from '../../core/errors.ts';
import type { Row } from '../../core/jsonapi/fields.ts';
import type { Download, Transfer, TransferContext } from '../../core/jsonapi/transfer.ts';
import type { Sql } from '../../core/store/store.ts';
import { requireSuccession } from './create.ts';
import { finalize, type Received, receive, requireMd5 } from './intake.ts';
import { headOf, readVersions, type StateVersion } from './state-version.ts';

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
    const version = await findVersion(store.read, context);
    requirePending(version);
    const received = await receive(store.read, config, version.workspace_id, source);
    await keepOrRemove(context, 'state-versions.upload', received.blobId, async sql => {
      requireMd5(received, version.md5);
      const held = await holdVersion(sql, context, version);
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
    const version = await findVersion(store.read, context);
    requireAwaited(version);
    const { id } = await blobs.write(store.read, version.workspace_id, source);
    await keepOrRemove(context, 'state-versions.upload-json', id, async sql => {
      const held = await holdVersion(sql, context, version);
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

/** The signed address is the permission: it was shown to someone who may. */
async function findVersion(sql: Sql, { params }: TransferContext): Promise<StateVersion> {
  const [version] = await readVersions(sql, sql`state_versions.id = ${params['state_version_id']!}`);
  if (!version) throw new ApiError('not-found');
  return version;
}

/** Behind the row of the workspace, as every change of its state. */
async function holdVersion(sql: Sql, context: TransferContext, version: StateVersion): Promise<StateVersion> {
  await sql`select from workspaces where workspaces.id = ${version.workspace_id} for update`;
  return findVersion(sql, context);
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
async function keepOrRemove(
  context: TransferContext,
  operation: string,
  blobId: string,
  work: (sql: Sql) => Promise<void>,
): Promise<void> {
  const { store, config } = context;
  try {
    await store.transaction(async sql => {
      await work(sql);
      await record(sql, context, operation);
    });
  } catch (error) {
    // Best effort: whatever stays behind is swept.
    await postgresBlobs(config)
      .remove(store.read, [blobId])
      .catch(() => undefined);
    throw error;
  }
}

/** In the name of whoever created the version, and so was given the address. */
async function record(sql: Sql, context: TransferContext, operation: string): Promise<void> {
  const version = await findVersion(sql, context);
  const [by] = await sql<Row[]>`
    select users.username, workspaces.organization_id from workspaces
    left join users on users.id = ${version.created_by_id}
    where workspaces.id = ${version.workspace_id}`;
  const actor = { kind: 'user', userId: version.created_by_id, username: by?.['username'] ?? null, tokenId: null };
  const subject = { id: version.id, organization_id: by?.['organization_id'] };
  await recordEvent(sql, {
    operation,
    actor: actor as unknown as Actor,
    subject,
    result: null,
    notes: { status: version.status, size: version.size, serial: version.serial, md5: version.md5 },
    requestId: context.requestId,
    remoteAddress: context.remoteAddress,
  });
}
