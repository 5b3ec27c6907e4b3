/** Rows of the access matrix for run tasks, and for what they say of runs. */
import { type Receiver, receiver } from '../../builders/receiver.ts';
import { bodyOf, randomName } from '../../builders/records.ts';
import { run } from '../../builders/run.ts';
import { runTask, workspaceTask } from '../../builders/run-task.ts';
import type { Asked, Fresh, Rows } from './fresh.ts';

/** Takes every trial. It ends with the tests. */
let hook: Receiver | undefined;

async function task({ world: { app, acme } }: Fresh): Promise<Asked & { id: string }> {
  const id = await runTask(app, acme);
  return { id, params: { task_id: id } };
}

async function attached(fresh: Fresh, stages = ['post_plan']): Promise<Asked & { workspaceId: string }> {
  const { id: workspaceId } = await fresh.workspace();
  const id = await workspaceTask(fresh.world.app, workspaceId, (await task(fresh)).id, { stages });
  return { workspaceId, params: { workspace_id: workspaceId, workspace_task_id: id } };
}

async function asked(fresh: Fresh): Promise<Asked> {
  const { app, acme } = fresh.world;
  const { workspaceId } = await attached(fresh);
  const runId = await run(app, acme, workspaceId);
  const [found] = await app.store.read`
    select task_stages.id as stage, task_results.id as result from task_stages
    join task_results on task_results.task_stage_id = task_stages.id
    where task_stages.run_id = ${runId}`;
  return { params: { run_id: runId, task_stage_id: found!['stage'], task_result_id: found!['result'] } };
}

export const runTaskRows: Rows = {
  'tasks.list': ({ organization }) => organization(),
  'tasks.create': async ({ organization }) => {
    hook ??= await receiver();
    return {
      ...organization(),
      body: bodyOf('tasks', { name: randomName('task'), url: hook.url, category: 'task' }),
    };
  },
  'tasks.show': task,
  'tasks.update': async fresh => ({ ...(await task(fresh)), body: bodyOf('tasks', { enabled: false }) }),
  'tasks.delete': task,
  'workspace-tasks.list': ({ workspace }) => workspace(),
  'workspace-tasks.create': async fresh => ({
    ...(await fresh.workspace()),
    body: bodyOf(
      'workspace-tasks',
      { 'enforcement-level': 'advisory' },
      { task: { data: { type: 'tasks', id: (await task(fresh)).id } } },
    ),
  }),
  'workspace-tasks.show': fresh => attached(fresh),
  'workspace-tasks.update': async fresh => ({
    ...(await attached(fresh)),
    body: bodyOf('workspace-tasks', { 'enforcement-level': 'mandatory' }),
  }),
  'workspace-tasks.delete': fresh => attached(fresh),
  'task-stages.list': asked,
  'task-stages.show': asked,
  'task-results.show': asked,
  // Nobody but the task that was asked: its token is none of the callers here.
  'task-results.report': async fresh => ({
    ...(await asked(fresh)),
    body: bodyOf('task-results', { status: 'passed' }),
  }),
};
