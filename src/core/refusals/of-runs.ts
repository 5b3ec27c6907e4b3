/** Of runs, agents, and the versions of engines that they use. */
import type { Refusal } from './refusal.ts';

export const runRefusals = {
  'transition-not-allowed': { status: 400, title: 'transition not allowed', detail: '{reason}' },
  'force-execute-forbidden': { status: 403, title: 'forbidden', detail: 'The run cannot be executed now: {reason}.' },
  'run-creates-no-workspace': {
    status: 403,
    title: 'forbidden',
    detail:
      'A run cannot create workspaces. If it was to read the state of another workspace: that one does not exist, or does not share its state with the workspace of the run.',
  },
  'run-transition': {
    status: 409,
    title: 'transition not allowed',
    detail: 'The run is {status} and cannot be {change}.',
  },
  'run-workspace-locked': {
    status: 409,
    title: 'conflict',
    detail:
      'The workspace is locked. The saved plan can be applied when the lock is gone and no other run is under way.',
  },
  'configuration-version-transition': {
    status: 409,
    title: 'transition not allowed',
    detail: 'configuration could not be archived because {reason}',
  },
  'agent-pool-in-use': {
    status: 409,
    title: 'conflict',
    detail: 'The agent pool is used by workspaces, projects or the organization. Give them another one first.',
  },
  'agent-pool-at-work': {
    status: 409,
    title: 'conflict',
    detail:
      'Agents of this pool execute runs that are not over, or fetch configurations. Let them come to an end, or cancel or discard them, first.',
  },
  'engine-version-in-use': {
    status: 409,
    title: 'conflict',
    detail: 'The version is used by {count} workspace(s). Set them to another version first.',
  },
  'engine-version-official': {
    status: 409,
    title: 'conflict',
    detail: 'An official version cannot be deleted. Disable it instead.',
  },
  'version-in-use': { status: 409, title: 'conflict', detail: '{reason}' },
  'job-over': { status: 410, title: 'gone', detail: 'The job is over, or somebody else has it.' },
  'agent-at-work': { status: 412, title: 'precondition failed', detail: 'The agent is {status}, and still there.' },
  'too-many-agents': {
    status: 429,
    title: 'too many agents',
    detail:
      'The organization has {count} agents, and no more may sign in. End some that it does not need. One that vanished counts until it has been silent for five minutes.',
    retryAfter_s: 30,
  },
  'version-taken': { status: 422, title: 'invalid attribute', detail: 'Version has already been taken' },
  'run-trigger-taken': { status: 422, title: 'invalid relationship', detail: 'Sourceable has already been taken' },
} as const satisfies Record<string, Refusal>;
