/** Task result: what a run task said of a run. People read it; the task that was asked brings it. */

import { runPowers, taskResultPowers } from '../../access/policy.ts';
import { type Granted, grantColumns, workspaceIsReadable } from '../../access/workspaces.ts';
import { addressed, boolean, column, nullable, text, timestamp, word } from '../../core/jsonapi/fields.ts';
import { type Finder, records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { holdWorkspace } from '../../workspaces/workspaces/rows.ts';
import { stageNames } from '../queue/stages.ts';
import { powersOnRun, statusTimestamps } from '../runs/run.ts';

interface TaskResultRow extends Subject<'task-result'>, Granted {
  plan_only: boolean;
  organization_id: string;
  workspace_id: string;
  task_stage_id: string;
  status: ResultStatus;
}

const resultStatuses = ['pending', 'running', 'passed', 'failed', 'errored', 'canceled', 'unreachable'] as const;
export type ResultStatus = (typeof resultStatuses)[number];

export const isOpen = (status: ResultStatus): boolean => status === 'pending' || status === 'running';

const attributes = {
  'created-at': column(timestamp),
  'is-speculative': column(boolean, { column: 'plan_only' }),
  message: column(nullable(text)),
  stage: column(word(...stageNames)),
  status: column(word(...resultStatuses)),
  'status-timestamps': column(statusTimestamps),
  'task-id': column(text),
  'task-name': column(text),
  'task-url': column(text),
  'updated-at': column(timestamp),
  url: column(nullable(text)),
  'workspace-task-enforcement-level': column(text, { column: 'enforcement_level' }),
  'workspace-task-id': column(nullable(text)),
};

export const taskResults = resource({
  type: 'task-results',
  attributes,
  relationships: {
    'task-stage': addressed('task-stages', 'task_stage_id'),
  },
  links: row => ({ self: `/api/v2/task-results/${row.id}` }),
  load: (sql, actor, ids) => taskResultRecords.load(sql, actor, ids),
});

export interface TaskResult extends RowOf<typeof attributes>, TaskResultRow {}

const taskResultRecords = records<TaskResult>({
  table: 'task_results',
  columns: (sql, actor) => sql`
    task_results.*, task_stages.stage, task_stages.run_id, runs.organization_id, runs.workspace_id, runs.plan_only,
    workspaces.project_id, ${grantColumns(sql, actor)}`,
  from: sql => sql`
    task_results
    join task_stages on task_stages.id = task_results.task_stage_id
    join runs on runs.id = task_stages.run_id
    join workspaces on workspaces.id = runs.workspace_id`,
  isVisible: workspaceIsReadable,
  powers: (row, actor) =>
    taskResultPowers.where({
      read: runPowers.has(powersOnRun(row, actor), 'read'),
      report: actor.run?.taskResultId === row.id,
    }),
});

/** A write holds the row of the workspace, as every move of its runs does. */
export const taskResultById: Finder<TaskResult> = {
  parameter: 'task_result_id',
  find: async (look, params) => {
    const { sql } = look;
    const workspace = sql`workspaces.id = (
      select runs.workspace_id from task_results
      join task_stages on task_stages.id = task_results.task_stage_id
      join runs on runs.id = task_stages.run_id
      where task_results.id = ${params['task_result_id']!}
    )`;
    return (await holdWorkspace(look, workspace)) ? byId.find({ ...look, lock: null }, params) : undefined;
  },
};

const byId = taskResultRecords.byId('task_result_id');
