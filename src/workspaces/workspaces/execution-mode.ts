/** §4.2 execution mode, `operations`, agent pool and `setting-overwrites`: what a body asks → what is stored. Pure. */

import { attributeFault, type Fault } from '../../core/errors.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { projectAgentPool, projectExecutionMode } from '../projects/execution-mode.ts';

type Mode = 'remote' | 'local' | 'agent';

export interface ExecutionGiven {
  'execution-mode'?: Mode;
  operations?: boolean;
  'agent-pool-id'?: string | null;
  'setting-overwrites'?: { 'execution-mode'?: boolean; 'agent-pool'?: boolean };
}

/** The workspace's own settings; they count only while it overwrites its project's. */
export interface Execution {
  overwrites_execution_mode: boolean;
  execution_mode: Mode | null;
  agent_pool_id: string | null;
}

/** A new workspace follows its project until it says otherwise. */
export const inheritedExecution: Execution = {
  overwrites_execution_mode: false,
  execution_mode: null,
  agent_pool_id: null,
};

/** Naming a mode makes it the workspace's own; `setting-overwrites` false goes back to the project's. */
export function settleExecution(given: ExecutionGiven, before: Execution): { execution: Execution; faults: Fault[] } {
  const faults = contradictions(given);
  const mode = given['execution-mode'] ?? (given.operations === undefined ? undefined : modeOf(given.operations));
  const overwrites = given['setting-overwrites']?.['execution-mode'] ?? given['setting-overwrites']?.['agent-pool'];
  // Clients send an empty pool beside other modes.
  const pool = given['agent-pool-id'] || undefined;
  if (overwrites === false) return { execution: inheritedExecution, faults };
  const after = mode ?? (before.overwrites_execution_mode ? before.execution_mode : undefined);
  if (pool && after !== 'agent') {
    faults.push(
      attributeFault('agent-pool-id', "Agent pool must not be specified unless using 'agent' execution mode"),
    );
  }
  const kept = before.overwrites_execution_mode ? before.agent_pool_id : null;
  if (mode === 'agent' && !pool && !kept) {
    faults.push(attributeFault('agent-pool-id', "Agent pool must be specified when using 'agent' execution mode"));
  }
  if (faults.length > 0 || after === undefined || after === null) return { execution: before, faults };
  const execution: Execution = {
    overwrites_execution_mode: true,
    execution_mode: after,
    agent_pool_id: after === 'agent' ? (pool ?? kept) : null,
  };
  return { execution, faults };
}

const modeOf = (operations: boolean): Mode => (operations ? 'remote' : 'local');

function contradictions(given: ExecutionGiven): Fault[] {
  const faults: Fault[] = [];
  const mode = given['execution-mode'];
  const { 'execution-mode': overwritesMode, 'agent-pool': overwritesPool } = given['setting-overwrites'] ?? {};
  if (given.operations !== undefined && mode !== undefined) {
    faults.push(attributeFault('operations', 'Operations must not be given together with execution-mode'));
  }
  if (overwritesMode !== undefined && overwritesPool !== undefined && overwritesMode !== overwritesPool) {
    const reason =
      'If agent-pool and execution-mode are both included in setting-overwrites, their values must be the same.';
    faults.push(attributeFault('setting-overwrites', reason));
  }
  if (overwritesMode === true && mode === undefined && given.operations === undefined) {
    faults.push(
      attributeFault('execution-mode', 'Execution mode must be given when setting-overwrites.execution-mode is true'),
    );
  }
  return faults;
}

/** The mode in effect on a row of `workspaces` with its project and organization. */
export const effectiveExecutionMode = (sql: Sql): Fragment => sql`
  case when workspaces.overwrites_execution_mode then workspaces.execution_mode
    else ${projectExecutionMode(sql)} end`;

/** The agent pool in effect, which counts only in the mode `agent`. */
export const effectiveAgentPool = (sql: Sql): Fragment => sql`
  case when workspaces.overwrites_execution_mode then workspaces.agent_pool_id else ${projectAgentPool(sql)} end`;

/** Of a row of `agents`, whether it would execute the runs of a workspace that is set so, in this project. */
export function executes(sql: Sql, own: Execution, projectId: string): Fragment {
  if (own.overwrites_execution_mode)
    return isExecutor(sql, sql`${own.execution_mode}::text`, sql`${own.agent_pool_id}::text`);
  return sql`exists (
    select 1 from projects join organizations on organizations.id = projects.organization_id
    where projects.id = ${projectId} and ${isExecutor(sql, projectExecutionMode(sql), projectAgentPool(sql))}
  )`;
}

/** Those of a pool execute for the mode `agent`, and those of no pool for `remote`. */
const isExecutor = (sql: Sql, mode: Fragment, poolId: Fragment): Fragment => sql`
  case ${mode} when 'agent' then agents.agent_pool_id = ${poolId}
    when 'remote' then agents.agent_pool_id is null else false end`;
