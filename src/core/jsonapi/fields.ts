/** The words in which a document's table of fields is written: scalar schemas, attributes and relationships. */
import { type Static, type TSchema, Type } from 'typebox';
import { limits } from '../limits.ts';
import type { Sql } from '../store/store.ts';

export const boolean = Type.Boolean();
export const integer = Type.Integer();
export const text = Type.String();
export const texts = Type.Array(Type.String());
export const timestamp = Type.String({ format: 'date-time' });

/** What bodies may give as an e-mail address. Only its owner's mail server knows more. */
export const emailAddress = Type.String({
  pattern: '^[^\\s@\\p{C}]+@[^\\s@\\p{C}]+$',
  maxLength: 254,
  'x-rule': 'is not an e-mail address',
});

/** One of the given words. */
export function word<const Words extends readonly string[]>(...words: Words) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words] });
}

/** `type: [T, 'null']`, never `anyOf`: three times cheaper to serialize. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  const { type, enum: words, ...rest } = schema as unknown as { type: string; enum?: string[] };
  return Type.Unsafe<Static<Schema> | null>({
    ...rest,
    type: [type, 'null'],
    ...(words && { enum: [...words, null] }),
  });
}

/** An object of booleans with exactly these keys. */
export function booleans<const Key extends string>(...keys: readonly Key[]) {
  return Type.Unsafe<Record<Key, boolean>>(
    Type.Object(Object.fromEntries(keys.map(key => [key, boolean])), { additionalProperties: false }),
  );
}

/** Where the signature of an address stands. Some clients put a query of their own in the place of any other. */
export type SignaturePlace = 'in query' | 'in path';

/** What the deployment is: edition and release (§9), profile, and the address for absolute links. */
export interface Deployment {
  edition: 'self-hosted' | 'hosted';
  /** `YYYYMM-N`, which sorts as text. */
  release: string;
  profile: 'documented' | 'vendor';
  publicUrl: string;
  /** The absolute address of a path, given to whom `addressee` names: it needs no token until it expires. */
  sign: (method: 'GET' | 'PUT', path: string, to: string, place?: SignaturePlace) => string;
  /** The text of a sealed value that a document shows. */
  unseal: (sealed: Buffer, context: string) => string;
}

/** What the core knows of every row. The rest is what the SELECT of its resource yields, and the resource says of which type. */
export interface Row {
  id: string;
}

/**
 * A function of a row that may read more columns than every row has: those that the SELECT of its resource yields. Of the
 * type of a method, since only those may ask for more than they are promised.
 */
export type OfRow<Result, Rest extends unknown[] = []> = { of(row: Row, ...rest: Rest): Result }['of'];

/** What a row has in a column that is known by its name alone. */
export const columnValue = (row: Row, column: string): unknown => (row as Row & Record<string, unknown>)[column];

interface FieldOptions<Write extends TSchema> {
  /** What a body may say: another schema, or `true` for the schema that answers carry. */
  write?: Write | true;
  /** What a record gets when its create body does not say (§4.1, §4.2). */
  default?: unknown;
  /** Where it differs from the attribute's name with `_` for `-`. */
  column?: string;
  /** Whether this deployment has the field at all (§9). */
  when?: (deployment: Deployment) => boolean;
}

export interface Attribute<Read extends TSchema = TSchema, Write extends TSchema = TSchema>
  extends FieldOptions<Write> {
  schema: Read;
  /** Present on fields that are not a column. */
  value?: OfRow<unknown, [Deployment]>;
  /** Whether `value` is JSON already, to be shown as it is. */
  isJson?: true;
}

type Column<Read extends TSchema, Write extends TSchema> = Attribute<Read, Write> & { value?: never };

/** A field that is a column of the row: `auto-apply` is `auto_apply`. */
export function column<Read extends TSchema>(
  schema: Read,
  options?: Omit<FieldOptions<Read>, 'write'> & { write?: true },
): Column<Read, Read>;
export function column<Read extends TSchema, Write extends TSchema>(
  schema: Read,
  options: FieldOptions<Write> & { write: Write },
): Column<Read, Write>;
export function column(schema: TSchema, options: FieldOptions<TSchema> = {}): Attribute {
  return { schema, ...options };
}

type Value<Read extends TSchema> = OfRow<Static<Read>, [Deployment]>;
type Computed<Read extends TSchema, Write extends TSchema> = Attribute<Read, Write> & { value: Value<Read> };

