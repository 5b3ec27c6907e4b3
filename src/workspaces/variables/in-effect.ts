/** The variables that a workspace has, its own and those of variable sets: of each key the one that prevails. */

import { appliesTo, namesItsProject, namesWorkspace } from '../../access/variable-sets.ts';
import type { Sql } from '../../core/store/store.ts';
import { type Candidate, prevailing } from './precedence.ts';
import { type VariableRow, variableColumns, variablesOf } from './variable.ts';

/** `priority` is that of its set. */
export type VariableInEffect = VariableRow & { priority?: boolean };

/** Those of sets bear the columns of their set, too: `priority` among them. */
export async function variablesInEffect(sql: Sql, workspaceId: string): Promise<VariableInEffect[]> {
  const [own, applied] = await Promise.all([variablesOf(sql, workspaceId), variablesApplied(sql, workspaceId)]);
  return prevailing([...own.map(variable => ({ variable, origin: null })), ...applied]);
}

/** A variable of a set, with what decides whether it prevails. */
interface AppliedVariable extends VariableRow {
  set_name: string;
  global: boolean;
  priority: boolean;
  is_of_project: boolean;
  names_workspace: boolean;
  names_project: boolean;
}

/** The variables of every set that applies to the workspace, set by set. */
async function variablesApplied(sql: Sql, workspaceId: string): Promise<Candidate<VariableInEffect>[]> {
  const rows = await sql<AppliedVariable[]>`
    select
      ${variableColumns(sql)}, variable_sets.name as set_name, variable_sets.global, variable_sets.priority,
      variable_sets.project_id is not null as is_of_project, ${namesWorkspace(sql)} as names_workspace,
      ${namesItsProject(sql)} as names_project
    from workspaces
    join variable_sets on ${appliesTo(sql)}
    join variables on variables.variable_set_id = variable_sets.id
    where workspaces.id = ${workspaceId}
    order by variable_sets.name, variable_sets.id, variables.created_at, variables.id`;
  return rows.map(row => ({
    variable: row,
    origin: {
      name: row.set_name,
      global: row.global,
      priority: row.priority,
      isOfProject: row.is_of_project,
      namesWorkspace: row.names_workspace,
      namesProject: row.names_project,
    },
  }));
}
