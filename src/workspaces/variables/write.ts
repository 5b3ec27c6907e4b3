/** Create, update and delete a variable of a workspace. */

import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { workspaceById } from '../workspaces/rows.ts';
import { changeVariable, insertVariables, removeVariable, sensitivityFaults } from './values.ts';
import { variableById, variables } from './variable.ts';

export const createVariable = endpoint({
  operation: 'vars.create',
  section: '§2.2',
  summary: 'Create a variable of a workspace',
  method: 'POST',
  paths: ['/workspaces/:workspace_id/vars'],
  subject: workspaceById,
  needs: policy['workspace:write-variables'],
  body: documentBody(variables, { required: ['key', 'category'] }),
  answer: { status: 201, document: variables, reads: variableById },
  errors: ['variable-key-taken'],
  handle: async ({ sql, subject, body: { attributes }, config }) => {
    const home = { organization_id: subject.organization_id, workspace_id: subject.id };
    const [id] = await insertVariables(sql, config, home, false, [attributes]);
    return id;
  },
});

export const updateVariable = endpoint({
  operation: 'vars.update',
  section: '§2.2',
  summary: 'Update a variable of a workspace',
  method: 'PATCH',
  paths: ['/workspaces/:workspace_id/vars/:variable_id'],
  subject: variableById,
  needs: policy['workspace:write-variables'],
  body: documentBody(variables),
  answer: { status: 200, document: variables, reads: variableById },
  errors: ['variable-key-taken'],
  check: ({ subject, body, faults }) => void faults.push(...sensitivityFaults(subject, body.attributes)),
  handle: async ({ sql, subject, body: { attributes }, config, note }) => {
    note(await changeVariable(sql, config, subject, attributes));
  },
});

export const deleteVariable = endpoint({
  operation: 'vars.delete',
  section: '§2.2',
  summary: 'Delete a variable of a workspace',
  method: 'DELETE',
  paths: ['/workspaces/:workspace_id/vars/:variable_id'],
  subject: variableById,
  needs: policy['workspace:write-variables'],
  answer: { status: 204 },
  handle: ({ sql, subject }) => removeVariable(sql, subject),
});
