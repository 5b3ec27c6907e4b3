/** Update a variable set: what the body leaves out keeps its value, lists are replaced, and variables are added. */
import { policy } from '../../access/policy.ts';
import { type Fault, relationshipFault } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Identifier } from '../../core/jsonapi/fields.ts';
import { columns } from '../../core/jsonapi/resource.ts';
import { row } from '../../core/store/store.ts';
import { insertVariables } from '../variables/values.ts';
import { placeFaults, replacePlaces } from './places.ts';
import { globalFaults, globalKeysAmong, keyFaults, keysOf, setLinks } from './settings.ts';
import { includePaths, type VariableSet, variableSetById, variableSets } from './variable-set.ts';

export const updateVariableSet = endpoint({
  operation: 'varsets.update',
  section: '§2.2',
  summary: 'Update a variable set',
  method: 'PATCH',
  paths: ['/varsets/:variable_set_id'],
  subject: variableSetById,
  needs: policy['variable-set:manage'],
  include: includePaths,
  body: documentBody(variableSets, { relationships: setLinks }),
  answer: { status: 200, document: variableSets, reads: variableSetById },
  errors: ['name-taken', 'variable-key-global', 'invalid-relationship'],
  check: async ({ sql, actor, subject, body: { attributes, relationships }, faults }) => {
    const isGlobal = attributes.global ?? subject.global;
    const added = relationships.vars ?? [];
    const present = await keysOf(sql, subject.id);
    const keys = [...present, ...added].map(({ key }) => key);
    const ofOthers = isGlobal ? await globalKeysAmong(sql, subject.organization_id, subject.id, keys) : [];
    faults.push(
      ...parentFaults(subject, relationships.parent ?? null),
      ...globalFaults(subject, isGlobal),
      ...(await placeFaults(sql, actor, subject, relationships)),
      ...keyFaults({ present, added, ofOthers }),
    );
  },
  handle: async ({ sql, actor, subject, config, body: { attributes, relationships }, note }) => {
    const { id, organization_id } = subject;
    await sql`
      update variable_sets set ${row(sql, { id, ...columns(variableSets, attributes) })} where variable_sets.id = ${id}`;
    const isGlobal = attributes.global ?? subject.global;
    if (isGlobal !== subject.global) {
      await sql`update variables set in_global_set = ${isGlobal} where variables.variable_set_id = ${id}`;
    }
    await replacePlaces(sql, actor, id, relationships);
    const added = relationships.vars ?? [];
    await insertVariables(sql, config, { organization_id, variable_set_id: id }, isGlobal, added);
    if (added.length > 0) note({ 'added-vars': added.map(({ key }) => key) });
  },
});

/** A set stays with its owner; a whole document that is sent back says so, too. */
function parentFaults(subject: VariableSet, parent: Identifier | null): Fault[] {
  const isSame = parent === null || parent.id === (subject.project_id ?? subject.organization_name);
  return isSame ? [] : [relationshipFault('parent', 'A variable set cannot be given to another owner')];
}
