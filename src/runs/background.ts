/** What the server does about runs without being asked, for as long as it serves. */
import type { Config } from '../core/config.ts';
import { type RepeatLog, repeat } from '../core/repeat.ts';
import type { Store } from '../core/store/store.ts';
import { destroyWhatIsDue } from './auto-destroy/auto-destroy.ts';
import { watchJobs } from './door/watch.ts';

import { startDelivery } from './notification-configurations/deliver.ts';
import { discardAgedPlans } from './queue/aging.ts';
import { fireTriggers } from './run-triggers/fire.ts';

const triggers_ms = 1000;
const destruction_ms = 20_000;
const aging_ms = 600_000;

/** @param address the server's own, once it is known. The returned function ends all of it. */
export function startBackground(
  store: Store,
  config: Config,
  log: RepeatLog,
  address: () => string,
): () => Promise<void> {
  const ends = [
    startDelivery(() => ({ store, config, publicUrl: address() }), log),
    watchJobs(store, log),
    repeat(triggers_ms, () => fireTriggers(store, config), log, 'run triggers could not be fired'),
    repeat(aging_ms, () => discardAgedPlans(store), log, 'saved plans could not be looked after'),
    repeat(destruction_ms, () => destroyWhatIsDue(store, config), log, 'auto-destroy could not be looked after'),
  ];
  return async () => void (await Promise.all(ends.map(end => end())));
}
