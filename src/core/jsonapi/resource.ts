/** A resource is a table of fields. From it come the serializer, the response schema, the OpenAPI component and the row type. */
import fastJsonStringify from 'fast-json-stringify';
import { type Static, type TSchema, Type } from 'typebox';
import type { Actor } from '../access/actor.ts';
import { type KeptDocument, keptDocument } from '../store/kept.ts';
import type { Sql } from '../store/store.ts';
import { digestOf } from './entity-tag.ts';
import {
  type Attribute,
  columnValue,
  type Deployment,
  type Gathered,
  nullable,
  type OfRow,
  type Relationship,
  type Row,
  text,
} from './fields.ts';

export type Attributes = Record<string, Attribute>;

export interface Resource<Fields extends Attributes = Attributes> {
  /** The JSON:API type: also the name of the OpenAPI component. */
  type: string;
  /** Other words for the type that known clients send: bodies may bear them, answers never do. */
  sentAs?: readonly string[];
  /** Where its documents bear one of several types: which, and how a row says its own. */
  typed?: { types: readonly string[]; typeOf: OfRow<string> };
  attributes: Fields;
  relationships: Record<string, Relationship>;
  links?: OfRow<Record<string, string>>;
  /** Whether a row has links at all, where some have not: clients read an empty object as links. */
  hasLinks?: OfRow<boolean>;
  /** The rows with these ids that the actor may read, each once: what `include` shows. */
  load?: (sql: Sql, actor: Actor, ids: readonly string[]) => Promise<readonly Row[]>;
}

/** `auto-apply` → `auto_apply`. */
type Snake<Name> = Name extends `${infer Head}-${infer Tail}` ? `${Head}_${Snake<Tail>}` : Name;

/** The columns a SELECT must yield for these fields. */
export type RowOf<Fields> = { id: string } & {
  [Name in keyof Fields as Fields[Name] extends { value: (...values: never[]) => unknown }
    ? never
    : Snake<Name>]: Fields[Name] extends { schema: infer Schema extends TSchema } ? Static<Schema> : never;
};

// biome-ignore lint/suspicious/noExplicitAny: any resource, whatever its fields.
export type AnyResource = Resource<any>;

export function resource<const Fields extends Attributes>(definition: Resource<Fields>): Resource<Fields> {
  return definition;
}

/** What `data.type` of a body may say, the type itself first: every word that a known client has for it. */
export function typesTaken({ type, typed, sentAs }: AnyResource, isOptional = false): string[] {
  return [...new Set([type, ...(typed?.types ?? []), ...(sentAs ?? []), ...(isOptional ? [''] : [])])];
}

function columnOf(name: string, field: Attribute): string {
  return field.column ?? name.replaceAll('-', '_');
}

/** The attributes that this deployment has (§9). */
export function attributesIn(subject: AnyResource, deployment: Deployment): [string, Attribute][] {
  return Object.entries(subject.attributes as Attributes).filter(([, field]) => field.when?.(deployment) ?? true);
}

/** The relationships that this deployment has (§9). */
function relationshipsIn(subject: AnyResource, deployment: Deployment): [string, Relationship][] {
  const all = Object.entries(subject.relationships as Record<string, Relationship>);
  return all.filter(([, relationship]) => relationship.when?.(deployment) ?? true);
}

/** A resource made ready for one deployment. */
export interface Compiled {
  schema: TSchema;
  /** One row as a resource object, in JSON. Throws when a SELECT forgot a column. */
  stringify: (row: Row, gathered?: Gathered) => string;
  /** The same, and a digest of it; those of a row that is kept are kept with it. */
  write: (row: Row, gathered: Gathered) => Written;
}

export interface Written {
  bytes: string | Buffer;
  digest: string;
}

const nothing: Gathered = new Map();

export function compile(subject: Resource, deployment: Deployment): Compiled {
  const schema = schemaOf(subject, deployment);
  const toObject = renderer(subject, deployment);
  const addWritten = writtenAttributes(subject, deployment);
  // Made when first used: all of them at once would be a third of the time to start.
  let toJson: ((document: object) => string) | undefined;
  const stringify = (row: Row, gathered = nothing) => {
    toJson ??= fastJsonStringify(schemaOf(subject, deployment, field => !field.isJson) as object);
    return addWritten(toJson(toObject(row, gathered)), row);
  };
  return {
    schema,
    stringify,
    write: (row, gathered) => {
      const kept = (row as { [keptDocument]?: KeptDocument })[keptDocument];
      if (!kept || gathered.size > 0) {
        const bytes = stringify(row, gathered);
        return { bytes, digest: digestOf([bytes]) };
      }
      kept.bytes ??= Buffer.from(stringify(row));
      kept.digest ??= digestOf([kept.bytes]);
      return { bytes: kept.bytes, digest: kept.digest };
    },
  };
}

const identifierSchema = (types: readonly string[]) =>
  Type.Object({ id: text, type: types.length > 0 ? Type.Unsafe<string>({ type: 'string', enum: [...types] }) : text });

export const linksSchema = Type.Unsafe({ type: 'object', additionalProperties: { type: 'string' } });

