/** Show a variable set: to whoever may read a workspace that it applies to, or its owner's sets. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { includePaths, variableSetById, variableSets } from './variable-set.ts';

export const showVariableSet = endpoint({
  operation: 'varsets.show',
  section: '§2.2',
  summary: 'Show a variable set',
  method: 'GET',
  paths: ['/varsets/:variable_set_id'],
  subject: variableSetById,
  needs: policy['variable-set:read'],
  include: includePaths,
  answer: { status: 200, document: variableSets },
  handle: ({ subject }) => subject,
});
