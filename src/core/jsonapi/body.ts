/** Request bodies: what an endpoint accepts, and every fault of one body at once, each with its pointer. */
import type { ValidateFunction } from 'ajv';
import { type Static, type TSchema, Type } from 'typebox';
import { type Fault, faultAt, relationshipFault } from '../errors.ts';
import { blank, faultsOf } from './body-faults.ts';
import { type Attribute, type Deployment, type Identifier, text } from './fields.ts';
import { type Attributes, attributesIn, type Resource, typesTaken } from './resource.ts';
import { ajv } from './validator.ts';

/** What was understood of a body. Faulty members are left out of `value`, so that rules can judge the rest. */
export interface Parsed<Value> {
  value: Value;
  faults: Fault[];
}

export interface Body<Value = unknown> {
  /** For the OpenAPI description. */
  schema: (deployment: Deployment) => TSchema;
  parse: (json: unknown, deployment: Deployment) => Parsed<Value>;
}

export type ValueOf<Accepted> = Accepted extends Body<infer Value> ? Value : undefined;

/** The attributes that a body may carry: all optional, since presence is a rule of its own. */
export type WriteOf<Fields> = {
  -readonly [Name in keyof Fields]?: Fields[Name] extends Attribute<infer _Read, infer Write> ? Static<Write> : never;
};

/** How a body names related records: its schema, and what the handler gets. */
export interface Linkage<Value> {
  schema: TSchema;
  read: (data: unknown) => Value;
}

const identifier = (types: readonly string[]) =>
  Type.Object({ type: Type.Unsafe<string>({ type: 'string', enum: [...types] }), id: Type.String() });

/** `{ "data": { "type", "id" } }` or null: the handler gets the id. */
export function toOne(...types: string[]): Linkage<string | null> {
  const schema = { ...identifier(types), type: ['object', 'null'] } as unknown as TSchema;
  return { schema, read: data => (data as { id: string } | null)?.id ?? null };
}

/** As `toOne`, where the type makes a difference: the handler gets both. */
export function toOneOf(...types: string[]): Linkage<Identifier | null> {
  return { schema: toOne(...types).schema, read: data => data as Identifier | null };
}

/** `{ "data": [{ "type", "id" }] }`: the handler gets the ids. */
export function toMany(...types: string[]): Linkage<string[]> {
  return { schema: Type.Array(identifier(types)), read: data => (data as { id: string }[]).map(({ id }) => id) };
}

/** An array of objects that are not records yet, such as tag bindings: the handler gets their attributes. */
export function embedded<Schema extends TSchema>(type: string, attributes: Schema): Linkage<Static<Schema>[]> {
  const schema = Type.Array(Type.Object({ type: Type.Literal(type), attributes }));
  return { schema, read: data => (data as { attributes: Static<Schema> }[]).map(({ attributes }) => attributes) };
}

type Linkages = Record<string, Linkage<unknown>>;
type LinkageValues<Links extends Linkages> = {
  [Name in keyof Links]?: Links[Name] extends Linkage<infer Value> ? Value : never;
};

export interface DocumentValue<Fields, Links extends Linkages> {
  /** What the body says that the record is called; null where it does not say. */
  id: string | null;
  attributes: WriteOf<Fields>;
  relationships: LinkageValues<Links>;
}

export interface DocumentOptions<Links extends Linkages> {
  required?: readonly string[];
  requiredRelationships?: readonly (keyof Links & string)[];
  relationships?: Links;
  /** Other names for an attribute: both are accepted, and must agree when both are given. */
  aliases?: Record<string, string>;
  /** Then it may be empty, too. */
  typeIsOptional?: boolean;
  /** Whether site administrators may give the new record's id (`idFor`). */
  idMayBeGiven?: true;
}

