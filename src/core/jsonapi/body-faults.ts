/** What is wrong with a body, as its caller reads it: the faults of the schema in words, each at its place. */
import type { ErrorObject } from 'ajv';
import { type Fault, faultAt } from '../errors.ts';

/** `auto-apply` → `Auto apply`. */
function label(name: string): string {
  const words = name.replace(/[-_]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** That something has to be said. */
export const blank = (name: string) => `${label(name)} can't be blank`;

/** One fault for each place: what is not even of the right type needs no second complaint. */
export function faultsOf(errors: readonly ErrorObject[] | null | undefined, base: string): Fault[] {
  const faults = new Map<string, Fault>();
  for (const error of errors ?? []) {
    const { pointer, fault } = faultOf(error, base);
    if (!faults.has(pointer) || error.keyword === 'type') faults.set(pointer, fault);
  }
  return [...faults.values()];
}

function faultOf(error: ErrorObject, base: string): { pointer: string; fault: Fault } {
  const missing = error.keyword === 'required' ? (error.params as { missingProperty: string }).missingProperty : '';
  const pointer = `${base}${error.instancePath}${missing && `/${missing}`}`;
  const name = missing || error.instancePath.split('/').at(-1) || 'body';
  const rule = (error.parentSchema as { 'x-rule'?: string } | undefined)?.['x-rule'];
  const isAttribute = pointer.includes('/attributes/');
  const reason = missing ? blank(name) : `${label(name)} ${rule && error.keyword !== 'type' ? rule : sentence(error)}`;
  return { pointer, fault: faultAt(isAttribute ? 'invalid-attribute' : 'invalid-document', pointer, { reason }) };
}

function sentence(error: ErrorObject): string {
  const { type, allowedValues, allowedValue, limit, format } = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'type':
      return `must be ${[type].flat().join(' or ')}`;
    case 'enum':
      return `must be one of: ${(allowedValues as unknown[]).map(String).join(', ')}`;
    case 'const':
      return `must be "${String(allowedValue)}"`;
    case 'maxLength':
      return `is too long (maximum is ${String(limit)} characters)`;
    case 'minLength':
      return "can't be blank";
    case 'format':
      return format === 'date-time' ? 'must be a date and time such as 2026-11-21T11:29:59Z' : 'is invalid';
    default:
      return error.message ?? 'is invalid';
  }
}
