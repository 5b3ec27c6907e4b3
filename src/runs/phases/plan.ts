/** §4.3 `current_run.plan`: the plan of a run, its log, and its output. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { boolean, column, reference, references } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import type { Transfer } from '../../core/jsonapi/transfer.ts';
import { downloadArtifact, hasArtifact } from './artifacts.ts';
import { logTransfer, phaseAttributes, phaseFinder, phaseRecords } from './document.ts';

export const plans = resource({
  type: 'plans',
  attributes: {
    'generated-configuration': column(boolean),
    'has-changes': column(boolean),
    ...phaseAttributes('plans'),
  },
  relationships: {
    exports: references('plan-exports', () => []),
    run: reference('runs', 'run_id', row => `/api/v2/runs/${row['run_id']}`),
  },
  links: row => ({
    self: `/api/v2/plans/${row.id}`,
    'json-output': `/api/v2/plans/${row.id}/json-output`,
    'json-output-redacted': `/api/v2/plans/${row.id}/json-output-redacted`,
  }),
  load: phaseRecords('plans').load,
});

const read = { section: '§4.3', method: 'GET', subject: phaseFinder('plans', 'plan_id') } as const;

export const showPlan = endpoint({
  ...read,
  operation: 'plans.show',
  summary: 'Show a plan, by its id or by its run',
  paths: ['/plans/:plan_id', '/runs/:run_id/plan'],
  needs: policy['run:read'],
  answer: { status: 200, document: plans },
  handle: ({ subject }) => subject,
});

const outputPath = (id: string, form: 'json' | 'redacted') => `/_blobs/plans/${id}/${form}` as const;

/** It holds what is sensitive in clear. */
export const showPlanOutput = endpoint({
  ...read,
  operation: 'plans.show-json-output',
  summary: 'Redirects to the plan in its documented form: 204 while it is not ready',
  paths: ['/plans/:plan_id/json-output', '/runs/:run_id/plan/json-output'],
  needs: policy['run:read-json-output'],
  answer: { status: 307, redirect: true, otherwise: 204 },
  handle: async ({ sql, subject, deployment }) => {
    if (await hasArtifact(sql, subject.run_id, 'json')) return deployment.sign('GET', outputPath(subject.id, 'json'));
    return undefined;
  },
});

export const showRedactedPlanOutput = endpoint({
  ...read,
  operation: 'plans.show-json-output-redacted',
  summary: 'Redirects to the plan in its documented form without what is sensitive: 204 while it is not ready',
  paths: ['/plans/:plan_id/json-output-redacted'],
  needs: policy['run:read'],
  answer: { status: 307, redirect: true, otherwise: 204 },
  handle: async ({ sql, subject, deployment }) => {
    const isThere = await hasArtifact(sql, subject.run_id, 'redacted');
    return isThere ? deployment.sign('GET', outputPath(subject.id, 'redacted')) : undefined;
  },
});

const outputTransfer = (form: 'json' | 'redacted'): Transfer => ({
  operation: `plans.read-${form}`,
  section: '§4.3',
  method: 'GET',
  path: outputPath(':phase_id', form),
  handle: async ({ params, store: { read: sql }, config }) => {
    const [plan] = await sql<{ run_id: string }[]>`
      select plans.run_id from plans where plans.id = ${params['phase_id']!}`;
    if (!plan) throw new ApiError('not-found');
    return downloadArtifact(sql, config, plan.run_id, form, 'application/json');
  },
});

export const planEndpoints = [showPlan, showPlanOutput, showRedactedPlanOutput];
export const planTransfers = [logTransfer('plans'), outputTransfer('json'), outputTransfer('redacted')];