/** A body that describes one record of `subject`: its writable attributes and the given relationships. */
export function documentBody<Fields extends Attributes, const Links extends Linkages = Record<never, never>>(
  subject: Resource<Fields>,
  options: DocumentOptions<Links> = {},
): Body<DocumentValue<Fields, Links>> {
  const types = typesTaken(subject, options.typeIsOptional);
  const links: Linkages = options.relationships ?? {};
  const prepared = new WeakMap<Deployment, ReturnType<typeof prepare>>();
  const parts = (deployment: Deployment) => {
    const writable = attributesIn(subject, deployment).filter(([, field]) => field.write);
    const schemas = Object.fromEntries(
      writable.map(([name, field]) => [name, field.write === true ? field.schema : field.write!]),
    );
    const aliased = Object.entries(options.aliases ?? {}).filter(([, name]) => schemas[name]);
    return { schemas, aliased };
  };
  const prepare = (deployment: Deployment) => {
    const { schemas, aliased } = parts(deployment);
    const validate = ajv.compile(objectSchema({ attributes: objectSchema(schemas, options.required) }));
    return { names: Object.keys(schemas), aliased, validate };
  };
  const schema = (deployment: Deployment): TSchema => {
    const { schemas, aliased } = parts(deployment);
    const all = { ...schemas, ...Object.fromEntries(aliased.map(([alias, name]) => [alias, schemas[name]!])) };
    const attributes = objectSchema(all, options.required);
    const relationships = objectSchema(
      Object.fromEntries(Object.entries(links).map(([name, link]) => [name, objectSchema({ data: link.schema })])),
      options.requiredRelationships,
    );
    const required = [
      ...(options.typeIsOptional ? [] : ['type']),
      ...(options.required?.length ? ['attributes'] : []),
      ...(options.requiredRelationships?.length ? ['relationships'] : []),
    ];
    const identity = { type: Type.Unsafe({ type: 'string', enum: types }), ...(options.idMayBeGiven && { id: text }) };
    const data = { ...identity, attributes, relationships };
    return objectSchema({ data: objectSchema(data, required) }, ['data']);
  };
  const parse = (json: unknown, deployment: Deployment): Parsed<DocumentValue<Fields, Links>> => {
    const ready = prepared.get(deployment) ?? prepare(deployment);
    prepared.set(deployment, ready);
    const { names, aliased, validate } = ready;
    const faults: Fault[] = [];
    const data = member(json, 'data');
    if (!isObject(data))
      return { value: { id: null, attributes: {}, relationships: {} }, faults: [notAnObject('/data')] };
    checkType(data['type'], types, options.typeIsOptional === true, faults);
    const given = objectMember(data, 'attributes', faults);
    const linkage = objectMember(data, 'relationships', faults);
    const attributes = pick(given, names);
    for (const [alias, name] of aliased) mergeAlias(given, attributes, alias, name, faults);
    if (!validate({ attributes })) {
      faults.push(...faultsOf(validate.errors, '/data'));
      for (const error of validate.errors ?? []) delete attributes[error.instancePath.split('/')[2] ?? ''];
    }
    const relationships = readLinkages(linkage, links, options.requiredRelationships ?? [], faults);
    const id = typeof data['id'] === 'string' ? data['id'] || null : null;
    const value = {
      id,
      attributes: attributes as WriteOf<Fields>,
      relationships: relationships as LinkageValues<Links>,
    };
    return { value, faults };
  };
  return { schema, parse };
}

/** A body whose `data` is a list of identifiers: `{ "data": [{ "type", "id" }] }`. */
export function identifiersBody(...types: string[]): Body<string[]> {
  const link = toMany(...types);
  return valueBody(objectSchema({ data: link.schema }, ['data']), json => link.read(member(json, 'data')), []);
}

/** A body of another shape. `otherwise` stands in while the body has faults. */
export function valueBody<Value>(schema: TSchema, read: (json: unknown) => Value, otherwise: Value): Body<Value> {
  let validate: ValidateFunction | undefined;
  return {
    schema: () => schema,
    parse: json => {
      validate ??= ajv.compile(schema);
      if (validate(json)) return { value: read(json), faults: [] };
      return {
        value: otherwise,
        faults: faultsOf(validate.errors, ''),
      };
    },
  };
}

function objectSchema(properties: Record<string, TSchema>, required: readonly string[] = []): TSchema {
  return Type.Unsafe({ type: 'object', properties, ...(required.length > 0 && { required: [...required] }) });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const notAnObject = (pointer: string) =>
  faultAt('invalid-document', pointer, { reason: `${pointer} must be an object.` });

function objectMember(data: Record<string, unknown>, name: string, faults: Fault[]): Record<string, unknown> {
  const value = member(data, name);
  if (value !== undefined && !isObject(value)) faults.push(notAnObject(`/data/${name}`));
  return isObject(value) ? value : {};
}

function checkType(type: unknown, types: readonly string[], isOptional: boolean, faults: Fault[]): void {
  if (type === undefined && isOptional) return;
  if (typeof type === 'string' && types.includes(type)) return;
  faults.push(faultAt('invalid-document', '/data/type', { reason: `data.type must be "${types[0]}".` }));
}

function pick(given: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter(name => Object.hasOwn(given, name)).map(name => [name, given[name]]));
}

function mergeAlias(
  given: Record<string, unknown>,
  attributes: Record<string, unknown>,
  alias: string,
  name: string,
  faults: Fault[],
): void {
  if (!Object.hasOwn(given, alias)) return;
  if (Object.hasOwn(attributes, name) && attributes[name] !== given[alias]) {
    const reason = `${alias} and ${name} name the same setting and must not differ.`;
    faults.push(faultAt('invalid-attribute', `/data/attributes/${alias}`, { reason }));
    return;
  }
  attributes[name] = given[alias];
}

function readLinkages(
  given: Record<string, unknown>,
  links: Linkages,
  required: readonly string[],
  faults: Fault[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, link] of Object.entries(links)) {
    const pointer = `/data/relationships/${name}`;
    const relationship = member(given, name);
    const data = member(relationship, 'data');
    if (data === undefined) {
      if (relationship !== undefined && !isObject(relationship)) faults.push(notAnObject(pointer));
      else if (required.includes(name)) faults.push(faultAt('invalid-relationship', pointer, { reason: blank(name) }));
      continue;
    }
    if (data === null && required.includes(name)) {
      faults.push(blankRelationship(name));
      continue;
    }
    const validate = linkageValidator(link);
    if (validate(data)) values[name] = link.read(data);
    else faults.push(...faultsOf(validate.errors, `${pointer}/data`));
  }
  return values;
}

const linkageValidators = new WeakMap<Linkage<unknown>, ValidateFunction>();

function linkageValidator(link: Linkage<unknown>): ValidateFunction {
  const known = linkageValidators.get(link) ?? ajv.compile(link.schema);
  linkageValidators.set(link, known);
  return known;
}

/** Of a relationship that must name a record. */
const blankRelationship = (name: string) => relationshipFault(name, blank(name));
