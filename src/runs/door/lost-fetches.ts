/** What becomes of configurations that nobody fetches: their agent is silent, or there is none that could. Any server may do it. */
import type { Sql, Store } from '../../core/store/store.ts';
import { agentIsPresent, lostAfter } from '../../organizations/executors.ts';
import { endFetch } from '../configuration-versions/fetched.ts';
import { isLost } from './lost.ts';

/** Returns the versions that were ended. */
export async function endLostFetches(store: Store): Promise<string[]> {
  const lost = await store.read<Ended[]>`
    select jobs.id, configuration_versions.id as version_id, configuration_versions.workspace_id, jobs.status from jobs
    join configuration_versions on configuration_versions.id = jobs.configuration_version_id
    where ${isLost(store.read)} or ${isForsaken(store.read)}
    order by jobs.created_at, jobs.id
    limit 100`;
  const ended: string[] = [];
  for (const one of lost) {
    if (await store.transaction(sql => endLostFetch(sql, one))) ended.push(one.version_id);
  }
  return ended;
}

interface Ended {
  id: string;
  version_id: string;
  workspace_id: string;
  status: 'queued' | 'running';
}

/** As long as an agent is waited for that fell silent, one is waited for that is not there yet. */
const isForsaken = (sql: Sql) => sql`(
  jobs.status = 'queued' and jobs.phase = 'ingress'
  and jobs.created_at < clock_timestamp() - ${lostAfter}::text::interval
  and not exists (
    select from agents
    where agents.agent_pool_id is not distinct from jobs.agent_pool_id and agents.git_version is not null
      and ${agentIsPresent(sql)}
  )
)`;

async function endLostFetch(sql: Sql, { id, version_id, workspace_id, status }: Ended): Promise<boolean> {
  await sql`select from workspaces where workspaces.id = ${workspace_id} for update`;
  const [held] = await sql`
    select from jobs where jobs.id = ${id} and jobs.status = ${status} and (${isLost(sql)} or ${isForsaken(sql)})
    for update of jobs`;
  if (!held) return false;
  const reason =
    status === 'running'
      ? 'The agent that fetched the repository was not heard of any more.'
      : 'No agent was there to fetch the repository: one of those that execute the runs of this workspace, with git 2.37 or newer.';
  await endFetch(sql, version_id, { error: status === 'running' ? 'agent_lost' : 'no_agent', reason }, 'lost');
  return true;
}
