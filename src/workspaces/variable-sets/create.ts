/** Create a variable set. Who may is asked of its owner to be: the organization, or one of its projects. */

import { policy } from '../../access/policy.ts';
import { managesSetsOf } from '../../access/variable-sets.ts';
import type { Actor } from '../../core/access/actor.ts';
import { ApiError } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { idFor } from '../../core/jsonapi/chosen-id.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Identifier } from '../../core/jsonapi/fields.ts';
import { permitted } from '../../core/jsonapi/records.ts';
import { columns, defaults } from '../../core/jsonapi/resource.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { type Organization, organizationByName } from '../../organizations/organizations/organization.ts';
import { projectById } from '../projects/project.ts';
import { insertVariables } from '../variables/values.ts';
import { addPlaces, type Owner, placeFaults } from './places.ts';
import { globalFaults, globalKeysAmong, keyFaults, setLinks } from './settings.ts';
import { includePaths, variableSetById, variableSets } from './variable-set.ts';

export const createVariableSet = endpoint({
  operation: 'varsets.create',
  section: '§2.2',
  summary: 'Create a variable set',
  method: 'POST',
  paths: ['/organizations/:organization_name/varsets'],
  subject: organizationByName,
  needs: policy['organization:create-variable-set'],
  holds: 'key share',
  include: includePaths,
  body: documentBody(variableSets, { required: ['name'], idMayBeGiven: true, relationships: setLinks }),
  answer: { status: 201, document: variableSets, reads: variableSetById },
  errors: ['name-taken', 'variable-key-global', 'invalid-relationship'],
  check: async ({ sql, actor, subject, body: { attributes, relationships }, faults }) => {
    const owner = await ownerToBe(sql, actor, subject, relationships.parent ?? null);
    const isGlobal = attributes.global === true;
    const added = relationships.vars ?? [];
    const keys = added.map(({ key }) => key);
    const ofOthers = isGlobal ? await globalKeysAmong(sql, owner.organization_id, null, keys) : [];
    faults.push(
      ...globalFaults(owner, isGlobal),
      ...(await placeFaults(sql, actor, owner, relationships)),
      ...keyFaults({ present: [], added, ofOthers }),
    );
    return owner;
  },
  handle: async ({ sql, actor, config, body }, owner) => {
    const { attributes, relationships } = body;
    const id = idFor('varset', { actor, body });
    await sql`
      insert into variable_sets ${row(sql, {
        ...defaults(variableSets),
        ...columns(variableSets, attributes),
        ...owner,
        id,
      })}`;
    await addPlaces(sql, id, relationships);
    const home = { organization_id: owner.organization_id, variable_set_id: id };
    await insertVariables(sql, config, home, attributes.global === true, relationships.vars ?? []);
    return id;
  },
});

/** Throws `not-found` unless the caller may change sets of that owner. Without a parent it is the organization. */
async function ownerToBe(
  sql: Sql,
  actor: Actor,
  organization: Organization,
  parent: Identifier | null,
): Promise<Owner> {
  const { organization_id } = organization;
  if (parent?.type === 'projects') {
    const needs = policy['project:write-variable-sets'];
    const project = await permitted({ sql, actor }, projectById, needs, { project_id: parent.id });
    if (project?.organization_id !== organization_id) throw new ApiError('not-found');
    return { organization_id, project_id: project.id };
  }
  const isForeign = parent !== null && parent.id !== organization.id;
  if (isForeign || !managesSetsOf(actor, organization_id)) throw new ApiError('not-found');
  return { organization_id, project_id: null };
}
