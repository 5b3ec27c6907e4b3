/** §3, §4.4 Create a state version: with its content, or with addresses to upload it to. */

import { Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import { type Actor, type Holder, holderOf } from '../../core/access/actor.ts';
import { blobStore } from '../../core/blobs/blob-store.ts';
import type { Config } from '../../core/config.ts';
import { ApiError, relationshipFault } from '../../core/errors.ts';
import { documentBody, toOne } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { boolean, column, integer, nullable, text } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import type { Workspace } from '../workspaces/attributes.ts';
import { makeCurrent } from '../workspaces/current-state.ts';
import { workspaceById } from '../workspaces/rows.ts';
import { discardInline, takeInline } from './inline.ts';
import { finalize, requireMd5 } from './intake.ts';
import { conflict, type StateIdentity, snapshotHeaders, uploadRefusal } from './rules.ts';
import { headOf, type StateVersion, stateVersionById, stateVersions } from './state-version.ts';

const serial = Type.Unsafe<number>({ ...integer, minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const md5 = Type.String({ pattern: '^[0-9A-Fa-f]{32}$', 'x-rule': 'must have 32 hexadecimal digits' });

/** What a body gives; outputs that are sent beside the state are read from the state itself. */
const given = resource({
  type: stateVersions.type,
  attributes: {
    serial: column(serial, { write: true }),
    md5: column(md5, { write: true }),
    lineage: column(nullable(Type.String({ maxLength: 255 })), { write: true }),
    force: column(nullable(boolean), { write: true }),
    state: column(nullable(text), { write: true }),
    'json-state': column(nullable(text), { write: true }),
    'json-state-outputs': column(nullable(text), { write: true }),
  },
  relationships: {},
});

const mebibyte = 1024 * 1024;
export const createStateVersion = endpoint({
  operation: 'state-versions.create',
  section: '§3',
  summary: 'Create a state version of a workspace that the caller locked',
  method: 'POST',
  paths: ['/workspaces/:workspace_id/state-versions'],
  subject: workspaceById,
  needs: policy['workspace:create-state-version'],
  body: documentBody(given, {
    required: ['serial', 'md5'],
    relationships: { run: toOne('runs') },
    typeIsOptional: true,
  }),
  // A third more in base64, for the state and for the same in its documented form, and room for the rest.
  receives: {
    limitBytes: config => Math.ceil((config.maxStateMib * mebibyte * 4) / 3) + 2 * mebibyte,
    take: (incoming, { subject, actor, store, config }) => {
      if (subject.locked_by_type !== 'runs') requireLock(subject, actor, null);
      return takeInline(incoming, { sql: store.read, config, workspaceId: subject.id });
    },
    discard: (received, { store, config }) => discardInline(received, { sql: store.read, config }),
  },
  answer: { status: 201, document: stateVersions, reads: stateVersionById },
  isForRuns: true,
  headers: snapshotHeaders,
  errors: [
    'state-not-locked',
    'state-locked-by-other',
    'state-serial-conflict',
    'state-lineage-conflict',
    'state-md5-mismatch',
    'state-not-json',
    'invalid-relationship',
  ],
  check: async ({ sql, subject, body, received, faults }) => {
    faults.push(...received.faults);
    const runId = body.relationships.run;
    if (!runId) return;
    const [run] = await sql`select from runs where runs.id = ${runId} and runs.workspace_id = ${subject.id}`;
    if (!run) faults.push(relationshipFault('run', 'Run must be one of the workspace'));
  },
  handle: async ({ sql, actor, subject, body: { attributes, relationships }, config, received }) => {
    const runId = relationships.run ?? null;
    requireLock(subject, actor, runId);
    const next = {
      serial: attributes.serial!,
      md5: attributes.md5!.toLowerCase(),
      lineage: attributes.lineage || null,
    };
    const isForced = attributes.force === true;
    const head = await headOf(sql, subject.id);
    requireSuccession(head, next, isForced);
    const { state, jsonBlobId } = received;
    const id = await insertVersion(sql, subject.id, {
      ...next,
      is_forced: isForced,
      intermediate: !state,
      awaits_json: !state,
      created_by_id: actor.userId,
      run_id: runId,
    });
    if (state) {
      requireMd5(state, next.md5);
      requireSuccession(head, { ...next, lineage: next.lineage ?? state.contents.lineage }, isForced);
      await finalize(sql, config, id, state);
      if (jsonBlobId !== null) await keepJson(sql, config, id, jsonBlobId);
      await makeCurrent(sql, subject.id, id);
    }
    return id;
  },
});

/** Throws unless the caller, or the run that is said to have made the state, holds the lock. */
export function requireLock(workspace: Workspace, actor: Actor, runId: string | null): void {
  const lock = workspace.locked ? ({ type: workspace.locked_by_type, id: workspace.locked_by_id } as Holder) : null;
  const refusal = uploadRefusal(lock, holderOf(actor), runId);
  if (refusal) throw new ApiError(refusal);
}

export function requireSuccession(head: StateVersion | undefined, next: StateIdentity, isForced: boolean): void {
  const refusal = conflict(head, next, isForced);
  if (refusal) throw new ApiError(refusal, { serial: next.serial, current: head!.serial });
}

/** A pending version behind all others of the workspace, whose row is held. */
export async function insertVersion(sql: Sql, workspaceId: string, members: Record<string, unknown>): Promise<string> {
  const id = newId('sv');
  const [last] = await sql<{ position: number }[]>`
    select state_versions.position from state_versions
    where state_versions.workspace_id = ${workspaceId}
    order by state_versions.position desc limit 1`;
  const position = (last?.position ?? 0) + 1;
  await sql`
    insert into state_versions ${row(sql, { id, workspace_id: workspaceId, position, status: 'pending', ...members })}`;
  return id;
}

async function keepJson(sql: Sql, config: Config, versionId: string, blobId: string): Promise<void> {
  await blobStore(config).keep(sql, blobId);
  await sql`update state_versions set json_blob_id = ${blobId} where state_versions.id = ${versionId}`;
}
