/** §4.3 `current_run.plan`: the plan of a run, its log, and its output, of which there is none while nothing executes. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { boolean, column, reference, references } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
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

const read = {
  section: '§4.3',
  method: 'GET',
  subject: phaseFinder('plans', 'plan_id'),
  needs: policy['run:read'],
} as const;

export const showPlan = endpoint({
  ...read,
  operation: 'plans.show',
  summary: 'Show a plan, by its id or by its run',
  paths: ['/plans/:plan_id', '/runs/:run_id/plan'],
  answer: { status: 200, document: plans },
  handle: ({ subject }) => subject,
});

export const showPlanOutput = endpoint({
  ...read,
  operation: 'plans.show-json-output',
  summary: 'The plan in its documented form: nothing while it is not ready',
  paths: ['/plans/:plan_id/json-output', '/runs/:run_id/plan/json-output'],
  answer: { status: 204 },
  handle: () => undefined,
});

export const showRedactedPlanOutput = endpoint({
  ...read,
  operation: 'plans.show-json-output-redacted',
  summary: 'The plan in its documented form without what is sensitive: nothing while it is not ready',
  paths: ['/plans/:plan_id/json-output-redacted'],
  answer: { status: 204 },
  handle: () => undefined,
});

export const planEndpoints = [showPlan, showPlanOutput, showRedactedPlanOutput];
export const planTransfers = [logTransfer('plans')];
