/** The variables of a variable set: listed, shown, created, updated and deleted as those of a workspace are. */
import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { changeVariable, insertVariables, removeVariable, sensitivityFaults } from '../variables/values.ts';
import { variables, variablesOfSet } from '../variables/variable.ts';
import { setVariableById, variableSetById } from './variable-set.ts';

const listPaths = ['/varsets/:variable_set_id/relationships/vars'] as const;
const paths = ['/varsets/:variable_set_id/relationships/vars/:variable_id'] as const;

export const listSetVariables = endpoint({
  operation: 'vars.list-of-set',
  section: '§2.2',
  summary: 'List the variables of a variable set',
  method: 'GET',
  paths: listPaths,
  subject: variableSetById,
  needs: policy['variable-set:read-variables'],
  answer: { status: 200, collection: variables, pages: 'never' },
  handle: async ({ sql, subject }) => {
    const rows = await variablesOfSet(sql, subject.id);
    return { rows, total: rows.length };
  },
});

export const createSetVariable = endpoint({
  operation: 'vars.create-in-set',
  section: '§2.2',
  summary: 'Create a variable of a variable set',
  method: 'POST',
  paths: listPaths,
  subject: variableSetById,
  needs: policy['variable-set:manage'],
  body: documentBody(variables, { required: ['key', 'category'] }),
  answer: { status: 201, document: variables, reads: setVariableById },
  errors: ['variable-key-taken', 'variable-key-global'],
  handle: async ({ sql, subject, body: { attributes }, config }) => {
    const home = { organization_id: subject.organization_id, variable_set_id: subject.id };
    const [id] = await insertVariables(sql, config, home, subject.global, [attributes]);
    return id;
  },
});

export const showSetVariable = endpoint({
  operation: 'vars.show-of-set',
  section: '§2.2',
  summary: 'Show a variable of a variable set',
  method: 'GET',
  paths,
  subject: setVariableById,
  needs: policy['variable-set:read-variables'],
  answer: { status: 200, document: variables },
  handle: ({ subject }) => subject,
});

export const updateSetVariable = endpoint({
  operation: 'vars.update-in-set',
  section: '§2.2',
  summary: 'Update a variable of a variable set',
  method: 'PATCH',
  paths,
  subject: setVariableById,
  needs: policy['variable-set:manage'],
  body: documentBody(variables),
  answer: { status: 200, document: variables, reads: setVariableById },
  errors: ['variable-key-taken', 'variable-key-global'],
  check: ({ subject, body, faults }) => void faults.push(...sensitivityFaults(subject, body.attributes)),
  handle: async ({ sql, subject, body: { attributes }, config, note }) => {
    note(await changeVariable(sql, config, subject, attributes));
  },
});

export const deleteSetVariable = endpoint({
  operation: 'vars.delete-from-set',
  section: '§2.2',
  summary: 'Delete a variable of a variable set',
  method: 'DELETE',
  paths,
  subject: setVariableById,
  needs: policy['variable-set:manage'],
  answer: { status: 204 },
  handle: ({ sql, subject }) => removeVariable(sql, subject),
});
