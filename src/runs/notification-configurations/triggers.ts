/** What workspaces tell, and projects of each of their workspaces, in the words of clients. */
export const workspaceTriggers = [
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

/** What teams are told. Nothing here makes change requests yet: clients may ask for it, and hear nothing. */
export const teamTriggers = ['change_request:created'] as const;

export const triggers = [...workspaceTriggers, ...teamTriggers] as const;

/** What is told of. */
export type Trigger = (typeof workspaceTriggers)[number];

export const destinationTypes = ['generic', 'slack', 'microsoft-teams', 'email'] as const;
export type DestinationType = (typeof destinationTypes)[number];

/** Whose news are told. */
export const subscribableTypes = ['workspaces', 'projects', 'teams'] as const;
export type SubscribableType = (typeof subscribableTypes)[number];
