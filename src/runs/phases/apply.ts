/** §4.3 `current_run.apply`: the apply of a run, and its log. A run that only plans has none. */
import { policy } from '../../access/policy.ts';
import { postgresBlobs } from '../../core/blobs/blob-store.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { reference, references } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import type { Transfer } from '../../core/jsonapi/transfer.ts';
import type { Sql } from '../../core/store/store.ts';
import { downloadArtifact, hasArtifact, keepArtifact } from './artifacts.ts';
import { logTransfer, phaseAttributes, phaseFinder, phaseRecords } from './document.ts';

export const applies = resource({
  type: 'applies',
  attributes: phaseAttributes('applies'),
  relationships: {
    run: reference('runs', 'run_id', row => `/api/v2/runs/${row['run_id']}`),
    'state-versions': references('state-versions', 'state_version_ids'),
  },
  links: row => ({ self: `/api/v2/applies/${row.id}` }),
  load: phaseRecords('applies').load,
});

export const showApply = endpoint({
  operation: 'applies.show',
  section: '§4.3',
  summary: 'Show an apply, by its id or by its run',
  method: 'GET',
  paths: ['/applies/:apply_id', '/runs/:run_id/apply'],
  subject: phaseFinder('applies', 'apply_id'),
  needs: policy['run:read'],
  answer: { status: 200, document: applies },
  handle: ({ subject }) => subject,
});

const erroredStatePath = '/_blobs/applies/:phase_id/errored-state';
const erroredState = 'errored-state';

/** All of the state, and so for those who may change it. */
export const showErroredState = endpoint({
  operation: 'applies.show-errored-state',
  section: '§4.3',
  summary: 'Redirects to the state that an apply could not save: 404 where there is none',
  method: 'GET',
  paths: ['/applies/:apply_id/errored-state'],
  subject: phaseFinder('applies', 'apply_id'),
  needs: policy['run:read-errored-state'],
  answer: { status: 307, redirect: true },
  handle: async ({ sql, subject, deployment }) => {
    if (!(await hasArtifact(sql, subject.run_id, erroredState))) throw new ApiError('not-found');
    return deployment.sign('GET', erroredStatePath.replace(':phase_id', subject.id));
  },
});

const readErroredState: Transfer = {
  operation: 'applies.read-errored-state',
  section: '§4.3',
  method: 'GET',
  path: erroredStatePath,
  handle: async ({ params, store: { read: sql }, config }) => {
    const { run_id } = await runOf(sql, params['phase_id']!);
    return downloadArtifact(sql, config, run_id, erroredState, 'application/json');
  },
};

/** The address outlives the job and its token: what an apply did is worth more than who may still report it. */
const writeErroredState: Transfer = {
  operation: 'applies.write-errored-state',
  section: '§4.3',
  method: 'PUT',
  path: erroredStatePath,
  limitBytes: config => config.maxStateMib * 1024 * 1024,
  handle: async ({ params, source, store, config }) => {
    const { run_id, workspace_id } = await runOf(store.read, params['phase_id']!);
    const { id } = await postgresBlobs(config).write(store.read, workspace_id, source);
    await store.transaction(sql => keepArtifact(sql, config, run_id, erroredState, id));
    return undefined;
  },
};

async function runOf(sql: Sql, applyId: string): Promise<{ run_id: string; workspace_id: string }> {
  const [run] = await sql<{ run_id: string; workspace_id: string }[]>`
    select runs.id as run_id, runs.workspace_id from applies
    join runs on runs.id = applies.run_id
    where applies.id = ${applyId}`;
  if (!run) throw new ApiError('not-found');
  return run;
}

export const applyEndpoints = [showApply, showErroredState];
export const applyTransfers = [logTransfer('applies'), readErroredState, writeErroredState];
