/** Create, update and delete a variable. A sensitive value is sealed at once, and stays sensitive. */
import { policy } from '../access/policy.ts';
import type { Config } from '../config.ts';
import { attributeFault, type Fault } from '../errors.ts';
import { documentBody, type WriteOf } from '../jsonapi/body.ts';
import { endpoint } from '../jsonapi/endpoint.ts';
import { columns, defaults } from '../jsonapi/resource.ts';
import { newId, randomBase62 } from '../store/ids.ts';
import { open, seal } from '../store/secrets.ts';
import { row, type Sql } from '../store/store.ts';
import { workspaceById } from '../workspaces/workspace.ts';
import { type Variable, variableById, variables } from './variable.ts';

export const createVariable = endpoint({
  operation: 'vars.create',
  section: '§2.2',
  summary: 'Create a variable of a workspace',
  method: 'POST',
  paths: ['/workspaces/:workspace_id/vars'],
  subject: workspaceById,
  needs: policy['workspace:write-variables'],
  body: documentBody(variables, { required: ['key', 'category'] }),
  answer: { status: 201, document: variables },
  errors: ['variable-key-taken'],
  handle: async ({ sql, actor, subject, body: { attributes }, config }) => {
    const id = newId('var');
    await sql`
      insert into variables ${row(sql, {
        ...defaults(variables),
        ...columns(variables, attributes),
        id,
        workspace_id: subject.id,
        organization_id: subject.organization_id,
        version_id: newVersion(),
        ...storedValue(config, id, attributes.sensitive === true, attributes.value ?? ''),
      })}`;
    return (await variableById.find(sql, actor, { workspace_id: subject.id, variable_id: id }, null))!;
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
  answer: { status: 200, document: variables },
  errors: ['variable-key-taken'],
  check: ({ subject, body, faults }) => void faults.push(...sensitivityFaults(subject, body.attributes)),
  handle: async ({ sql, actor, subject, params, body: { attributes }, config, note }) => {
    const isSensitive = attributes.sensitive ?? subject.sensitive;
    const value = attributes.value === undefined ? undefined : (attributes.value ?? '');
    const before = value === undefined && isSensitive ? await presentValue(sql, config, subject) : subject.value;
    await sql`
      update variables set ${row(sql, {
        ...columns(variables, attributes),
        version_id: newVersion(),
        ...storedValue(config, subject.id, isSensitive, value ?? before ?? ''),
      })}
      where variables.id = ${subject.id}`;
    if (value !== undefined) note({ value: 'changed' });
    return (await variableById.find(sql, actor, params, null))!;
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
  handle: async ({ sql, subject }) => {
    await sql`delete from variables where variables.id = ${subject.id}`;
  },
});

/** Each change makes a new version, also one that changes nothing. */
const newVersion = () => randomBase62(32);

export const sealContext = (id: string) => `variables/${id}`;

function storedValue(config: Config, id: string, isSensitive: boolean, value: string) {
  return isSensitive
    ? { value: null, sealed_value: seal(config, value, sealContext(id)) }
    : { value, sealed_value: null };
}

async function presentValue(sql: Sql, config: Config, variable: Variable): Promise<string | null> {
  if (!variable.sensitive) return variable.value;
  const [stored] = await sql<{ sealed_value: Buffer }[]>`
    select variables.sealed_value from variables where variables.id = ${variable.id}`;
  return open(config, stored!.sealed_value, sealContext(variable.id));
}

/** What was sensitive once would be shown to everybody who reads variables. */
function sensitivityFaults(variable: Variable, given: WriteOf<(typeof variables)['attributes']>): Fault[] {
  if (!variable.sensitive || given.sensitive !== false) return [];
  return [attributeFault('sensitive', 'Sensitive cannot be taken back. Delete the variable and create it again')];
}
