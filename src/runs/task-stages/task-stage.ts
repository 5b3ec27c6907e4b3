/** Task stage: the point of a run at which some tasks are asked, as command lines wait for it. */

import { policy } from '../../access/policy.ts';
import { grantColumns, workspaceIsReadable } from '../../access/workspaces.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { addressed, booleans, column, computed, references, timestamp, word } from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { stageNames } from '../queue/stages.ts';
import { type PartOfRun, powersOnRun, runById, statusTimestamps } from '../runs/run.ts';

const stageStatuses = ['pending', 'running', 'passed', 'failed', 'errored', 'canceled', 'unreachable'] as const;

export const taskStages = resource({
  type: 'task-stages',
  attributes: {
    // What a mandatory task refuses stays refused: there is nothing to override.
    actions: computed(booleans('is-overridable'), () => ({ 'is-overridable': false })),
    'created-at': column(timestamp),
    permissions: computed(booleans('can-override', 'can-override-policy', 'can-override-tasks'), () => ({
      'can-override': false,
      'can-override-policy': false,
      'can-override-tasks': false,
    })),
    stage: column(word(...stageNames)),
    status: column(word(...stageStatuses)),
    'status-timestamps': column(statusTimestamps),
    'updated-at': column(timestamp),
  },
  relationships: {
    'policy-evaluations': references('policy-evaluations', () => []),
    run: addressed('runs', 'run_id'),
    'task-results': references('task-results', 'task_result_ids'),
  },
  links: row => ({ self: `/api/v2/task-stages/${row.id}` }),
  load: (sql, actor, ids) => taskStageRecords.load(sql, actor, ids),
});

const include = ['run', 'task_results', 'policy_evaluations'] as const;

const taskStageRecords = records<Subject<'run'> & PartOfRun>({
  table: 'task_stages',
  columns: (sql, actor) => sql`
    task_stages.*, runs.organization_id, runs.plan_only, workspaces.project_id, ${grantColumns(sql, actor)},
    array(
      select task_results.id from task_results where task_results.task_stage_id = task_stages.id
      order by task_results.enforcement_level = 'mandatory' desc, task_results.task_name, task_results.id
    ) as task_result_ids`,
  from: sql => sql`
    task_stages
    join runs on runs.id = task_stages.run_id
    join workspaces on workspaces.id = runs.workspace_id`,
  isVisible: workspaceIsReadable,
  powers: powersOnRun,
});

export const listTaskStages = endpoint({
  operation: 'task-stages.list',
  section: '§1',
  summary: 'List the points of a run at which run tasks are asked, in the order of its life',
  method: 'GET',
  paths: ['/runs/:run_id/task-stages'],
  subject: runById,
  needs: policy['run:read'],
  include,
  answer: { status: 200, collection: taskStages, pages: 'always' },
  handle: context => {
    const { sql, subject } = context;
    const order = sql`array_position(${[...stageNames]}::text[], task_stages.stage), task_stages.id`;
    return taskStageRecords.page(context, sql`task_stages.run_id = ${subject.id}`, order);
  },
});

export const showTaskStage = endpoint({
  operation: 'task-stages.show',
  section: '§1',
  summary: 'Show a point of a run at which run tasks are asked',
  method: 'GET',
  paths: ['/task-stages/:task_stage_id'],
  subject: taskStageRecords.byId('task_stage_id'),
  needs: policy['run:read'],
  include,
  answer: { status: 200, document: taskStages },
  handle: ({ subject }) => subject,
});

export const taskStageEndpoints = [listTaskStages, showTaskStage];
