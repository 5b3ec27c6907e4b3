/** §2.2, §8: the five performance figures of a workspace, over its last 30 runs that errored or were applied. */
import type { Sql } from '../../core/store/store.ts';

const metricsWindow = 30;

/** Writes them anew: called by the one function that moves runs, whenever one errored or was applied. */
export async function writeMetrics(sql: Sql, workspaceId: string): Promise<void> {
  await sql`
    update workspaces set revision = default, run_metrics = (
      select jsonb_build_object(
        'apply-duration-average', round(avg(recent.apply_milliseconds)),
        'plan-duration-average', round(avg(recent.plan_milliseconds)),
        'policy-check-failures', count(*) filter (where recent.failed_policy_check),
        'run-failures', count(*) filter (where recent.status = 'errored'),
        'workspace-kpis-runs-count', count(*)
      )
      from (
        select runs.status, runs.failed_policy_check,
          extract(epoch from plans.finished_at - plans.started_at) * 1000 as plan_milliseconds,
          extract(epoch from applies.finished_at - applies.started_at) * 1000 as apply_milliseconds
        from runs
        join plans on plans.id = runs.plan_id
        left join applies on applies.id = runs.apply_id
        where runs.workspace_id = ${workspaceId} and runs.status in ('errored', 'applied')
          and not runs.is_assessment
        order by runs.finished_at desc, runs.id desc
        limit ${metricsWindow}
      ) as recent
    )
    where workspaces.id = ${workspaceId}`;
}
