/** §4.3 `current_run.apply`: the apply of a run, and its log. A run that only plans has none. */
import { policy } from '../../access/policy.ts';
import { addressee } from '../../core/access/actor.ts';
import { blobStore } from '../../core/blobs/blob-store.ts';
import { downloadOf } from '../../core/blobs/download.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint, type Receiver } from '../../core/jsonapi/endpoint.ts';
import { addressed, type Deployment, references } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { artifactOf, keepArtifact } from './artifacts.ts';
import { type Phase, phaseAttributes, phaseFinder, phaseRecords } from './document.ts';
import { readLog } from './log.ts';

export const applies = resource({
  type: 'applies',
  attributes: phaseAttributes('applies'),
  relationships: {
    run: addressed('runs', 'run_id'),
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

const erroredStatePath = (id: string) => `/_blobs/applies/${id}/errored-state` as const;
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
  handle: async ({ sql, actor, subject, deployment }) => {
    if (!(await artifactOf(sql, subject.run_id, erroredState))) throw new ApiError('not-found');
    return deployment.sign('GET', erroredStatePath(subject.id), addressee(actor));
  },
});

const content = {
  section: '§4.3',
  paths: [erroredStatePath(':apply_id')],
  signed: 'in query',
  subject: phaseFinder('applies', 'apply_id'),
} as const;

export const readErroredState = endpoint({
  ...content,
  operation: 'applies.read-errored-state',
  summary: 'Fetch the state that an apply could not save',
  method: 'GET',
  needs: policy['run:read-errored-state'],
  answer: { status: 200, content: 'application/json' },
  errors: ['content-damaged'],
  handle: async ({ sql, subject, config }) =>
    downloadOf(sql, config, await artifactOf(sql, subject.run_id, erroredState)),
});

/** The address outlives the job and its token: what an apply did is worth more than who may still report it. */
export const writeErroredState = endpoint({
  ...content,
  operation: 'applies.write-errored-state',
  summary: 'Keep the state that an apply could not save',
  method: 'PUT',
  needs: policy['run:write-errored-state'],
  answer: { status: 200 },
  isForRuns: true,
  receives: {
    limitBytes: config => config.maxStateMib * 1024 * 1024,
    take: async ({ pieces }, { subject, store, config }) => {
      const received = await blobStore(config).write(store.content, subject.workspace_id, pieces);
      return { rest: Buffer.alloc(0), received };
    },
    discard: ({ id }, { store, config }) => blobStore(config).discard(store.content, [id]),
  } satisfies Receiver<Phase, undefined, { id: string; sizeBytes: number }>,
  handle: async ({ sql, subject, config, received: { id, sizeBytes }, note }) => {
    await keepArtifact(sql, config, subject.run_id, erroredState, id);
    note({ size: sizeBytes });
  },
});

/** Where the engine of a job sends it, once it is not taken anywhere else. */
export const erroredStateAddress = (applyId: string, jobId: string, { sign }: Deployment) =>
  sign('PUT', erroredStatePath(applyId), jobId);

export const applyEndpoints = [showApply, showErroredState, readLog('applies'), readErroredState, writeErroredState];
