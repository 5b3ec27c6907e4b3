/** Refusals by name: thrown by code, read by callers as JSON:API errors (§7). `refusals/` has their texts. */

import { limits } from './limits.ts';
import type { Refusal } from './refusals/refusal.ts';
import { refusals } from './refusals/refusals.ts';

export type ErrorName = keyof typeof refusals;

export type Source = { pointer: string } | { parameter: string } | { header: string };
type Values = Record<string, string | number>;

/** One reason for a refusal, in the JSON:API form that a caller reads. */
export interface Fault {
  name: ErrorName;
  source?: Source;
  values?: Values;
}

/** A refusal: one fault, or every fault of one body. All have the status of the first. */
export class ApiError extends Error {
  readonly faults: readonly [Fault, ...Fault[]];
  /** How many further faults the answer only counts. */
  readonly omitted: number;

  constructor(faults: ErrorName | readonly Fault[], values?: Values, source?: Source) {
    super(typeof faults === 'string' ? faults : faults.map(fault => fault.name).join(', '));
    const list: readonly Fault[] =
      typeof faults === 'string' ? [{ name: faults, ...(values && { values }), ...(source && { source }) }] : faults;
    const [first, ...rest] = list;
    if (!first) throw new Error('an ApiError needs a fault');
    const most = limits.faults_items.value;
    this.faults = [first, ...rest.slice(0, most - 1)];
    this.omitted = list.length - this.faults.length;
  }

  get status(): number {
    return this.#entry.status;
  }

  get retryAfter_s(): number | undefined {
    const given = this.faults[0].values?.['retryAfter_s'];
    return given === undefined ? this.#entry.retryAfter_s : Number(given);
  }

  get #entry(): Refusal {
    return refusals[this.faults[0].name];
  }
}

/** A fault of a body, at a JSON pointer such as `/data/attributes/name`. */
export function faultAt(name: ErrorName, pointer: string, values?: Values): Fault {
  return { name, source: { pointer }, ...(values && { values }) };
}

/** The shorthand for a rule of one attribute or relationship: `reason` is a full sentence for the caller. */
export function attributeFault(attribute: string, reason: string): Fault {
  return faultAt('invalid-attribute', `/data/attributes/${attribute.replaceAll('.', '/')}`, { reason });
}

/** As `attributeFault`, for `/data/relationships/<name>`. */
export function relationshipFault(relationship: string, reason: string): Fault {
  return faultAt('invalid-relationship', `/data/relationships/${relationship}`, { reason });
}

/** The error document of a refusal. Without values it is the same bytes every time. */
export function errorDocument(error: ApiError): string {
  const errors = error.faults.map(({ name, source, values }) => {
    const { status, title, detail }: Refusal = refusals[name];
    const text = detail?.replace(/\{(\w+)\}/g, (_match, key: string) => String(values?.[key] ?? ''));
    return { status: String(status), title, ...(text && { detail: text }), ...(source && { source }) };
  });
  if (error.omitted > 0) {
    const { status, title } = refusals[error.faults[0].name];
    errors.push({ status: String(status), title, detail: `and ${error.omitted} more.` });
  }
  return JSON.stringify({ errors });
}

/** What was found, or null where it is refused as not found. */
export async function unlessMissing<Found>(find: () => Promise<Found>): Promise<Found | null> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
