/** Values that fit a JSON schema, values that break it in one place, and values that nobody expects. */
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import fastCheck from 'fast-check';
import type { Draws } from '../../src/commands/seed/draws.ts';

export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/** Says what a member is to be called after, such as an id: undefined where any value will do. */
export type Known = (path: readonly string[], beside: Record<string, Schema>) => unknown;

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
export const word = (draws: Draws, length = 8) => Array.from({ length }, () => letters[draws.below(36)]).join('');

/** A value that fits; members that are not required are there now and then. */
export function fittingValue(schema: Schema, draws: Draws, known: Known, path: readonly string[] = []): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return draws.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const chosen = draws.pick(choices);
    const properties = { ...schema.properties, ...chosen.properties };
    const required = [...(schema.required ?? []), ...(chosen.required ?? [])];
    const { anyOf: _any, oneOf: _one, ...rest } = schema;
    return fittingValue({ ...rest, ...chosen, properties, required }, draws, known, path);
  }
  const type = draws.pick([schema.type ?? (schema.properties ? 'object' : 'string')].flat());
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return draws.chance(0.5);
    case 'integer':
    case 'number': {
      const least = schema.minimum ?? 0;
      return least + draws.below(Math.min(schema.maximum ?? 1000, least + 1000) - least + 1);
    }
    case 'array': {
      const count = Math.max(schema.minItems ?? 0, Math.min(draws.below(4), schema.maxItems ?? 4));
      return Array.from({ length: count }, () => fittingValue(schema.items ?? {}, draws, known, path));
    }
    case 'object':
      return objectOf(schema, draws, known, path);
    default:
      return textOf(schema, draws);
  }
}

function objectOf(schema: Schema, draws: Draws, known: Known, path: readonly string[]): object {
  const properties = schema.properties ?? {};
  // A body with every member would seldom pass the rules between them.
  const share = draws.pick([0.05, 0.2, 0.5]);
  const named = Object.entries(properties).filter(
    ([name]) => schema.required?.includes(name) || draws.chance(structural.has(name) ? 0.6 : share),
  );
  return Object.fromEntries(
    named.map(([name, member]) => {
      const at = [...path, name];
      return [name, known(at, properties) ?? fittingValue(member, draws, known, at)];
    }),
  );
}

const structural = new Set(['data', 'attributes', 'relationships', 'type']);

const samplesOfPatterns = new Map<string, readonly string[]>();

function textOf({ pattern, format, minLength = 0, maxLength = 40 }: Schema, draws: Draws): string {
  if (format === 'date-time') return new Date(Date.UTC(2027, draws.below(60), 1 + draws.below(28))).toISOString();
  const text = word(draws, Math.max(minLength, Math.min(maxLength, draws.pick([1, 4, 12]))));
  if (!pattern) return text;
  const fits = new RegExp(pattern, 'u');
  const year = draws.below(999);
  const guesses = [`n-${word(draws)}`, `${word(draws)}@example.com`, `${1 + year}d`, `a/${text}`, `1.${year}.${year}`];
  const fitting = guesses.filter(guess => fits.test(guess));
  return fitting.length > 0 ? draws.pick(fitting) : draws.pick(samplesOf(pattern));
}

/** Made once for a pattern: that takes milliseconds. */
function samplesOf(pattern: string): readonly string[] {
  const known = samplesOfPatterns.get(pattern);
  if (known) return known;
  const samples = fastCheck.sample(fastCheck.stringMatching(new RegExp(pattern, 'u')), { seed: 1, numRuns: 20 });
  samplesOfPatterns.set(pattern, samples);
  return samples;
}

type Breaking = () => unknown;

/** The value with one rule of the schema broken; undefined where nothing in it can be broken. */
export function broken(schema: Schema, value: unknown, draws: Draws): unknown {
  const copy = structuredClone({ value });
  const places: Breaking[] = [];
  gatherBreaks(schema, copy, 'value', draws, places);
  if (places.length === 0) return undefined;
  draws.pick(places)();
  return copy.value;
}

const missing = Symbol('missing');

