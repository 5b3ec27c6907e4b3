/** §8: the rules of key-value tags, for workspaces and projects alike. Pure: bindings in, faults out. */
import { Type } from 'typebox';
import { type Fault, faultAt } from '../../core/errors.ts';
import { nullable, text } from '../../core/jsonapi/fields.ts';

export const bindingLimit = 10;
export const keyLengthLimit = 128;
const valueLengthLimit = 256;
export const reservedPrefixes = ['hc:', 'hcp:'] as const;

const permitted = /^[A-Za-z0-9_.=+@:-]*$/;

/** The attributes of a binding in a body. A binding without a value is a key alone. */
export const bindingGiven = Type.Object({ key: text, value: Type.Optional(nullable(text)) });

export interface BindingGiven {
  key: string;
  value?: string | null;
}

/** What is wrong with the bindings of one request; `pointer` is where their array lies in the body. */
export function bindingFaults(bindings: readonly BindingGiven[], pointer: string): Fault[] {
  if (bindings.length > bindingLimit) {
    const reason = `cannot exceed ${bindingLimit} bindings per resource`;
    return [faultAt('invalid-relationship', pointer, { reason })];
  }
  const keys = bindings.map(({ key }) => key);
  return bindings.flatMap(({ key, value }, position) => {
    const isRepeated = keys.indexOf(key) !== position;
    const keyRule = isRepeated ? 'is given more than once' : keyProblem(key);
    const valueRule = problem(value ?? '', valueLengthLimit);
    const at = (attribute: string, reason: string) =>
      faultAt('invalid-attribute', `${pointer}/${position}/attributes/${attribute}`, { reason });
    return [
      ...(keyRule ? [at('key', `Key ${keyRule}`)] : []),
      ...(valueRule ? [at('value', `Value ${valueRule}`)] : []),
    ];
  });
}

function keyProblem(key: string): string | null {
  if (key === '') return "can't be blank";
  const prefix = reservedPrefixes.find(reserved => key.startsWith(reserved));
  return prefix ? `is invalid: the prefix ${prefix} is reserved` : problem(key, keyLengthLimit);
}

function problem(value: string, limit: number): string | null {
  if (value.length > limit) return `is too long (maximum is ${limit} characters)`;
  return permitted.test(value) ? null : 'may only contain letters, numbers and _ . = + - @ :';
}
