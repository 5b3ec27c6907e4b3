/** The variables that a run was given when it was made: sealed, since people put secrets into them. */
import { type KeyMaterial, seal } from '../../core/store/secrets.ts';

export interface OwnVariable {
  key: string;
  value: string;
}

/** As the column holds them. Runs of earlier releases hold them open. */
export type HeldVariables = { sealed: string } | readonly OwnVariable[];

export const ownSealContext = (runId: string) => `runs/${runId}/own-variables`;

export function heldVariables(keys: KeyMaterial, runId: string, variables: readonly OwnVariable[]): HeldVariables {
  if (variables.length === 0) return [];
  return { sealed: seal(keys, JSON.stringify(variables), ownSealContext(runId)).toString('base64') };
}

/** @param unseal opens what was sealed under a context */
export function ownVariables(
  unseal: (sealed: Buffer, context: string) => string,
  { id, variables }: { id: string; variables: HeldVariables },
): readonly OwnVariable[] {
  if (!('sealed' in variables)) return variables;
  return JSON.parse(unseal(Buffer.from(variables.sealed, 'base64'), ownSealContext(id)));
}
