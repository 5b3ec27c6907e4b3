/** The variables of a run: those of its workspace at the moment it was made, kept sealed until it is over, and its own. */

import type { KeyMaterial } from '../../core/store/secrets.ts';
import { open, seal } from '../../core/store/secrets.ts';
import type { Sql } from '../../core/store/store.ts';
import { variablesInEffect } from '../../workspaces/variables/in-effect.ts';
import { sealContext as variableContext } from '../../workspaces/variables/values.ts';
import { type HeldVariables, ownVariables } from './own-variables.ts';

/** What an engine is given. */
export interface RunVariable {
  key: string;
  value: string;
  category: 'terraform' | 'env';
  /** Whether the value is an expression; else it is text. */
  hcl: boolean;
  sensitive: boolean;
}

interface Kept extends RunVariable {
  /** Of a set that prevails over what a run says itself. */
  priority: boolean;
}

export const sealContext = (runId: string) => `runs/${runId}/variables`;

/** Later changes of the workspace do not reach the run. */
export async function sealedVariables(
  sql: Sql,
  keys: KeyMaterial,
  runId: string,
  workspaceId: string,
): Promise<Buffer> {
  const rows = await variablesInEffect(sql, workspaceId);
  const secret = rows.filter(({ sensitive }) => sensitive).map(({ id }) => id);
  const sealed =
    secret.length === 0
      ? []
      : await sql<{ id: string; sealed_value: Buffer }[]>`
          select variables.id, variables.sealed_value from variables where variables.id = any(${secret})`;
  const opened = new Map(sealed.map(({ id, sealed_value }) => [id, open(keys, sealed_value, variableContext(id))]));
  const kept = rows.map(
    (row): Kept => ({
      key: row.key,
      value: opened.get(row.id) ?? row.value ?? '',
      category: row.category as Kept['category'],
      hcl: row.hcl,
      sensitive: row.sensitive,
      priority: row.priority === true,
    }),
  );
  return seal(keys, JSON.stringify(kept), sealContext(runId));
}

export interface RunWithVariables {
  id: string;
  sealed_variables: Buffer | null;
  variables: HeldVariables;
}

/** Those of priority sets prevail over what the run says, and that over all others. A run says literals. */
export function variablesOfRun(keys: KeyMaterial, run: RunWithVariables): RunVariable[] {
  const kept: Kept[] = run.sealed_variables ? JSON.parse(open(keys, run.sealed_variables, sealContext(run.id))) : [];
  const above = new Set(kept.filter(one => one.category === 'terraform' && one.priority).map(({ key }) => key));
  const given = ownVariables((sealed, context) => open(keys, sealed, context), run);
  const own = new Map(given.filter(({ key }) => !above.has(key)).map(({ key, value }) => [key, value]));
  const below = kept.filter(one => one.category === 'env' || !own.has(one.key));
  return [
    ...below.map(({ priority: _priority, ...one }) => one),
    ...[...own].map(([key, value]) => ({ key, value, category: 'terraform', hcl: true, sensitive: false }) as const),
  ];
}
