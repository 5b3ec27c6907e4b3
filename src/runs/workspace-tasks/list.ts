/** List the run tasks that the runs of a workspace are shown to. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { workspaceById } from '../../workspaces/workspaces/rows.ts';
import { workspaceTaskRecords, workspaceTasks } from './workspace-task.ts';

export const listWorkspaceTasks = endpoint({
  operation: 'workspace-tasks.list',
  section: '§1',
  summary: 'List the run tasks of a workspace',
  method: 'GET',
  paths: ['/workspaces/:workspace_id/tasks'],
  subject: workspaceById,
  needs: policy['workspace:list-run-tasks'],
  include: ['task', 'workspace'],
  answer: { status: 200, collection: workspaceTasks, pages: 'always' },
  handle: context => {
    const { sql, subject } = context;
    const condition = sql`workspace_tasks.workspace_id = ${subject.id}`;
    return workspaceTaskRecords.page(context, condition, sql`workspace_tasks.created_at, workspace_tasks.id`);
  },
});
