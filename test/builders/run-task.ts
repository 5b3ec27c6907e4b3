/** Run tasks for tests, made straight in the database: nobody is asked whether their addresses answer. */
import { newId } from '../../src/core/store/ids.ts';
import { row } from '../../src/core/store/store.ts';
import type { TestApp } from '../app.ts';
import { randomName, type TestOrganization } from './records.ts';

/** `given` are columns of the row. Returns its id. */
export async function runTask(
  app: TestApp,
  of: Pick<TestOrganization, 'key'>,
  given: Record<string, unknown> = {},
): Promise<string> {
  const sql = app.store.read;
  const id = newId('task');
  const members = { id, organization_id: of.key, name: randomName('task'), url: 'https://task.example', ...given };
  await sql`insert into run_tasks ${row(sql, { category: 'task', enabled: true, ...members })}`;
  return id;
}

/** Returns its id. */
export async function workspaceTask(
  app: TestApp,
  workspaceId: string,
  taskId: string,
  given: Record<string, unknown> = {},
): Promise<string> {
  const sql = app.store.read;
  const id = newId('wstask');
  const members = { id, workspace_id: workspaceId, run_task_id: taskId, enforcement_level: 'advisory', ...given };
  await sql`insert into workspace_tasks ${row(sql, { stages: ['post_plan'], ...members })}`;
  return id;
}

/** What a task said of a run after its plan; it stands there as if the task had been asked. */
export async function taskResult(
  app: TestApp,
  runId: string,
  taskId: string,
  given: Record<string, unknown> = {},
): Promise<void> {
  const sql = app.store.read;
  const stage = newId('ts');
  await sql`insert into task_stages ${row(sql, { id: stage, run_id: runId, stage: 'post_plan', status: 'passed' })}`;
  const asked = { run_task_id: taskId, task_id: taskId, task_name: 'cost-estimates', task_url: 'https://task.example' };
  const said = { workspace_task_id: newId('wstask'), enforcement_level: 'mandatory', status: 'passed' };
  const members = { id: newId('taskrs'), task_stage_id: stage, ...asked, ...said, ...given };
  await sql`insert into task_results ${row(sql, members)}`;
}
