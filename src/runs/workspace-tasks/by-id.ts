/** One run task of a workspace: shown, changed, taken away. Runs that were made before keep theirs. */
import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { row } from '../../core/store/store.ts';
import { enforcementFaults, stagesFrom } from './rules.ts';
import { workspaceTaskById, workspaceTasks } from './workspace-task.ts';

const one = {
  section: '§1',
  paths: ['/workspaces/:workspace_id/tasks/:workspace_task_id'],
  subject: workspaceTaskById,
} as const;

export const showWorkspaceTask = endpoint({
  ...one,
  operation: 'workspace-tasks.show',
  summary: 'Show a run task of a workspace',
  method: 'GET',
  needs: policy['workspace:list-run-tasks'],
  include: ['task', 'workspace'],
  answer: { status: 200, document: workspaceTasks },
  handle: ({ subject }) => subject,
});

export const updateWorkspaceTask = endpoint({
  ...one,
  operation: 'workspace-tasks.update',
  summary: 'Change when a run task of a workspace is asked, and whether it stops runs',
  method: 'PATCH',
  needs: policy['workspace:manage-run-tasks'],
  body: documentBody(workspaceTasks),
  answer: { status: 200, document: workspaceTasks, reads: workspaceTaskById },
  check: ({ subject, body: { attributes }, faults }) => {
    const stages = stagesFrom(attributes) ?? subject.stages;
    faults.push(...enforcementFaults(attributes['enforcement-level'] ?? subject.enforcement_level, stages));
    return stages;
  },
  handle: async ({ sql, subject, body: { attributes } }, stages) => {
    const enforcement_level = attributes['enforcement-level'] ?? subject.enforcement_level;
    await sql`
      update workspace_tasks set ${row(sql, { enforcement_level, stages })} where workspace_tasks.id = ${subject.id}`;
  },
});

export const deleteWorkspaceTask = endpoint({
  ...one,
  operation: 'workspace-tasks.delete',
  summary: 'Show the runs of a workspace to a run task no more',
  method: 'DELETE',
  needs: policy['workspace:manage-run-tasks'],
  answer: { status: 204 },
  handle: async ({ sql, subject }) => {
    await sql`delete from workspace_tasks where workspace_tasks.id = ${subject.id}`;
  },
});