function relationshipSchema(relationship: Relationship): TSchema {
  const schema = shownRelationshipSchema(relationship);
  return relationship.isShown ? Type.Optional(schema) : schema;
}

function shownRelationshipSchema(relationship: Relationship): TSchema {
  const links = relationship.related || relationship.links ? { links: Type.Optional(linksSchema) } : {};
  if (relationship.form === 'links') {
    const data = relationship.gather && { data: Type.Optional(Type.Array(identifierSchema(relationship.types))) };
    return Type.Object({ ...data, links: linksSchema });
  }
  if (relationship.form === 'meta') return Type.Object({ meta: Type.Object({}), ...links });
  const identifier = identifierSchema(relationship.types);
  return Type.Object({ data: relationship.form === 'one' ? nullable(identifier) : Type.Array(identifier), ...links });
}

/** Every attribute is required: the net that catches a SELECT that forgot a column. */
export function schemaOf(
  subject: Resource,
  deployment: Deployment,
  isWanted: (field: Attribute) => boolean = () => true,
): TSchema {
  const attributes = attributesIn(subject, deployment)
    .filter(([, field]) => isWanted(field))
    .map(([name, field]) => [name, field.schema] as const);
  const relationships = relationshipsIn(subject, deployment).map(
    ([name, relationship]) => [name, relationshipSchema(relationship)] as const,
  );
  const types = subject.typed?.types;
  return Type.Object({
    id: text,
    type: types ? Type.Unsafe<string>({ type: 'string', enum: [...types] }) : Type.Literal(subject.type),
    attributes: Type.Object(Object.fromEntries(attributes)),
    ...(relationships.length > 0 && { relationships: Type.Object(Object.fromEntries(relationships)) }),
    ...(subject.links && { links: subject.hasLinks ? Type.Optional(linksSchema) : linksSchema }),
  });
}

/** Row → resource object. */
function renderer(subject: Resource, deployment: Deployment): (row: Row, gathered: Gathered) => object {
  const fields = attributesIn(subject, deployment)
    .filter(([, field]) => !field.isJson)
    .map(([name, field]) => ({ name, read: field.value ?? ((row: Row) => columnValue(row, columnOf(name, field))) }));
  const relations = relationshipsIn(subject, deployment);
  const { type, typed, links, hasLinks } = subject;
  return (row, gathered) => {
    const attributes: Record<string, unknown> = {};
    for (const { name, read } of fields) attributes[name] = read(row, deployment);
    const relationships: Record<string, unknown> = {};
    for (const [name, relationship] of relations) relationships[name] = relate(relationship, row, gathered);
    const shownLinks = hasLinks?.(row) === false ? undefined : links?.(row);
    return { id: row.id, type: typed ? typed.typeOf(row) : type, attributes, relationships, links: shownLinks };
  };
}

const attributesBegin = '"attributes":{';

/** Puts what is JSON already among the attributes of a document. A quote within a text is escaped, so they begin but once. */
function writtenAttributes(subject: Resource, deployment: Deployment): (document: string, row: Row) => string {
  const fields = attributesIn(subject, deployment).filter(([, field]) => field.isJson);
  if (fields.length === 0) return document => document;
  return (document, row) => {
    const at = document.indexOf(attributesBegin) + attributesBegin.length;
    const members = fields.map(([name, field]) => `${JSON.stringify(name)}:${String(field.value!(row, deployment))}`);
    const rest = document.slice(at);
    return `${document.slice(0, at)}${members.join(',')}${rest.startsWith('}') ? '' : ','}${rest}`;
  };
}

function relate(relationship: Relationship, row: Row, gathered: Gathered): object | undefined {
  if (relationship.isShown?.(row) === false) return undefined;
  const related = relationship.related?.(row);
  const links = relationship.links?.(row);
  const shownLinks = related || links ? { ...(related && { related }), ...links } : undefined;
  switch (relationship.form) {
    case 'links': {
      const isNamed = relationship.gather && gathered.has(relationship.gather);
      return { ...(isNamed && { data: relationship.identifiers(row, gathered) }), links: shownLinks };
    }
    case 'meta':
      return { meta: {}, links: shownLinks };
    case 'one':
      return { data: relationship.identifiers(row, gathered)[0] ?? null, links: shownLinks };
    case 'many':
      return { data: relationship.identifiers(row, gathered), links: shownLinks };
  }
}

/** What a create writes where the body is silent, by column. */
export function defaults(subject: AnyResource): Record<string, unknown> {
  const named = Object.entries(subject.attributes as Attributes).filter(([, field]) => field.default !== undefined);
  return Object.fromEntries(named.map(([name, field]) => [columnOf(name, field), field.default]));
}

/** The attributes of a body as columns: only those that are written as they are read. */
export function columns(subject: AnyResource, attributes: Record<string, unknown>): Record<string, unknown> {
  const written = Object.entries(attributes).filter(([name, value]) => {
    const field = subject.attributes[name];
    return field?.write !== undefined && !field.value && value !== undefined;
  });
  return Object.fromEntries(written.map(([name, value]) => [columnOf(name, subject.attributes[name]!), value]));
}
