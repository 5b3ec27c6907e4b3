/** List and show the variables of a workspace, without those of variable sets. The list is never paginated. */

import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { workspaceById } from '../workspaces/rows.ts';
import { variableById, variables, variablesOf } from './variable.ts';

export const listVariables = endpoint({
  operation: 'vars.list',
  section: '§2.2',
  summary: 'List the variables of a workspace',
  method: 'GET',
  paths: ['/workspaces/:workspace_id/vars'],
  subject: workspaceById,
  needs: policy['workspace:read-variables'],
  answer: { status: 200, collection: variables, pages: 'never' },
  handle: async ({ sql, subject }) => {
    const rows = await variablesOf(sql, subject.id);
    return { rows, total: rows.length };
  },
});

export const showVariable = endpoint({
  operation: 'vars.show',
  section: '§2.2',
  summary: 'Show a variable of a workspace',
  method: 'GET',
  paths: ['/workspaces/:workspace_id/vars/:variable_id'],
  subject: variableById,
  needs: policy['workspace:read-variables'],
  answer: { status: 200, document: variables },
  handle: ({ subject }) => subject,
});
