/** Show what a run task said of a run. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { taskResultById, taskResults } from './task-result.ts';

export const showTaskResult = endpoint({
  operation: 'task-results.show',
  section: '§1',
  summary: 'Show what a run task said of a run',
  method: 'GET',
  paths: ['/task-results/:task_result_id'],
  subject: taskResultById,
  needs: policy['task-result:read'],
  isForTasks: true,
  include: ['task_stage'],
  answer: { status: 200, document: taskResults },
  handle: ({ subject }) => subject,
});
