/** Of addresses that the server asks for somebody: receivers of notifications and run tasks. */

import type { Refusal } from './refusal.ts';

export const hookRefusals = {
  'destination-refused': {
    status: 400,
    title: 'verification failed',
    detail: 'The destination did not take a trial message: {reason}. Nothing was changed.',
  },
  'task-result-over': {
    status: 409,
    title: 'conflict',
    detail: 'The result is {status} already, and stays so.',
  },
  'workspace-task-taken': {
    status: 422,
    title: 'invalid relationship',
    detail: 'The workspace has the task already. Change the record that exists.',
  },
} as const satisfies Record<string, Refusal>;