function gatherBreaks(
  schema: Schema,
  parent: Record<string, unknown> | unknown[],
  name: string | number,
  draws: Draws,
  places: Breaking[],
): void {
  const holder = parent as Record<string | number, unknown>;
  const value = holder[name];
  const add = (next: unknown) => {
    places.push(() => {
      if (next === missing) delete holder[name];
      else holder[name] = next;
    });
  };
  for (const wrong of wrongFor(schema, value, draws)) add(wrong);
  if (Array.isArray(value) && schema.items) {
    value.forEach((_item, position) => {
      gatherBreaks(schema.items!, value, position, draws, places);
    });
  } else if (typeof value === 'object' && value !== null) {
    const properties = { ...schema.properties };
    for (const member of Object.keys(value)) {
      if (properties[member]) gatherBreaks(properties[member], value as Record<string, unknown>, member, draws, places);
    }
    for (const member of schema.required ?? []) {
      if (Object.hasOwn(value, member)) places.push(() => void delete (value as Record<string, unknown>)[member]);
    }
  }
}

function wrongFor(schema: Schema, value: unknown, draws: Draws): unknown[] {
  const types = schema.type ? [schema.type].flat() : [];
  const wrong: unknown[] = [];
  const others = { string: 'text', number: 7, boolean: true, object: { a: 1 }, array: [1], null: null };
  const fitting = types.map(type => (type === 'integer' ? 'number' : type));
  const unfitting = Object.entries(others).filter(([type]) => types.length > 0 && !fitting.includes(type));
  if (unfitting.length > 0) wrong.push(draws.pick(unfitting)[1]);
  if (schema.enum || schema.const !== undefined) wrong.push(`no-${word(draws)}`);
  if (typeof value === 'string') {
    if (schema.maxLength !== undefined && schema.maxLength < 100_000) wrong.push('x'.repeat(schema.maxLength + 1));
    if (schema.minLength) wrong.push('');
    if (schema.pattern) wrong.push(draws.pick(['', ' ', '\n', 'ü/ \t', '%00', `${value}\u2028 `]));
    if (schema.format) wrong.push('not a date');
  }
  if (typeof value === 'number') {
    if (schema.minimum !== undefined) wrong.push(schema.minimum - 1);
    if (schema.maximum !== undefined) wrong.push(schema.maximum + 1);
    if (types.includes('integer')) wrong.push(1.5);
  }
  if (Array.isArray(value) && schema.maxItems !== undefined && value.length > 0) {
    wrong.push(Array.from({ length: schema.maxItems + 1 }, () => value[0]));
  }
  return wrong;
}

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
const validators = new WeakMap<object, ValidateFunction>();

export function fits(schema: Schema, value: unknown): boolean {
  const validate = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validate);
  return validate(value) as boolean;
}

const oddTexts = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  "'; drop table workspaces; --",
  '%',
  '%25',
  '\\',
  '../../etc/passwd',
  'a\u0000b',
  '\ud800',
  'ＡＢＣ',
  '💥'.repeat(20),
  'é'.normalize('NFD'),
  '<script>',
  '{"data":{}}',
  '1e999',
  '9'.repeat(30),
  'x'.repeat(5000),
  '((((a+)+)+)+)$',
  '[[*',
  '\u202e',
];

export const oddText = (draws: Draws) => (draws.chance(0.3) ? word(draws, draws.below(30)) : draws.pick(oddTexts));

/** JSON of any shape. */
export function oddValue(draws: Draws, depth = 3): unknown {
  const kinds = depth > 0 ? 8 : 6;
  switch (draws.below(kinds)) {
    case 0:
      return null;
    case 1:
      return draws.chance(0.5);
    case 2:
      return draws.pick([0, -1, 1.5, 1e21, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308]);
    case 3:
    case 4:
    case 5:
      return oddText(draws);
    case 6:
      return Array.from({ length: draws.below(5) }, () => oddValue(draws, depth - 1));
    default: {
      const names = ['data', 'id', 'type', 'attributes', 'relationships', '__proto__', 'name', ''];
      const members = Array.from({ length: draws.below(5) }, () => [draws.pick(names), oddValue(draws, depth - 1)]);
      return Object.fromEntries(members);
    }
  }
}

/** The value with something of any shape in the place of one of its parts. */
export function spoiled(value: unknown, draws: Draws): unknown {
  const copy = structuredClone({ value });
  const places: Breaking[] = [];
  const gather = (holder: Record<string, unknown>) => {
    for (const [name, part] of Object.entries(holder)) {
      places.push(() => (holder[name] = oddValue(draws)));
      places.push(() => (holder[oddText(draws)] = part));
      if (typeof part === 'object' && part !== null) gather(part as Record<string, unknown>);
    }
  };
  gather(copy);
  draws.pick(places)();
  return copy.value;
}
