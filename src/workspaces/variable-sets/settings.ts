/** What a body says of a variable set: who owns it, what it applies to, and variables that are to be added. */
import { attributeFault, type Fault, relationshipFault } from '../../core/errors.ts';
import { toMany, toOneOf } from '../../core/jsonapi/body.ts';
import type { Sql } from '../../core/store/store.ts';
import { toVariables, type VariableGiven } from '../variables/values.ts';
import type { Owner } from './places.ts';

export const setLinks = {
  parent: toOneOf('organizations', 'projects'),
  workspaces: toMany('workspaces'),
  projects: toMany('projects'),
  vars: toVariables,
};

/** Pure: a project's set stays inside of the project. */
export function globalFaults(owner: Owner, isGlobal: boolean): Fault[] {
  if (owner.project_id === null || !isGlobal) return [];
  return [attributeFault('global', 'Global can only be true for a set that the organization owns')];
}

interface Key {
  category: string;
  key: string;
}

/** What the keys of a set are, and are to be. */
export interface Keys {
  /** The keys that it has already. */
  present: readonly Key[];
  added: readonly VariableGiven[];
  /** Of what is to be global: keys of the other global sets of the organization. */
  ofOthers: readonly Key[];
}

/** Pure: each key once in its category, and once among the global sets of the organization. */
export function keyFaults({ present, added, ofOthers }: Keys): Fault[] {
  const name = ({ category, key }: { category?: string | undefined; key?: string | undefined }) => `${category} ${key}`;
  const own = new Set(present.map(name));
  const others = new Set(ofOthers.map(name));
  const faults: Fault[] = [];
  added.forEach((variable, position) => {
    const here = `vars/data/${position}/attributes/key`;
    if (own.has(name(variable))) faults.push(relationshipFault(here, 'Key has already been taken in this category'));
    else if (others.has(name(variable))) faults.push(relationshipFault(here, inAnother));
    own.add(name(variable));
  });
  const shared = present.filter(one => others.has(name(one))).map(({ key }) => key);
  if (shared.length > 0) faults.push(attributeFault('global', `Other global variable sets have: ${shared.join(', ')}`));
  return faults;
}

const inAnother = 'Key has already been taken in this category by another global variable set';

export async function keysOf(sql: Sql, variableSetId: string): Promise<Key[]> {
  return sql<Key[]>`
    select variables.category, variables.key from variables
    where variables.variable_set_id = ${variableSetId}
    order by variables.category, variables.key, variables.id`;
}

/** The given keys that other global sets of the organization have. */
export async function globalKeysAmong(
  sql: Sql,
  organizationId: string,
  exceptSetId: string | null,
  keys: readonly (string | undefined)[],
): Promise<Key[]> {
  return sql<Key[]>`
    select variables.category, variables.key from variables
    where variables.organization_id = ${organizationId} and variables.in_global_set
      and variables.variable_set_id is distinct from ${exceptSetId}
      and variables.key = any(${keys as string[]})
    order by variables.category, variables.key, variables.id`;
}
