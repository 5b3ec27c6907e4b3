/** §2.2 `current-assessment-result`: what an assessment found, and the files of the plan that it was. */
import { policy, runPowers } from '../../access/policy.ts';
import { type Granted, grantColumns, grantedPowers, workspaceIsReadable } from '../../access/workspaces.ts';
import { downloadOf } from '../../core/blobs/download.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { addressed, boolean, column, computed, integer, nullable, text, timestamp } from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { artifactOf } from '../phases/artifacts.ts';
import { wholeLog } from '../phases/log.ts';
import { runPowersFrom } from '../runs/run.ts';
import { assessWorkspace } from './assess-workspace.ts';

interface AssessmentResultRow extends Subject<'run'>, Granted {
  checks_failed: number;
  checks_errored: number;
  resources_drifted: number;
  has_json: boolean;
  has_schemas: boolean;
  organization_id: string;
  workspace_id: string;
  run_id: string;
  plan_id: string;
}

const attributes = {
  'all-checks-succeeded': computed(boolean, (row: AssessmentResultRow) => row.checks_failed + row.checks_errored === 0),
  'checks-errored': column(integer),
  'checks-failed': column(integer),
  'checks-passed': column(integer),
  'checks-unknown': column(integer),
  'created-at': column(timestamp),
  drifted: computed(boolean, (row: AssessmentResultRow) => row.resources_drifted > 0),
  'error-msg': column(nullable(text), { column: 'error_message' }),
  'resources-drifted': column(integer),
  'resources-undrifted': column(integer),
  succeeded: column(boolean),
};

const path = (id: string) => `/api/v2/assessment-results/${id}`;

export const assessmentResults = resource({
  type: 'assessment-results',
  attributes,
  relationships: {
    workspace: addressed('workspaces', 'workspace_id'),
  },
  // To what there is, for whoever may read it.
  links: (row: AssessmentResultRow) => {
    const own = path(row.id);
    const mayRead = runPowers.has(row.powers, 'read-json-output');
    return {
      self: own,
      ...(mayRead && row.has_json && { 'json-output': `${own}/json-output` }),
      ...(mayRead && row.has_schemas && { 'json-schema': `${own}/json-schema` }),
      ...(mayRead && { 'log-output': `${own}/log-output` }),
    };
  },
  load: (sql, actor, ids) => assessmentRecords.load(sql, actor, ids),
});

interface AssessmentResult extends RowOf<typeof attributes>, AssessmentResultRow {}

const has = (sql: Sql, name: string): Fragment => sql`exists (
  select from run_artifacts
  where run_artifacts.run_id = assessment_results.run_id and run_artifacts.name = ${name}
)`;

const assessmentRecords = records<AssessmentResult>({
  table: 'assessment_results',
  columns: (sql, actor) => sql`
    assessment_results.*, ${has(sql, 'json')} as has_json, ${has(sql, 'schemas')} as has_schemas, runs.plan_id, workspaces.organization_id, workspaces.project_id, ${grantColumns(sql, actor)}`,
  from: sql => sql`
    assessment_results
    join runs on runs.id = assessment_results.run_id
    join workspaces on workspaces.id = assessment_results.workspace_id`,
  isVisible: workspaceIsReadable,
  powers: (row, actor) => runPowersFrom(grantedPowers(row, actor), true),
});

const read = {
  section: '§2.2',
  method: 'GET',
  subject: assessmentRecords.byId('assessment_result_id'),
} as const;

export const showAssessmentResult = endpoint({
  ...read,
  operation: 'assessment-results.show',
  summary: 'Show what an assessment of a workspace has found',
  paths: ['/assessment-results/:assessment_result_id'],
  needs: policy['run:read'],
  include: ['workspace'],
  answer: { status: 200, document: assessmentResults },
  handle: ({ subject }) => subject,
});

/** What the engine wrote; a plan holds what is sensitive in clear. */
const readFileOf = (name: 'json' | 'schemas', end: 'json-output' | 'json-schema', what: string) =>
  endpoint({
    ...read,
    operation: `assessment-results.read-${end}`,
    summary: `Fetch ${what} of an assessment: 404 where it did not come so far`,
    paths: [`/assessment-results/:assessment_result_id/${end}`],
    needs: policy['run:read-json-output'],
    answer: { status: 200, content: 'application/json' },
    errors: ['content-damaged'],
    handle: async ({ sql, subject, config }) => downloadOf(sql, config, await artifactOf(sql, subject.run_id, name)),
  });

export const readAssessmentLog = endpoint({
  ...read,
  operation: 'assessment-results.read-log-output',
  summary: 'Fetch the log of an assessment, a JSON object a line',
  paths: ['/assessment-results/:assessment_result_id/log-output'],
  needs: policy['run:read-json-output'],
  answer: { status: 200, content: 'text/plain; charset=utf-8' },
  handle: async ({ sql, subject }) => wholeLog(sql, subject.plan_id),
});

export const assessmentResultEndpoints = [
  assessWorkspace,
  showAssessmentResult,
  readFileOf('json', 'json-output', 'the plan in its documented form'),
  readFileOf('schemas', 'json-schema', 'the schemas of the providers'),
  readAssessmentLog,
];
