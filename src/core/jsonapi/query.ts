/**
 * Queries are values: an endpoint declares its parameters as it declares its body, the core reads them once, and what is not
 * declared cannot be read. All faults of one query are answered at once, each with its parameter.
 */
import { type TSchema, Type } from 'typebox';
import { ApiError, type Fault } from '../errors.ts';
import { limits } from '../limits.ts';

/** As the address says it. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>;

/** Refuses a parameter for a reason that is a whole sentence. */
type Refuse = (parameter: string, reason: string) => undefined;

export interface Parameter<Value> {
  description: string;
  /** What the OpenAPI document says of its value. */
  schema: TSchema;
  isRequired?: boolean;
  /** An object of members in brackets, `name[0][key]`, instead of one text. */
  isDeep?: boolean;
  read: (query: RawQuery, name: string, refuse: Refuse) => Value;
}

// biome-ignore lint/suspicious/noExplicitAny: a table of parameters holds all kinds of them.
export type Parameters = Readonly<Record<string, Parameter<any>>>;

/** What a handler gets: every declared parameter, undefined where the query is silent. */
export type QueryOf<Declared> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Parameter<infer Value> ? Value : never;
};

/** Throws one refusal with every fault of the query. */
export function readQuery<Declared extends Parameters>(query: RawQuery, declared: Declared): QueryOf<Declared> {
  const faults: Fault[] = [];
  const refuse: Refuse = (parameter, reason) => {
    faults.push({ name: 'invalid-parameter', values: { reason }, source: { parameter } });
    return undefined;
  };
  const values = Object.entries(declared).map(([name, parameter]) => [name, parameter.read(query, name, refuse)]);
  if (faults.length > 0) throw new ApiError(faults);
  return Object.fromEntries(values);
}

/** The last one wins when a parameter is repeated. An empty one says nothing. */
export function single(query: RawQuery, name: string): string | undefined {
  const value = query[name];
  return (Array.isArray(value) ? value.at(-1) : value) || undefined;
}

/** A parameter of one text. `meaning` returns undefined for what it does not take, which `rule` tells in words. */
function textual<Value>(
  description: string,
  rule: string,
  schema: TSchema,
  meaning: (text: string) => Value | undefined,
): Parameter<Value | undefined> {
  return {
    description,
    schema,
    read: (query, name, refuse) => {
      const given = single(query, name);
      if (given === undefined) return undefined;
      const value = meaning(given);
      return value === undefined ? refuse(name, `${name} ${rule}.`) : value;
    },
  };
}

/** Text to look for, or the name or id of a record. */
export function term(description: string): Parameter<string | undefined> {
  const maxLength = limits.searchText_characters.value;
  return textual(description, `holds at most ${maxLength} characters`, Type.String({ maxLength }), given =>
    given.length <= maxLength ? given : undefined,
  );
}

/** Text of a form, which the description tells in words. */
export function pattern(description: string, form: RegExp): Parameter<string | undefined> {
  const schema = Type.String({ pattern: form.source });
  return textual(description, `takes: ${description}`, schema, given => (form.test(given) ? given : undefined));
}

/** One of some words. */
export function word<const Word extends string>(description: string, ...words: Word[]): Parameter<Word | undefined> {
  const schema = Type.Unsafe<Word>({ type: 'string', enum: words });
  return textual(description, `must be one of: ${words.join(', ')}`, schema, given => words.find(one => one === given));
}

/** `true` or `false`; silence is false. */
export function flag(description: string): Parameter<boolean> {
  const asked = word(description, 'true', 'false');
  return { ...asked, schema: Type.Boolean(), read: (...given) => asked.read(...given) === 'true' };
}

export function wholeNumber(description: string, from: number, to: number): Parameter<number | undefined> {
  const rule = `must be a whole number from ${from} to ${to}`;
  return textual(description, rule, Type.Integer({ minimum: from, maximum: to }), given => {
    const value = /^\d{1,20}$/.test(given) ? Number(given) : Number.NaN;
    return value >= from && value <= to ? value : undefined;
  });
}

