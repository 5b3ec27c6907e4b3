/** Runs that the server itself begins in a workspace, as the workspace is at that moment. Its row is held. */
import type { KeyMaterial } from '../../core/store/secrets.ts';
import type { Sql } from '../../core/store/store.ts';
import { effectiveAgentPool, effectiveExecutionMode } from '../../workspaces/workspaces/execution-mode.ts';
import { insertRun, type RunSettings } from './insert.ts';

/** What a run takes over from its workspace. */
export interface RunningWorkspace {
  id: string;
  organization_id: string;
  organization_name: string;
  name: string;
  engine_version: string;
  execution_mode: 'remote' | 'agent' | 'local';
  agent_pool_id: string | null;
  auto_apply: boolean;
  auto_apply_run_trigger: boolean;
  allow_destroy_plan: boolean;
  /** Null where it has none whose content is there. */
  configuration_version_id: string | null;
}

export async function runningWorkspace(sql: Sql, id: string): Promise<RunningWorkspace | undefined> {
  const [found] = await sql<RunningWorkspace[]>`
    select workspaces.id, workspaces.organization_id, organizations.name as organization_name, workspaces.name,
      workspaces.engine_version, ${effectiveExecutionMode(sql)} as execution_mode,
      ${effectiveAgentPool(sql)} as agent_pool_id, workspaces.auto_apply, workspaces.auto_apply_run_trigger,
      workspaces.allow_destroy_plan, configuration_versions.id as configuration_version_id
    from workspaces
    join projects on projects.id = workspaces.project_id
    join organizations on organizations.id = workspaces.organization_id
    left join configuration_versions on configuration_versions.id = workspaces.current_configuration_version_id
      and configuration_versions.status = 'uploaded' and not configuration_versions.speculative
    where workspaces.id = ${id}`;
  return found;
}

interface Begun {
  source: string;
  created_by_id: string;
  configuration_version_id: string;
  trigger_depth?: number;
}

/** Returns the run's id; null for a workspace that keeps state only. */
export async function beginRun(
  sql: Sql,
  keys: KeyMaterial,
  workspace: RunningWorkspace,
  begun: Begun,
  settings: Pick<RunSettings, 'message' | 'auto_apply'> & Partial<RunSettings>,
): Promise<string | null> {
  if (workspace.execution_mode === 'local') return null;
  const origin = {
    ...begun,
    organization_id: workspace.organization_id,
    workspace_id: workspace.id,
    terraform_version: workspace.engine_version,
    execution_mode: workspace.execution_mode,
    agent_pool_id: workspace.execution_mode === 'agent' ? workspace.agent_pool_id : null,
  };
  return insertRun(sql, keys, origin, { plan_only: false, save_plan: false, variables: [], ...settings });
}
