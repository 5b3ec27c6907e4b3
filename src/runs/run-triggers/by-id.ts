/** One run trigger: shown, taken away. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { includePaths, runTriggerById, runTriggers } from './run-trigger.ts';

const paths = ['/run-triggers/:run_trigger_id'] as const;

export const showRunTrigger = endpoint({
  operation: 'run-triggers.show',
  section: '§4.2',
  summary: 'Show a run trigger',
  method: 'GET',
  paths,
  subject: runTriggerById,
  needs: policy['run-trigger:read'],
  include: includePaths,
  answer: { status: 200, document: runTriggers },
  handle: ({ subject }) => subject,
});

export const deleteRunTrigger = endpoint({
  operation: 'run-triggers.delete',
  section: '§4.2',
  summary: 'Delete a run trigger',
  method: 'DELETE',
  paths,
  subject: runTriggerById,
  needs: policy['run-trigger:delete'],
  answer: { status: 204 },
  handle: async ({ sql, subject }) => {
    await sql`delete from run_triggers where run_triggers.id = ${subject.id}`;
  },
});