/** A date, or a time of ISO 8601; in UTC where it names no zone. */
export function instant(description: string): Parameter<string | undefined> {
  const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;
  const schema = Type.String({ format: 'date-time' });
  return textual(description, 'must be a time such as 2026-01-31T12:00:00.000Z', schema, given => {
    const isZoned = !given.includes('T') || /(Z|[+-]\d\d:\d\d)$/.test(given);
    const time = new Date(form.test(given) ? (isZoned ? given : `${given}Z`) : '');
    return time.getTime() >= earliest_ms && time.getTime() <= latest_ms ? time.toISOString() : undefined;
  });
}

/** The years that every clock of PostgreSQL and of clients can say with four digits. Some of these take the first for no time at all. */
const [earliest_ms, latest_ms] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** `a,b , c` → `['a', 'b', 'c']`, each once. */
export function list(description: string, most = limits.queryList_items.value): Parameter<readonly string[]> {
  const schema = Type.Array(Type.String(), { maxItems: most });
  return {
    description: `${description}, comma separated`,
    schema,
    read: (query, name, refuse) => {
      // Repeated, it names all of what each says.
      const given = new Set(commaSeparated([query[name] ?? []].flat().join(',')));
      if (given.size > most) refuse(name, `${name} names at most ${most}; this one names ${given.size}.`);
      return given.size > most ? [] : [...given];
    },
  };
}

/** A list of some words. */
export function words<const Word extends string>(description: string, ...known: Word[]): Parameter<readonly Word[]> {
  const named = list(description, known.length);
  return {
    ...named,
    schema: Type.Array(Type.Unsafe<Word>({ type: 'string', enum: known })),
    read: (query, name, refuse) => {
      const given = named.read(query, name, refuse);
      const unknown = given.find(one => !(known as string[]).includes(one));
      if (unknown === undefined) return given as readonly Word[];
      refuse(name, `${name} takes ${known.join(', ')}, comma separated.`);
      return [];
    },
  };
}

/** One of the orders of a list, reversed by a leading `-`. */
export interface Order<Name extends string> {
  by: Name;
  isReversed: boolean;
}

export function sort<const Name extends string>(
  description: string,
  ...names: Name[]
): Parameter<Order<Name> | undefined> {
  const schema = Type.Unsafe<string>({ type: 'string', enum: names.flatMap(name => [name, `-${name}`]) });
  const rule = `must be ${names.join(' or ')}, with - in front to reverse`;
  return textual(`${description}: ${names.join(', ')}; a leading - reverses`, rule, schema, given => {
    const by = names.find(name => name === given.replace(/^-/, ''));
    return by && { by, isReversed: given.startsWith('-') };
  });
}

/** A parameter that the request cannot do without. */
export function required<Value>(parameter: Parameter<Value | undefined>): Parameter<Value> {
  return {
    ...parameter,
    isRequired: true,
    read: (query, name, refuse) => {
      if (single(query, name) === undefined) refuse(name, `${name} must be given.`);
      // A query with a fault is refused before anybody sees the value.
      return parameter.read(query, name, refuse) as Value;
    },
  };
}

/** The same parameter under another name that clients send. */
export function alias<Value>(parameter: Parameter<Value>, other: string): Parameter<Value> {
  const isGiven = (query: RawQuery, name: string) => single(query, name) !== undefined;
  return {
    ...parameter,
    description: `${parameter.description}. Also ${other}`,
    read: (query, name, refuse) =>
      parameter.read(query, isGiven(query, name) || !isGiven(query, other) ? name : other, refuse),
  };
}

function commaSeparated(text: string): string[] {
  const parts = text.split(',').map(part => part.trim());
  return parts.filter(part => part !== '');
}
