/** Which jobs are lost: whoever works on them is silent, or at work for longer than they may take. */
import { limits } from '../../core/limits.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { lostAfter } from '../../organizations/executors.ts';

/** Past its time, for an agent that should have ended the job by itself. */
const overtime_s = 900;

/** On a row of `jobs`. */
export const isLost = (sql: Sql): Fragment => sql`(
  jobs.status = 'running' and (
    jobs.seen_at < clock_timestamp() - ${lostAfter}::text::interval
    or jobs.started_at < clock_timestamp() - make_interval(secs => ${overtime_s}::integer + case jobs.phase
      when 'plan' then ${limits.planTime_s.value}::integer
      when 'apply' then ${limits.applyTime_s.value}::integer
      else ${limits.fetchTime_s.value}::integer end)
  )
)`;
