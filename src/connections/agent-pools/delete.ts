/** Delete an agent pool that no workspace, no project and no organization's default names, and that nothing under way needs. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Sql } from '../../core/store/store.ts';
import { agentPoolById } from './agent-pool.ts';

export const deleteAgentPool = endpoint({
  operation: 'agent-pools.delete',
  section: '§1',
  summary: 'Delete an agent pool',
  method: 'DELETE',
  paths: ['/agent-pools/:agent_pool_id'],
  subject: agentPoolById,
  needs: policy['agent-pool:manage'],
  answer: { status: 204 },
  errors: ['agent-pool-in-use', 'agent-pool-at-work'],
  handle: async ({ sql, subject }) => {
    // The row is held `for update`, which waited for runs that were being made and refer to it: this sees them.
    const atWork = await isAtWork(sql, subject);
    // The references refuse while there are any: see store/faults.ts. Who names the pool is said first, since that lasts.
    await sql`delete from agent_pools where agent_pools.id = ${subject.id}`;
    if (atWork) throw new ApiError('agent-pool-at-work');
  },
});

/** A workspace may have been given another pool since its run began: its jobs would go with the pool, and the run wait for ever. */
async function isAtWork(sql: Sql, pool: { id: string; organization_id: string }): Promise<boolean> {
  const [found] = await sql<{ is_at_work: boolean }[]>`
    select exists (
        select from runs
        where runs.organization_id = ${pool.organization_id} and runs.finished_at is null
          and runs.agent_pool_id = ${pool.id}
      ) or exists (
        select from jobs where jobs.status <> 'over' and jobs.agent_pool_id = ${pool.id}
      ) as is_at_work`;
  return found!.is_at_work;
}
