/** What is kept of a variable, of a workspace or of a set. A sensitive value is sealed at once, and stays sensitive. */
import { Type } from 'typebox';
import type { Config } from '../../core/config.ts';
import { ApiError, attributeFault, type Fault } from '../../core/errors.ts';
import type { Linkage, WriteOf } from '../../core/jsonapi/body.ts';
import { columns, defaults } from '../../core/jsonapi/resource.ts';
import { limits } from '../../core/limits.ts';
import { newId, randomBase62 } from '../../core/store/ids.ts';
import { open, seal } from '../../core/store/secrets.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { reviseWorkspaces } from '../../organizations/revisions.ts';
import { type VariableRow, variables } from './variable.ts';

export type VariableGiven = WriteOf<(typeof variables)['attributes']>;

/** Whose a variable is. */
export interface Home {
  organization_id: string;
  workspace_id?: string;
  variable_set_id?: string;
}

/** Keys and values for one statement: PostgreSQL takes 65,535 of them. */
const additionLimit = 1000;

const writable = Object.entries(variables.attributes).flatMap(([name, { schema, write }]) =>
  write === undefined ? [] : [[name, write === true ? schema : write] as const],
);

/** Whole variables in the body of a set. Identifiers alone are of those that are there already: nothing is asked of them. */
export const toVariables: Linkage<VariableGiven[]> = {
  schema: Type.Array(
    Type.Unsafe({
      type: 'object',
      properties: {
        type: { type: 'string', const: 'vars' },
        id: { type: 'string' },
        attributes: { type: 'object', properties: Object.fromEntries(writable), required: ['key', 'category'] },
      },
      required: ['type'],
      anyOf: [{ required: ['attributes'] }, { required: ['id'] }],
    }),
    { maxItems: additionLimit },
  ),
  read: data =>
    (data as { attributes?: VariableGiven }[]).flatMap(({ attributes }) => (attributes ? [attributes] : [])),
};

/** Adds variables to a workspace or a set, all at once. Returns their ids. */
export async function insertVariables(
  sql: Sql,
  config: Config,
  home: Home,
  isInGlobalSet: boolean,
  given: readonly VariableGiven[],
): Promise<string[]> {
  if (given.length === 0) return [];
  const rows = given.map(attributes => {
    const id = newId('var');
    return {
      ...defaults(variables),
      ...columns(variables, attributes),
      ...home,
      ...storedValue(config, id, attributes.sensitive === true, attributes.value ?? ''),
      id,
      in_global_set: isInGlobalSet,
      version_id: newVersion(),
    };
  });
  await sql`insert into variables ${sql(rows)}`;
  await requireRoom(sql, home);
  if (home.workspace_id) await reviseWorkspaces(sql, [home.workspace_id]);
  return rows.map(({ id }) => id);
}

/** Changes a variable. Returns what the audit is told besides the columns. */
export async function changeVariable(
  sql: Sql,
  config: Config,
  subject: VariableRow,
  attributes: VariableGiven,
): Promise<Record<string, unknown>> {
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
  if (value === undefined) return {};
  await requireRoom(sql, subject);
  return { value: 'changed' };
}

/** Clients read all variables of a home at once. Their number cannot change meanwhile: its row is held. */
async function requireRoom(sql: Sql, { workspace_id = null, variable_set_id = null }: Placed): Promise<void> {
  const [taken] = await sql<{ items: number; bytes: number }[]>`
    select count(*) as items, coalesce(sum(octet_length(variables.value)), 0)::bigint as bytes from variables
    where variables.workspace_id = ${workspace_id} or variables.variable_set_id = ${variable_set_id}`;
  const [items, bytes] = [limits.variables_items.value, limits.variables_bytes.value];
  const home = workspace_id === null ? 'variable set' : 'workspace';
  if (taken!.items > items) {
    throw new ApiError([attributeFault('key', `A ${home} has at most ${items} variables`)]);
  }
  if (taken!.bytes > bytes) {
    throw new ApiError([
      attributeFault('value', `The values of all variables of a ${home} hold at most ${bytes} bytes`),
    ]);
  }
}

type Placed = { workspace_id?: string | null; variable_set_id?: string | null };

export async function removeVariable(sql: Sql, subject: VariableRow): Promise<void> {
  await sql`delete from variables where variables.id = ${subject.id}`;
  if (subject.workspace_id) await reviseWorkspaces(sql, [subject.workspace_id]);
}

/** Each change makes a new version, also one that changes nothing. */
const newVersion = () => randomBase62(32);

export const sealContext = (id: string) => `variables/${id}`;

function storedValue(config: Config, id: string, isSensitive: boolean, value: string) {
  return isSensitive
    ? { value: null, sealed_value: seal(config, value, sealContext(id)) }
    : { value, sealed_value: null };
}

async function presentValue(sql: Sql, config: Config, variable: VariableRow): Promise<string | null> {
  if (!variable.sensitive) return variable.value;
  const [stored] = await sql<{ sealed_value: Buffer }[]>`
    select variables.sealed_value from variables where variables.id = ${variable.id}`;
  return open(config, stored!.sealed_value, sealContext(variable.id));
}

/** What was sensitive once would be shown to everybody who reads variables. */
export function sensitivityFaults(variable: VariableRow, given: VariableGiven): Fault[] {
  if (!variable.sensitive || given.sensitive !== false) return [];
  return [
    attributeFault(
      'sensitive',
      'Sensitive cannot become false again, so that nobody reads the value: delete the variable and create another',
    ),
  ];
}