/** A field derived from the row. */
export function computed<Read extends TSchema>(
  schema: Read,
  value: Value<Read>,
  options?: Omit<FieldOptions<Read>, 'write'> & { write?: true },
): Computed<Read, Read>;
export function computed<Read extends TSchema, Write extends TSchema>(
  schema: Read,
  value: Value<Read>,
  options: FieldOptions<Write> & { write: Write },
): Computed<Read, Write>;
export function computed(schema: TSchema, value: Value<TSchema>, options: FieldOptions<TSchema> = {}): Attribute {
  return { schema, value, ...options };
}

/** A field that is JSON of any form, shown as it was written: every digit of a number, every member of an object. */
export function written(value: OfRow<string, [Deployment]>): Attribute & { value: typeof value } {
  return { schema: Type.Unsafe<unknown>({}), value, isJson: true };
}

export interface Identifier {
  type: string;
  id: string;
}

/** The three forms of the contract (reference, array of references, links only), and metadata. */
export interface Relationship {
  form: 'one' | 'many' | 'links' | 'meta';
  /** The types that `data` may name. */
  types: readonly string[];
  /** `gathered` is what the request collected for relationships with `gather`. */
  identifiers: OfRow<readonly Identifier[], [Gathered]>;
  related?: OfRow<string | null>;
  links?: OfRow<Record<string, string>>;
  /** Whether this deployment has the relationship at all (§9). */
  when?: (deployment: Deployment) => boolean;
  /** Which documents have it; all of them unless this says otherwise. */
  isShown?: OfRow<boolean>;
  /** The records of these rows, by the row's id: for links that name their records where they are included. */
  gather?: (sql: Sql, rows: readonly Row[]) => Promise<ReadonlyMap<string, readonly Row[]>>;
}

/** What one request gathered: by the function that did, then by the row's id. */
export type Gathered = ReadonlyMap<object, ReadonlyMap<string, readonly Row[]>>;

/** The records that were gathered for a row; none where nobody asked to include them. */
export function recordsOf({ gather }: Relationship, row: Row, gathered: Gathered): readonly Row[] {
  return (gather && gathered.get(gather)?.get(row.id)) ?? [];
}

/** One record or none. `related` is left out while there is none. */
export function reference(
  type: string,
  id: string | OfRow<string | null | undefined>,
  related?: OfRow<string>,
): Relationship {
  const read = readerOf<string | null | undefined>(id);
  return {
    form: 'one',
    types: [type],
    identifiers: row => {
      const value = read(row);
      return value ? [{ type, id: value }] : [];
    },
    ...(related && { related: row => (read(row) ? related(row) : null) }),
  };
}

/** One record or none, with the address of that record as its link. */
export function addressed(type: string, id: string): Relationship {
  return reference(type, id, row => `/api/v2/${type}/${columnValue(row, id)}`);
}

/** A column of the row, by its name, or what a function makes of it. */
const readerOf = <Value>(from: string | OfRow<Value>): OfRow<Value> =>
  typeof from === 'string' ? row => columnValue(row, from) as Value : from;

/** One record of one of several types, or none. */
export function choice(types: readonly string[], identifier: OfRow<Identifier | null>): Relationship {
  return {
    form: 'one',
    types,
    identifiers: row => [identifier(row)].filter(value => value !== null),
    related: row => {
      const value = identifier(row);
      return value && `/api/v2/${value.type}/${value.id}`;
    },
  };
}

/** Any number of records; `ids` is a column that holds an array, or a function of the row. */
export function references(
  type: string,
  ids: string | OfRow<readonly string[]>,
  related?: OfRow<string>,
): Relationship {
  const read = readerOf<readonly string[]>(ids);
  return {
    form: 'many',
    types: [type],
    identifiers: row => first(read(row)).map(id => ({ type, id })),
    ...(related && { related }),
  };
}

/** A document names so many records of a relationship; all of them are behind its link. */
const first = (ids: readonly string[]) => ids.slice(0, limits.relationship_items.value);

/** A relationship whose records are fetched by its link alone. */
export function linked(related: OfRow<string>): Relationship {
  return { form: 'links', types: [], identifiers: () => [], related };
}

/** As `linked`, but naming its records where `include` asks for them; `gather` finds those of a whole page at once. */
export function gathered(
  type: string,
  related: OfRow<string>,
  gather: NonNullable<Relationship['gather']>,
): Relationship {
  const identifiers = (row: Row, found: Gathered) =>
    (found.get(gather)?.get(row.id) ?? []).map(({ id }) => ({ type, id }));
  return { form: 'links', types: [type], identifiers, related, gather };
}

/** A relationship that carries an empty `meta` object, and a link while there is a record (§2.1 `authentication-token`). */
export function metadata(related: OfRow<string | null>): Relationship {
  return { form: 'meta', types: [], identifiers: () => [], related };
}
