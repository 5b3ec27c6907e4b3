/** Brings a run into being with its plan and its apply, and queues it where it can be. */

import { newId } from '../../core/store/ids.ts';
import type { KeyMaterial } from '../../core/store/secrets.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { announce } from './announce.ts';
import { advanceRun, type QueuedRun, recordRunEvent, startNextRun } from './move.ts';
import { heldVariables } from './own-variables.ts';
import { stamp } from './phases.ts';
import { makeStages } from './stages.ts';
import { sealedVariables } from './variables.ts';

/** Where a run belongs, and who asks for it. */
export interface Origin {
  organization_id: string;
  workspace_id: string;
  configuration_version_id: string;
  created_by_id: string;
  source: string;
  terraform_version: string;
  execution_mode: 'remote' | 'agent';
  agent_pool_id: string | null;
  /** How many run triggers lie between it and a run that somebody asked for. */
  trigger_depth?: number;
}

/** What is asked of the run: columns of it. */
export interface RunSettings {
  message: string;
  plan_only: boolean;
  save_plan: boolean;
  auto_apply: boolean;
  variables: readonly { key: string; value: string }[];
  is_destroy?: boolean;
  refresh?: boolean;
  refresh_only?: boolean;
  allow_config_generation?: boolean;
  allow_empty_apply?: boolean;
  debugging_mode?: boolean;
  target_addrs?: string[];
  replace_addrs?: string[];
  policy_paths?: string[];
  invoke_action_addrs?: string[];
  /** A plan that looks whether anything changed: no list shows it, and no run task is asked. */
  is_assessment?: boolean;
}

const unsaid = {
  is_destroy: false,
  refresh: true,
  refresh_only: false,
  allow_config_generation: false,
  allow_empty_apply: false,
  debugging_mode: false,
  target_addrs: [],
  replace_addrs: [],
  policy_paths: [],
  invoke_action_addrs: [],
  is_assessment: false,
};

/**
 * The row of the workspace is held. A run that may apply waits as `pending` for the workspace to be free; one that only
 * plans, or keeps its plan for later, needs no lock and is queued at once. Returns the run's id.
 */
export async function insertRun(
  sql: Sql,
  keys: KeyMaterial,
  origin: Origin,
  { variables, ...settings }: RunSettings,
): Promise<string> {
  const run: QueuedRun = {
    id: newId('run'),
    workspace_id: origin.workspace_id,
    plan_id: newId('plan'),
    apply_id: settings.plan_only ? null : newId('apply'),
  };
  await sql`
    insert into runs ${row(sql, {
      ...origin,
      ...unsaid,
      ...settings,
      ...run,
      variables: sql.json(heldVariables(keys, run.id, variables) as never),
      sealed_variables: await sealedVariables(sql, keys, run.id, origin.workspace_id),
      position: sql`(
        select coalesce(max(runs.position), 0) + 1 from runs where runs.workspace_id = ${origin.workspace_id}
      )`,
      status_timestamps: sql`jsonb_build_object('plan-queueable-at', ${stamp(sql)})`,
    })}`;
  await sql`insert into plans ${row(sql, { id: run.plan_id, run_id: run.id })}`;
  if (run.apply_id) await sql`insert into applies ${row(sql, { id: run.apply_id, run_id: run.id })}`;
  await recordRunEvent(sql, run.id, 'queued', { actorId: origin.created_by_id });
  if (!settings.is_assessment) await makeStages(sql, run, origin.organization_id);
  await announce(sql, run.id, 'pending', origin.created_by_id);
  if (settings.plan_only || settings.save_plan) await advanceRun(sql, run, 'plan_queued');
  else await startNextRun(sql, origin.workspace_id);
  return run.id;
}
