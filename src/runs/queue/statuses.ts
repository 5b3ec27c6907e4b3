/** §2.2 `current-run`: the statuses of a run, and what each one lets happen next. */

type Trait = 'waits' | 'works' | 'rests' | 'final' | 'cancelable' | 'confirmable' | 'discardable';

/** A run waits for its turn or for run tasks, is worked on, rests until somebody decides, or has come to its end. */
const traits = {
  pending: ['waits', 'cancelable', 'discardable'],
  fetching: ['works', 'cancelable'],
  fetching_completed: ['works', 'cancelable'],
  pre_plan_running: ['waits', 'cancelable'],
  pre_plan_completed: ['works', 'cancelable'],
  pre_plan_awaiting_decision: ['rests', 'discardable'],
  queuing: ['works', 'cancelable'],
  plan_queued: ['waits', 'cancelable'],
  planning: ['works', 'cancelable'],
  planned: ['rests', 'confirmable', 'discardable'],
  cost_estimating: ['works', 'cancelable'],
  cost_estimated: ['rests', 'confirmable', 'discardable'],
  policy_checking: ['works', 'cancelable'],
  policy_override: ['rests', 'discardable'],
  policy_checked: ['rests', 'confirmable', 'discardable'],
  post_plan_running: ['waits', 'cancelable'],
  post_plan_awaiting_decision: ['rests', 'discardable'],
  post_plan_completed: ['rests', 'confirmable', 'discardable'],
  planned_and_saved: ['rests', 'confirmable', 'discardable'],
  confirmed: ['works', 'cancelable'],
  pre_apply_running: ['waits', 'cancelable'],
  pre_apply_awaiting_decision: ['rests', 'discardable'],
  pre_apply_completed: ['works', 'cancelable'],
  queuing_apply: ['works', 'cancelable'],
  apply_queued: ['waits', 'cancelable'],
  applying: ['works', 'cancelable'],
  post_apply_running: ['works'],
  post_apply_completed: ['works'],
  applied: ['final'],
  planned_and_finished: ['final'],
  policy_soft_failed: ['final'],
  discarded: ['final'],
  errored: ['final'],
  canceled: ['final'],
  force_canceled: ['final'],
  assessed: ['final'],
} as const satisfies Record<string, readonly Trait[]>;

export type RunStatus = keyof typeof traits;
export const runStatuses = Object.keys(traits) as RunStatus[];

export function is(status: RunStatus, trait: Trait): boolean {
  return (traits[status] as readonly Trait[]).includes(trait);
}

export function statusesThat(trait: Trait): RunStatus[] {
  return runStatuses.filter(status => is(status, trait));
}

/** What the actions of a run look at. */
export interface Standing {
  status: RunStatus;
  /** When somebody asked to stop the work, if anybody did. */
  canceled_at: string | null;
  force_cancel_available_at: string | null;
}

/** What could be done with a run at this moment by whoever may. */
export function actionsOf(run: Standing, now_ms = Date.now()) {
  const { status, force_cancel_available_at: from } = run;
  return {
    'is-cancelable': is(status, 'cancelable') && run.canceled_at === null,
    'is-confirmable': is(status, 'confirmable'),
    'is-discardable': is(status, 'discardable'),
    'is-force-cancelable': is(status, 'works') && from !== null && Date.parse(from) <= now_ms,
  };
}

/** `plan_queued` → `plan-queued-at`. */
export function timestampName(status: RunStatus): string {
  return status === 'fetching_completed' ? 'fetched-at' : `${status.replaceAll('_', '-')}-at`;
}
