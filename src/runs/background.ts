/** What the server does about runs without being asked, for as long as it serves. */

import { workOnClaims } from '../core/claims.ts';
import type { Config } from '../core/config.ts';
import { type RepeatLog, repeat } from '../core/repeat.ts';
import type { Store } from '../core/store/store.ts';
import { assessWhatIsDue } from './assessment-results/assess.ts';
import { destroyWhatIsDue } from './auto-destroy/auto-destroy.ts';
import { watchJobs } from './door/watch.ts';
import { deliveries } from './notification-configurations/deliver.ts';
import { discardAgedPlans } from './queue/aging.ts';
import { commitStatuses } from './repository-events/commit-statuses.ts';
import { fetchLinked } from './repository-events/link.ts';
import { repositoryEvents } from './repository-events/work-off.ts';
import { fireTriggers } from './run-triggers/fire.ts';
import { askingTasks, endOverdue } from './task-results/ask.ts';

const triggers_ms = 1000;
const links_ms = 1000;
const overdue_ms = 5000;
const destruction_ms = 20_000;
const assessments_ms = 60_000;
const aging_ms = 600_000;

/** @param address the server's own, once it is known. The returned function ends all of it. */
export function startBackground(
  store: Store,
  config: Config,
  log: RepeatLog,
  address: () => string,
): () => Promise<void> {
  const sender = () => ({ store, config, publicUrl: address() });
  const ends = [
    workOnClaims(deliveries(sender), log, 'a notification could not be sent; it is tried again'),
    workOnClaims(askingTasks(sender), log, 'a run task could not be asked; it is tried again'),
    workOnClaims(repositoryEvents(sender), log, 'what a connection was told could not be worked off'),
    workOnClaims(commitStatuses(sender), log, 'a status could not be told; it is tried again'),
    repeat(links_ms, () => fetchLinked(store), log, 'repositories of linked workspaces could not be asked for'),
    repeat(overdue_ms, () => endOverdue(store), log, 'overdue run tasks could not be ended'),
    watchJobs(store, log),
    repeat(triggers_ms, () => fireTriggers(store, config), log, 'run triggers could not be fired'),
    repeat(aging_ms, () => discardAgedPlans(store), log, 'saved plans could not be looked after'),
    repeat(assessments_ms, () => assessWhatIsDue(store, config), log, 'assessments could not be begun'),
    repeat(destruction_ms, () => destroyWhatIsDue(store, config), log, 'auto-destroy could not be looked after'),
  ];
  return async () => void (await Promise.all(ends.map(end => end())));
}
