/** Let the runs of a workspace be shown to a run task of its organization. */
import { policy } from '../../access/policy.ts';
import { attributeFault, relationshipFault } from '../../core/errors.ts';
import { documentBody, toOne } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { limits } from '../../core/limits.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { workspaceById } from '../../workspaces/workspaces/rows.ts';
import { enforcementFaults, stagesFrom } from './rules.ts';
import { workspaceTaskById, workspaceTasks } from './workspace-task.ts';

export const createWorkspaceTask = endpoint({
  operation: 'workspace-tasks.create',
  section: '§1',
  summary: 'Show the runs of a workspace to a run task',
  method: 'POST',
  paths: ['/workspaces/:workspace_id/tasks'],
  subject: workspaceById,
  needs: policy['workspace:manage-run-tasks'],
  // They are counted.
  holds: 'no key update',
  body: documentBody(workspaceTasks, {
    required: ['enforcement-level'],
    relationships: { task: toOne('tasks') },
    requiredRelationships: ['task'],
  }),
  answer: { status: 201, document: workspaceTasks, reads: workspaceTaskById },
  errors: ['invalid-relationship', 'workspace-task-taken'],
  check: async ({ sql, subject, body: { attributes, relationships }, faults }) => {
    const stages = stagesFrom(attributes) ?? ['post_plan'];
    faults.push(...enforcementFaults(attributes['enforcement-level'], stages));
    const isThere = !relationships.task || (await isTaskOf(sql, subject.organization_id, relationships.task));
    if (!isThere) faults.push(relationshipFault('task', 'Task must be one of the organization'));
    const most = limits.workspaceTasks_items.value;
    const isFull = (await countTasks(sql, subject.id)) >= most;
    if (isFull) faults.push(attributeFault('stages', `Stages cannot be added: a workspace has at most ${most} tasks`));
    return stages;
  },
  handle: async ({ sql, subject, body: { attributes, relationships } }, stages) => {
    const id = newId('wstask');
    await sql`
      insert into workspace_tasks ${row(sql, {
        id,
        workspace_id: subject.id,
        run_task_id: relationships.task!,
        enforcement_level: attributes['enforcement-level'],
        stages,
      })}`;
    return id;
  },
});

/** It is held, so that nobody deletes it meanwhile. */
async function isTaskOf(sql: Sql, organizationId: string, taskId: string): Promise<boolean> {
  const found = await sql`
    select from run_tasks
    where run_tasks.id = ${taskId} and run_tasks.organization_id = ${organizationId} for key share`;
  return found.length > 0;
}

async function countTasks(sql: Sql, workspaceId: string): Promise<number> {
  const [counted] = await sql<{ total: number }[]>`
    select count(*) as total from workspace_tasks where workspace_tasks.workspace_id = ${workspaceId}`;
  return counted!.total;
}
