/** Delete a variable set with its variables: it leaves every workspace that it applied to. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { variableSetById } from './variable-set.ts';

export const deleteVariableSet = endpoint({
  operation: 'varsets.delete',
  section: '§2.2',
  summary: 'Delete a variable set with its variables',
  method: 'DELETE',
  paths: ['/varsets/:variable_set_id'],
  subject: variableSetById,
  needs: policy['variable-set:manage'],
  answer: { status: 204 },
  handle: async ({ sql, subject }) => {
    await sql`delete from variable_sets where variable_sets.id = ${subject.id}`;
  },
});
