/** §3 The content of a state version at its signed addresses: upload of either form in either order, and download. */
import { policy } from '../../access/policy.ts';
import { blobStore, type Written } from '../../core/blobs/blob-store.ts';
import { downloadOf } from '../../core/blobs/download.ts';
import { blobsOf, type Repeated, requireSame, summedUp } from '../../core/blobs/repeated.ts';
import type { Config } from '../../core/config.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint, type Receiver } from '../../core/jsonapi/endpoint.ts';
import type { Sql } from '../../core/store/store.ts';
import { requireSuccession } from './create.ts';
import { finalize, type Received, receive, requireMd5 } from './intake.ts';
import { type ContentPart, contentPath, headOf, type StateVersion, stateVersionById } from './state-version.ts';

const mebibyte = 1024 * 1024;
const noJson = Buffer.alloc(0);

const at = (part: ContentPart) =>
  ({
    section: '§3',
    paths: [contentPath(':state_version_id', part)],
    signed: 'in query',
    subject: stateVersionById,
    isForRuns: true,
  }) as const;

const upload = { method: 'PUT', needs: policy['workspace:create-state-version'], answer: { status: 200 } } as const;

export const uploadState = endpoint({
  ...at('state'),
  ...upload,
  operation: 'state-versions.upload',
  summary: 'Send the content of a state version',
  errors: ['upload-used', 'state-md5-mismatch', 'state-not-json', 'state-unwanted', 'state-lineage-conflict'],
  receives: {
    limitBytes: config => config.maxStateMib * mebibyte,
    take: async ({ pieces }, { subject, store, config }) => {
      if (hasState(subject)) return { rest: noJson, received: await summedUp(pieces) };
      requirePending(subject);
      return { rest: noJson, received: await receive(store.read, config, subject.workspace_id, pieces) };
    },
    discard: (received, { store, config }) => blobStore(config).discard(store.read, blobsOf(received)),
  } satisfies Receiver<StateVersion, undefined, Received | Repeated>,
  handle: async ({ sql, subject, config, received, note }) => {
    if (hasState(subject) || received.id === null) {
      await requireSame(sql, subject.blob_id, received, subject.status);
      await blobStore(config).discard(sql, blobsOf(received));
      return note({ status: subject.status, serial: subject.serial, md5: subject.md5 });
    }
    requirePending(subject);
    requireMd5(received, subject.md5);
    await requireLineage(sql, subject, received);
    await finalize(sql, config, subject.id, received);
    await dropDisplaced(sql, subject.workspace_id);
    note({ status: [subject.status, 'finalized'], size: received.sizeBytes, serial: subject.serial, md5: subject.md5 });
  },
});

/** Of those that wait for the end of the lock, only the latest one can become current: the others need no instances. */
async function dropDisplaced(sql: Sql, workspaceId: string): Promise<void> {
  await sql`
    delete from state_instances
    where state_instances.blob_id in (
      select state_versions.blob_id from state_versions
      where state_versions.workspace_id = ${workspaceId} and state_versions.intermediate
        and state_versions.status = 'finalized'
      order by state_versions.position desc offset 1
    )`;
}

/** The documented form of the state; nothing is read from it. It is longer than the state. */
export const uploadJsonState = endpoint({
  ...at('json-state'),
  ...upload,
  operation: 'state-versions.upload-json',
  summary: 'Send the documented form of the content of a state version',
  errors: ['upload-used'],
  receives: {
    limitBytes: config => 4 * config.maxStateMib * mebibyte,
    take: async ({ pieces }, { subject, store, config }) => {
      if (hasJson(subject)) return { rest: noJson, received: await summedUp(pieces) };
      requireAwaited(subject);
      return { rest: noJson, received: await blobStore(config).write(store.read, subject.workspace_id, pieces) };
    },
    discard: (received, { store, config }) => blobStore(config).discard(store.read, blobsOf(received)),
  } satisfies Receiver<StateVersion, undefined, Written | Repeated>,
  handle: async ({ sql, subject, config, received, note }) => {
    if (hasJson(subject) || received.id === null) {
      await requireSame(sql, subject.json_blob_id, received, subject.status);
      await blobStore(config).discard(sql, blobsOf(received));
      return note({ status: subject.status, serial: subject.serial });
    }
    requireAwaited(subject);
    const { id, sizeBytes } = received;
    await blobStore(config).keep(sql, id);
    await sql`
      update state_versions set json_blob_id = ${id}, awaits_json = false where state_versions.id = ${subject.id}`;
    note({ status: subject.status, size: sizeBytes, serial: subject.serial });
  },
});

const download = {
  method: 'GET',
  needs: policy['workspace:read-state'],
  answer: { status: 200, content: 'application/json' },
  errors: ['content-damaged'],
} as const;

export const downloadState = endpoint({
  ...at('state'),
  ...download,
  operation: 'state-versions.download',
  summary: 'Fetch the content of a state version',
  handle: ({ sql, subject, config }) => contentOf(sql, config, subject, subject.blob_id),
});

export const downloadJsonState = endpoint({
  ...at('json-state'),
  ...download,
  operation: 'state-versions.download-json',
  summary: 'Fetch the documented form of the content of a state version',
  handle: ({ sql, subject, config }) => contentOf(sql, config, subject, subject.json_blob_id),
});

const contentOf = (sql: Sql, config: Config, { status }: StateVersion, blobId: string | null) =>
  downloadOf(sql, config, status === 'finalized' ? blobId : null);

/** Then the same is taken once more. Content that was hidden or deleted does not come back. */
const hasState = ({ status }: StateVersion) => status === 'finalized';
const hasJson = ({ status, json_blob_id }: StateVersion) =>
  json_blob_id !== null && (status === 'pending' || status === 'finalized');

function requirePending({ status }: StateVersion): void {
  if (status !== 'pending') throw new ApiError('upload-used', { status });
}

function requireAwaited({ status, awaits_json }: StateVersion): void {
  if (!awaits_json) throw new ApiError('upload-used', { status });
}

/** Where the body of the creation did not say it, the lineage is the one of the content. */
async function requireLineage(sql: Sql, version: StateVersion, { contents }: Received): Promise<void> {
  if (version.lineage !== null || version.is_forced || contents.lineage === null) return;
  const head = await headOf(sql, version.workspace_id);
  if (!head || head.lineage === null || head.lineage === contents.lineage) return;
  requireSuccession(head, { serial: version.serial, md5: version.md5, lineage: contents.lineage }, false);
}
