/** List the variables that a workspace has, its own and those of variable sets: of each key the one that prevails. */

import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { workspaceById } from '../workspaces/rows.ts';
import { variablesInEffect } from './in-effect.ts';
import { variables } from './variable.ts';

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
    const rows = await variablesInEffect(sql, subject.id);
    return { rows, total: rows.length };
  },
});
