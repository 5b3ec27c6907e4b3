/** §9 Self-hosted only: delete the content of a state version for a while, bring it back, or delete it for good. */
import { policy } from '../../access/policy.ts';
import { blobStore } from '../../core/blobs/blob-store.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Sql } from '../../core/store/store.ts';
import { type StateVersion, stateVersionById } from './state-version.ts';

const transitions = {
  soft_delete: { from: 'finalized', to: 'backing_data_soft_deleted', summary: 'Hide the content of a state version' },
  restore: { from: 'backing_data_soft_deleted', to: 'finalized', summary: 'Bring hidden content back' },
  permanently_delete: {
    from: 'backing_data_soft_deleted',
    to: 'backing_data_permanently_deleted',
    summary: 'Delete hidden content for good',
  },
} as const;

export const backingDataEndpoints = (Object.keys(transitions) as (keyof typeof transitions)[]).map(name =>
  endpoint({
    operation: `state-versions.${name.replaceAll('_', '-')}-backing-data`,
    section: '§9',
    summary: transitions[name].summary,
    method: 'POST',
    paths: [`/state-versions/:state_version_id/actions/${name}_backing_data`],
    subject: stateVersionById,
    needs: policy['workspace:delete-state-data'],
    answer: { status: 204 },
    errors: ['transition-not-allowed'],
    when: ({ edition }) => edition === 'self-hosted',
    handle: async ({ sql, subject, config, note }) => {
      const { from, to } = transitions[name];
      const reason = await reasonAgainst(sql, subject, from);
      if (reason) throw new ApiError('transition-not-allowed', { reason: `transition not allowed: ${reason}` });
      await sql`update state_versions set status = ${to} where state_versions.id = ${subject.id}`;
      note({ status: [from, to] });
      if (name !== 'permanently_delete') return;
      // An address that was never used may not bring content back.
      await sql`update state_versions set awaits_json = false where state_versions.id = ${subject.id}`;
      const ids = [subject.blob_id, subject.json_blob_id].filter(id => id !== null);
      await blobStore(config).remove(sql, ids);
      await sql`delete from state_version_outputs where state_version_outputs.state_version_id = ${subject.id}`;
    },
  }),
);

async function reasonAgainst(sql: Sql, version: StateVersion, from: string): Promise<string | null> {
  if (version.status !== from) return `the state version is ${version.status}, not ${from}`;
  return (await isCurrent(sql, version)) ? 'it is the current state of the workspace' : null;
}

/** The current state of a workspace stays, and so does the one that will be current when the lock goes. */
async function isCurrent(sql: Sql, version: StateVersion): Promise<boolean> {
  const [found] = await sql`
    select from workspaces
    where workspaces.id = ${version.workspace_id} and workspaces.current_state_version_id = ${version.id}`;
  return found !== undefined || version.intermediate;
}
