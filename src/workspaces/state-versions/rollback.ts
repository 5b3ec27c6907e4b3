/** §3 Roll back: a former state version is written again as the newest one, and becomes the current one. */

import { policy } from '../../access/policy.ts';
import { blobStore } from '../../core/blobs/blob-store.ts';
import type { Config } from '../../core/config.ts';
import { relationshipFault } from '../../core/errors.ts';
import { documentBody, toOne } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { readJson } from '../../core/jsonapi/guard.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { limits } from '../../core/limits.ts';
import type { Sql } from '../../core/store/store.ts';
import { makeCurrent } from '../workspaces/current-state.ts';
import { workspaceById } from '../workspaces/rows.ts';
import { insertVersion, requireLock } from './create.ts';
import { finalize, type Received, receive } from './intake.ts';
import { readVersions, type StateVersion, stateVersionById, stateVersions } from './state-version.ts';

const given = resource({ type: stateVersions.type, attributes: {}, relationships: {} });

const body = documentBody(given, {
  relationships: { 'rollback-state-version': toOne('state-versions') },
  requiredRelationships: ['rollback-state-version'],
});

/** A copy of the content, made before the workspace is held: it may take as long as an upload. */
interface Copy {
  former: StateVersion;
  received: Received;
}

export const rollBackState = endpoint({
  operation: 'state-versions.roll-back',
  section: '§3',
  summary: 'Make a former state version the current one, as a new version',
  method: 'PATCH',
  paths: ['/workspaces/:workspace_id/state-versions'],
  subject: workspaceById,
  needs: policy['workspace:create-state-version'],
  body,
  receives: {
    limitBytes: () => limits.body_bytes.value,
    take: async ({ pieces }, { subject, actor, store, config, deployment }) => {
      requireLock(subject, actor, null);
      const parts: Buffer[] = [];
      for await (const piece of pieces) parts.push(piece);
      const rest = Buffer.concat(parts);
      const { value } = body.parse(readJson(rest).json, deployment);
      const id = value.relationships['rollback-state-version'];
      return { rest, received: await copyOf(store.read, config, subject.id, id) };
    },
    discard: async (copy, { store, config }) => {
      if (copy) await blobStore(config).discard(store.read, [copy.received.id]);
    },
  },
  answer: { status: 201, document: stateVersions, reads: stateVersionById },
  errors: ['state-not-locked', 'state-locked-by-other', 'invalid-relationship', 'content-damaged'],
  check: async ({ sql, subject, body, received: copy, faults }) => {
    const now = await formerOf(sql, subject.id, body.relationships['rollback-state-version']);
    if (now && now.blob_id === copy?.former.blob_id) return;
    const reason = 'Rollback state version must be one of the workspace whose content is there';
    if (faults.length === 0) faults.push(relationshipFault('rollback-state-version', reason));
  },
  handle: async ({ sql, actor, subject, config, received: copy }) => {
    requireLock(subject, actor, null);
    // With the serial of old: it is the one in the content, from which clients count on.
    const { serial, md5, lineage } = copy!.former;
    const id = await insertVersion(sql, subject.id, {
      serial,
      md5,
      lineage,
      intermediate: false,
      awaits_json: false,
      created_by_id: actor.userId,
    });
    await finalize(sql, config, id, copy!.received);
    await makeCurrent(sql, subject.id, id);
    return id;
  },
});

/** Null where there is no such version, or where its content goes while it is copied. */
async function copyOf(
  sql: Sql,
  config: Config,
  workspaceId: string,
  id: string | null | undefined,
): Promise<Copy | null> {
  const former = await formerOf(sql, workspaceId, id);
  if (!former) return null;
  const content = blobStore(config).read(sql, former.blob_id!);
  try {
    return { former, received: await receive(sql, config, workspaceId, content) };
  } catch (error) {
    if (await formerOf(sql, workspaceId, id)) throw error;
    return null;
  }
}

/** One of the workspace whose content is there. */
async function formerOf(
  sql: Sql,
  workspaceId: string,
  id: string | null | undefined,
): Promise<StateVersion | undefined> {
  if (!id) return undefined;
  const [version] = await readVersions(
    sql,
    sql`state_versions.id = ${id} and state_versions.workspace_id = ${workspaceId}`,
  );
  return version?.status === 'finalized' && version.blob_id !== null ? version : undefined;
}
