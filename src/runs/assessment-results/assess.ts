/** §4.2 `assessments-enabled`: each workspace that wants it is looked at once a day, while nothing else happens there. */
import type { Config } from '../../core/config.ts';
import type { Fragment, Sql, Store } from '../../core/store/store.ts';
import { somethingExecutes } from '../../organizations/executors.ts';
import { organizationAccount } from '../../people/tokens/service-account.ts';
import { effectiveExecutionMode } from '../../workspaces/workspaces/execution-mode.ts';
import { beginRun, runningWorkspace } from '../queue/of-workspace.ts';
import { statusesThat } from '../queue/statuses.ts';

const batch = 50;
const every = '24 hours';

/** Once over all workspaces; any number of servers may do so at once. Returns the workspaces in which one was begun. */
export async function assessWhatIsDue(store: Store, config: Config): Promise<string[]> {
  if (config.edition !== 'hosted') return [];
  const { read: sql } = store;
  const due = await sql<{ id: string }[]>`
    (
      select workspaces.id, workspaces.assessed_at ${fromWorkspaces(sql)}
      where workspaces.assessments_enabled and ${isDue(sql)}
      order by workspaces.assessed_at nulls first, workspaces.id limit ${batch}
    ) union (
      select workspaces.id, workspaces.assessed_at ${fromWorkspaces(sql)}
      where organizations.assessments_enforced and ${isDue(sql)}
      order by workspaces.assessed_at nulls first, workspaces.id limit ${batch}
    )
    order by assessed_at nulls first, id limit ${batch}`;
  const begun: string[] = [];
  for (const { id } of due) if (await store.transaction(inner => assessDue(inner, config, id))) begun.push(id);
  return begun;
}

const fromWorkspaces = (sql: Sql): Fragment => sql`
  from workspaces
  join organizations on organizations.id = workspaces.organization_id
  join projects on projects.id = workspaces.project_id`;

const isDue = (sql: Sql): Fragment => sql`
  (workspaces.assessed_at is null or workspaces.assessed_at < now() - ${every}::text::interval)
  and ${mayBeAssessed(sql)}`;

/** There is something to look at and somebody to look, the last run left it in order, and nobody is at work there. */
const mayBeAssessed = (sql: Sql): Fragment => sql`
  not workspaces.locked and workspaces.resource_count > 0
  and workspaces.current_state_version_id is not null and workspaces.current_configuration_version_id is not null
  and (workspaces.current_run_status is null or workspaces.current_run_status = any(${restful}))
  and ${effectiveExecutionMode(sql)} <> 'local' and ${somethingExecutes(sql)}
  and not exists (
    select from runs
    where runs.workspace_id = workspaces.id and runs.is_assessment and runs.finished_at is null
  )`;

const restful = statusesThat('final').filter(status => status !== 'errored');

async function assessDue(sql: Sql, config: Config, id: string): Promise<boolean> {
  const [held] = await sql`
    select ${fromWorkspaces(sql)}
    where workspaces.id = ${id} and ${isDue(sql)}
      and (workspaces.assessments_enabled or organizations.assessments_enforced)
    for update of workspaces skip locked`;
  return held !== undefined && begin(sql, config, id);
}

/** Begins one now, whenever the last one was; the row of the workspace is held. Returns whether that is possible. */
export async function assessNow(sql: Sql, config: Config, id: string): Promise<boolean> {
  const [ready] = await sql`select ${fromWorkspaces(sql)} where workspaces.id = ${id} and ${mayBeAssessed(sql)}`;
  return ready !== undefined && begin(sql, config, id);
}

async function begin(sql: Sql, config: Config, id: string): Promise<boolean> {
  const workspace = await runningWorkspace(sql, id);
  if (!workspace) return false;
  await sql`update workspaces set assessed_at = now(), revision = default where workspaces.id = ${id}`;
  const { configuration_version_id, organization_id, organization_name } = workspace;
  if (configuration_version_id === null) return false;
  const created_by_id = await organizationAccount(sql, organization_id, organization_name);
  const begun = { source: 'tfe-api', created_by_id, configuration_version_id };
  const asked = { plan_only: true, refresh_only: true, is_assessment: true, auto_apply: false } as const;
  const run = await beginRun(sql, config, workspace, begun, { message: 'Assessment', ...asked });
  return run !== null;
}
