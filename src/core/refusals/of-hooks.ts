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
  'malformed-delivery': {
    status: 422,
    title: 'unprocessable content',
    detail: 'The delivery is signed, and not as its host documents it: {reason}. Nothing follows from it.',
  },
  'too-many-deliveries': {
    status: 429,
    title: 'Too many requests',
    detail: 'This connection was told of too much within a minute. Deliver it again later.',
    retryAfter_s: 60,
  },
  'workspace-task-taken': {
    status: 422,
    title: 'invalid relationship',
    detail: 'The workspace has the task already. Change the record that exists.',
  },
} as const satisfies Record<string, Refusal>;
