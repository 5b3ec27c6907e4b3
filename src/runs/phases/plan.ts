/** §4.3 `current_run.plan`: the plan of a run, its log, and its output. */
import { policy } from '../../access/policy.ts';
import { addressee } from '../../core/access/actor.ts';
import { downloadOf } from '../../core/blobs/download.ts';
import { type Context, endpoint } from '../../core/jsonapi/endpoint.ts';
import { addressed, boolean, column, references } from '../../core/jsonapi/fields.ts';
import type { Needs } from '../../core/jsonapi/records.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { artifactOf } from './artifacts.ts';
import { type Phase, phaseAttributes, phaseFinder, phaseRecords } from './document.ts';
import { readLog } from './log.ts';

export const plans = resource({
  type: 'plans',
  attributes: {
    'generated-configuration': column(boolean),
    'has-changes': column(boolean),
    ...phaseAttributes('plans'),
  },
  relationships: {
    exports: references('plan-exports', () => []),
    run: addressed('runs', 'run_id'),
  },
  links: row => ({
    self: `/api/v2/plans/${row.id}`,
    'json-output': `/api/v2/plans/${row.id}/json-output`,
    'json-output-redacted': `/api/v2/plans/${row.id}/json-output-redacted`,
  }),
  load: phaseRecords('plans').load,
});

const read = { section: '§4.3', method: 'GET', subject: phaseFinder('plans', 'plan_id'), isForTasks: true } as const;

export const showPlan = endpoint({
  ...read,
  operation: 'plans.show',
  summary: 'Show a plan, by its id or by its run',
  paths: ['/plans/:plan_id', '/runs/:run_id/plan'],
  needs: policy['run:read'],
  answer: { status: 200, document: plans },
  handle: ({ subject }) => subject,
});

type OutputForm = 'json' | 'redacted';
const outputPath = (id: string, form: OutputForm) => `/_blobs/plans/${id}/${form}` as const;

/** Where the output is; nothing while it is not ready. */
const whereOutputIs =
  (form: OutputForm) =>
  async ({ sql, actor, subject, deployment }: Context<Phase>) => {
    const isThere = await artifactOf(sql, subject.run_id, form);
    return isThere ? deployment.sign('GET', outputPath(subject.id, form), addressee(actor)) : undefined;
  };

/** It holds what is sensitive in clear. */
export const showPlanOutput = endpoint({
  ...read,
  operation: 'plans.show-json-output',
  summary: 'Redirects to the plan in its documented form: 204 while it is not ready',
  paths: ['/plans/:plan_id/json-output', '/runs/:run_id/plan/json-output'],
  needs: policy['run:read-json-output'],
  isPatient: true,
  answer: { status: 307, redirect: true, otherwise: 204 },
  handle: whereOutputIs('json'),
});

export const showRedactedPlanOutput = endpoint({
  ...read,
  operation: 'plans.show-json-output-redacted',
  summary: 'Redirects to the plan in its documented form without what is sensitive: 204 while it is not ready',
  paths: ['/plans/:plan_id/json-output-redacted'],
  needs: policy['run:read'],
  isPatient: true,
  answer: { status: 307, redirect: true, otherwise: 204 },
  handle: whereOutputIs('redacted'),
});

const readOutput = (form: OutputForm, needs: Needs<Phase>, what: string) =>
  endpoint({
    ...read,
    operation: `plans.read-${form}`,
    summary: `Fetch the plan in its documented form${what}`,
    paths: [outputPath(':plan_id', form)],
    signed: 'in query',
    needs,
    isPatient: true,
    answer: { status: 200, content: 'application/json' },
    errors: ['content-damaged'],
    handle: async ({ sql, subject, config }) => downloadOf(sql, config, await artifactOf(sql, subject.run_id, form)),
  });

export const planEndpoints = [
  showPlan,
  showPlanOutput,
  showRedactedPlanOutput,
  readLog('plans'),
  readOutput('json', policy['run:read-json-output'], ''),
  readOutput('redacted', policy['run:read'], ' without what is sensitive'),
];
