/** What becomes of jobs whose agent is silent: handed out again while nothing had begun, else ended. Any server may do it. */

import { type RepeatLog, repeat } from '../../core/repeat.ts';
import type { Sql, Store } from '../../core/store/store.ts';
import { moveRun, type QueuedRun, recordRunEvent } from '../queue/move.ts';
import { isLost } from './lost.ts';
import { endLostFetches } from './lost-fetches.ts';

const startsWithin = '60 seconds';
const agentsKeptFor = '1 day';
/** How often it is looked, and how long an agent that lives may take until it is heard again. */
const usual = { interval_ms: 5000, hearing_ms: 60_000 };

/** Once over all jobs under way. Returns the runs that were ended. */
export async function endLostJobs(store: Store): Promise<string[]> {
  const { read: sql } = store;
  await sql`
    update jobs set status = 'queued', agent_id = null, token_hash = null, seen_at = null
    where jobs.status = 'allocated' and jobs.seen_at < clock_timestamp() - ${startsWithin}::text::interval`;
  const lost = await sql<{ id: string; workspace_id: string }[]>`
    select jobs.id, runs.workspace_id from jobs
    join runs on runs.id = jobs.run_id
    where ${isLost(sql)}
    order by jobs.seen_at, jobs.id
    limit 100`;
  const ended: string[] = [];
  for (const { id, workspace_id } of lost) {
    const runId = await store.transaction(inner => endLostJob(inner, id, workspace_id));
    if (runId) ended.push(runId);
  }
  return ended;
}

/** Never a second time: an apply may have changed things, and what a plan did nobody saw. */
async function endLostJob(sql: Sql, jobId: string, workspaceId: string): Promise<string | null> {
  await sql`select from workspaces where workspaces.id = ${workspaceId} for update`;
  const [run] = await sql<(QueuedRun & { phase: string })[]>`
    select runs.id, runs.workspace_id, runs.plan_id, runs.apply_id, jobs.phase from jobs
    join runs on runs.id = jobs.run_id
    where jobs.id = ${jobId} and ${isLost(sql)}
    for update of jobs`;
  if (!run) return null;
  await sql`update jobs set outcome = 'lost' where jobs.id = ${jobId}`;
  const reason = `The agent that worked on the ${run.phase} was not heard of any more. What it had done by then is not known.`;
  await recordRunEvent(sql, run.id, 'agent_lost', { actorId: null }, reason);
  await moveRun(sql, run, 'errored');
  return run.id;
}

async function forgetAgents(sql: Sql): Promise<void> {
  await sql`
    delete from agents
    where coalesce(agents.exited_at, agents.last_ping_at) < now() - ${agentsKeptFor}::text::interval
      and not exists (select from jobs where jobs.agent_id = agents.id and jobs.status <> 'over')`;
}

/**
 * Every few seconds until the returned function is called, which resolves behind the last look. While this server or its database was
 * away nobody could be heard: silence counts only once the agents have had the time to say that they live.
 */
export function watchJobs(store: Store, log: RepeatLog, { interval_ms, hearing_ms } = usual): () => Promise<void> {
  let [hearsSince_ms, lookedAt_ms] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const look = async () => {
    await forgetAgents(store.read);
    const now_ms = performance.now();
    if (now_ms - lookedAt_ms > hearing_ms) hearsSince_ms = now_ms;
    lookedAt_ms = now_ms;
    if (now_ms - hearsSince_ms < hearing_ms) return;
    const ended = await endLostJobs(store);
    if (ended.length > 0) log.warn({ runs: ended }, 'agents were lost, and the runs that they worked on have ended');
    const versions = await endLostFetches(store);
    if (versions.length > 0) log.warn({ versions }, 'nobody fetched these configurations, and they have erred');
  };
  return repeat(interval_ms, look, log, 'jobs could not be looked after');
}
