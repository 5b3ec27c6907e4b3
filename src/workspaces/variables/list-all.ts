/** List the variables that a workspace has, its own and those of variable sets: of each key the one that prevails. */

import { policy } from '../../access/policy.ts';
import { appliesTo, namesItsProject, namesWorkspace } from '../../access/variable-sets.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Sql } from '../../core/store/store.ts';
import { workspaceById } from '../workspaces/rows.ts';
import { type Candidate, prevailing } from './precedence.ts';
import { type VariableRow, variableColumns, variables, variablesOf } from './variable.ts';

export const listAllVariables = endpoint({
  operation: 'vars.list-all',
  section: '§2.2',
  summary: 'List the variables of a workspace with those of the variable sets that apply to it',
  method: 'GET',
  paths: ['/workspaces/:workspace_id/all-vars'],
  subject: workspaceById,
  needs: policy['workspace:read-variables'],
  answer: { status: 200, collection: variables, pages: 'never' },
  handle: async ({ sql, subject }) => {
    const [own, applied] = await Promise.all([variablesOf(sql, subject.id), variablesApplied(sql, subject.id)]);
    const rows = prevailing([...own.map(variable => ({ variable, origin: null })), ...applied]);
    return { rows, total: rows.length };
  },
});

/** The variables of every set that applies to the workspace, set by set. */
async function variablesApplied(sql: Sql, workspaceId: string): Promise<Candidate<VariableRow>[]> {
  const rows = await sql<VariableRow[]>`
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
      name: row['set_name'],
      global: row['global'],
      priority: row['priority'],
      isOfProject: row['is_of_project'],
      namesWorkspace: row['names_workspace'],
      namesProject: row['names_project'],
    },
  }));
}
