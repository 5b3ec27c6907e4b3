/** §3 Roll back: a former state version is written again as the newest one, and becomes the current one. */

import { policy } from '../../access/policy.ts';
import { postgresBlobs } from '../../core/blobs/blob-store.ts';
import { ApiError, relationshipFault } from '../../core/errors.ts';
import { documentBody, toOne } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { makeCurrent } from '../workspaces/current-state.ts';
import { workspaceById } from '../workspaces/rows.ts';
import { insertVersion, requireLock } from './create.ts';
import { finalize, receive } from './intake.ts';
import { readVersions, stateVersionById, stateVersions } from './state-version.ts';

const given = resource({ type: stateVersions.type, attributes: {}, relationships: {} });

export const rollBackState = endpoint({
  operation: 'state-versions.roll-back',
  section: '§3',
  summary: 'Make a former state version the current one, as a new version',
  method: 'PATCH',
  paths: ['/workspaces/:workspace_id/state-versions'],
  subject: workspaceById,
  needs: policy['workspace:create-state-version'],
  body: documentBody(given, {
    relationships: { 'rollback-state-version': toOne('state-versions') },
    requiredRelationships: ['rollback-state-version'],
  }),
  answer: { status: 201, document: stateVersions, reads: stateVersionById },
  errors: ['state-not-locked', 'state-locked-by-other', 'invalid-relationship', 'content-damaged'],
  check: async ({ sql, subject, body, faults }) => {
    const id = body.relationships['rollback-state-version'] ?? '';
    const [former] = await readVersions(
      sql,
      sql`state_versions.id = ${id} and state_versions.workspace_id = ${subject.id}`,
    );
    if (former?.status === 'finalized' && former.blob_id !== null) return former;
    const reason = 'Rollback state version must be one of the workspace whose content is there';
    if (faults.length === 0) faults.push(relationshipFault('rollback-state-version', reason));
    return undefined;
  },
  handle: async ({ sql, actor, subject, config }, former) => {
    requireLock(subject, actor, null);
    if (!former) throw new ApiError('not-found');
    // With the serial of old: it is the one in the content, from which clients count on.
    const { serial, md5, lineage } = former;
    const id = await insertVersion(sql, subject.id, {
      serial,
      md5,
      lineage,
      intermediate: false,
      awaits_json: false,
      created_by_id: actor.userId,
    });
    const content = postgresBlobs(config).read(sql, former.blob_id!);
    await finalize(sql, config, id, await receive(sql, config, subject.id, content));
    await makeCurrent(sql, subject.id, id);
    return id;
  },
});
