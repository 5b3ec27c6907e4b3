/** Which agents there are, by the database's clock: an agent is lost when nobody has heard of it for so long. */
import type { Fragment, Sql } from '../core/store/store.ts';

/** After this long without a sign of life its job errs, and it has to sign in anew. */
export const lostAfter = '5 minutes';

export const agentIsLost = (sql: Sql): Fragment => sql`agents.last_ping_at < now() - ${lostAfter}::text::interval`;

/** On a row of `agents`. */
export const agentIsPresent = (sql: Sql): Fragment => sql`(agents.exited_at is null and not ${agentIsLost(sql)})`;

/** On a row of `organizations`: whether anything can execute its runs, the server's own agent or one of its pools'. */
export const somethingExecutes = (sql: Sql): Fragment => sql`
  exists (
    select from agents
    left join agent_pools on agent_pools.id = agents.agent_pool_id
    where ${agentIsPresent(sql)}
      and (agents.agent_pool_id is null or agent_pools.organization_id = organizations.id)
  )`;

/** Whether the server's own agent is there, which executes the runs of every organization. */
export async function siteExecutes(sql: Sql): Promise<boolean> {
  const [found] = await sql`
    select agents.id from agents where agents.agent_pool_id is null and ${agentIsPresent(sql)} limit 1`;
  return found !== undefined;
}
