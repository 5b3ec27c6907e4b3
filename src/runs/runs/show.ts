/** Show a run. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { includePaths, runById, runs } from './run.ts';

export const showRun = endpoint({
  operation: 'runs.show',
  section: '§2.2',
  summary: 'Show a run',
  method: 'GET',
  paths: ['/runs/:run_id'],
  subject: runById,
  needs: policy['run:read'],
  isForTasks: true,
  include: includePaths,
  answer: { status: 200, document: runs },
  handle: ({ subject }) => subject,
});
