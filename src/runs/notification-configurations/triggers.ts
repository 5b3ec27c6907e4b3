/** What can be told of, in the words of clients. */
export const triggers = [
  'run:created',
  'run:planning',
  'run:needs_attention',
  'run:applying',
  'run:completed',
  'run:errored',
  'assessment:drifted',
  'assessment:check_failure',
  'assessment:failed',
  'workspace:auto_destroy_reminder',
  'workspace:auto_destroy_run_results',
] as const;

export type Trigger = (typeof triggers)[number];

export const destinationTypes = ['generic', 'slack', 'microsoft-teams', 'email'] as const;
export type DestinationType = (typeof destinationTypes)[number];
