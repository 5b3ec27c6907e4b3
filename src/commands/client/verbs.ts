// From the table of endpoints to the words of the command line: each operation is a verb of its type. Pure.
import type { AnyEndpoint } from '../../core/jsonapi/endpoint.ts';
import type { Deployment } from '../../core/jsonapi/fields.ts';
import type { Parameter } from '../../core/jsonapi/query.ts';

export type MemberForm = 'text' | 'boolean' | 'number' | 'list' | 'json' | 'one' | 'many';

/** What an option puts into the body. */
export interface Member {
  flag: string;
  name: string;
  /** Where in the body it stands. */
  home: 'attributes' | 'relationships' | 'body';
  form: MemberForm;
  /** Of relationships: the type of what is named. */
  type?: string;
}

/** What an option puts into the address. */
export interface Question {
  flag: string;
  parameter: string;
  description: string;
  /** `key=value`, any number of times. */
  isTagged: boolean;
}

export interface Verb {
  group: string;
  name: string;
  aliases: readonly string[];
  summary: string;
  method: AnyEndpoint['method'];
  path: string;
  /** The path parameters that have to be named, without the organization. */
  places: readonly string[];
  needsOrganization: boolean;
  questions: readonly Question[];
  members: readonly Member[];
  /** The type of a body's `data`; null where the body has none. */
  bodyType: string | null;
  /** A body that is a list: of records by name or id, or of `key=value`. */
  rest: { type: string; isTagged: boolean } | null;
  isList: boolean;
}

/** Words that people say, for the operations whose own are long. */
const spoken: Record<string, readonly string[]> = {
  'workspaces.update': ['set'],
  'workspaces.add-tag-bindings': ['tag'],
  'workspaces.force-delete': ['delete'],
  'teams.update': ['set'],
  'projects.update': ['set'],
};

export const groupAliases: Record<string, string> = {
  'organization-memberships': 'members',
  'authentication-tokens': 'tokens',
  'team-workspaces': 'access',
};

const shortFlags: Record<string, string> = {
  'filter[current-run][status]': 'status',
  'filter[tagged]': 'tag',
  'filter[workspace][name]': 'workspace',
  'search[name]': 'search',
  'page[number]': 'page',
};

/** The verb of an endpoint; undefined where its body or its answer is no document that a terminal could hold. */
export function verbOf(one: AnyEndpoint, deployment: Deployment): Verb | undefined {
  const [path] = one.paths;
  const [group = '', name = ''] = one.operation.split('.');
  if (one.receives || one.signed || 'redirect' in one.answer || !(one.when?.(deployment) ?? true)) return undefined;
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter!);
  return {
    group,
    name,
    aliases: spoken[one.operation] ?? [],
    summary: one.summary,
    method: one.method,
    path,
    places: parameters.filter(parameter => parameter !== 'organization_name'),
    needsOrganization: parameters.includes('organization_name'),
    ...distinctFlags(questionsOf(one), bodyOf(one, deployment)),
    isList: 'collection' in one.answer && one.method === 'GET',
  };
}

function questionsOf({ query }: AnyEndpoint): Question[] {
  return Object.entries<Parameter<unknown>>(query ?? {}).map(([parameter, { description, isDeep }]) => ({
    flag: shortFlags[parameter] ?? flagOf(parameter),
    parameter,
    description,
    isTagged: isDeep === true,
  }));
}

/** `filter[project][id]` → `project-id`; `search[tags]` → `search-tags`. */
function flagOf(parameter: string): string {
  const words = parameter.split(/[[\]]+/).filter(word => word !== '' && word !== 'filter');
  return words.join('-').replaceAll('_', '-');
}

interface Schema {
  type?: string | string[];
  enum?: string[];
  const?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
}

type BodyParts = Pick<Verb, 'members' | 'bodyType' | 'rest'>;

function bodyOf({ body }: AnyEndpoint, deployment: Deployment): BodyParts {
  const schema = body?.schema(deployment) as Schema | undefined;
  const data = schema?.properties?.['data'];
  if (data?.items) {
    const { type, attributes } = data.items.properties ?? {};
    const isTagged = attributes?.properties?.['key'] !== undefined;
    return { members: [], bodyType: null, rest: { type: oneType(type), isTagged } };
  }
  if (data?.properties) {
    const { type, attributes, relationships } = data.properties;
    const members = [
      ...Object.entries(attributes?.properties ?? {}).map(([name, field]) => attributeMember(name, field)),
      ...Object.entries(relationships?.properties ?? {}).map(([name, field]) => relationshipMember(name, field)),
    ];
    return { members: firstOfEach(members), bodyType: oneType(type), rest: null };
  }
  const plain = Object.entries(schema?.properties ?? {}).filter(([name]) => name !== 'data');
  const members = plain.map(([name, field]) => ({ ...attributeMember(name, field), home: 'body' as const }));
  return { members, bodyType: null, rest: null };
}

const oneType = (schema: Schema | undefined) => schema?.const ?? schema?.enum?.[0] ?? '';

function attributeMember(name: string, schema: Schema): Member {
  const types = [schema.type ?? 'string'].flat();
  const forms: Record<string, MemberForm> = { boolean: 'boolean', integer: 'number', number: 'number', object: 'json' };
  const listed = types.includes('array') ? (schema.items?.type === 'string' ? 'list' : 'json') : undefined;
  return { flag: name, name, home: 'attributes', form: listed ?? forms[types[0]!] ?? 'text' };
}

function relationshipMember(name: string, schema: Schema): Member {
  const data = schema.properties?.['data'];
  const record = data?.items ?? data;
  const isEmbedded = record?.properties?.['attributes'] !== undefined;
  const form = isEmbedded ? 'json' : data?.items ? 'many' : 'one';
  return { flag: name, name, home: 'relationships', form, type: oneType(record?.properties?.['type']) };
}

// What every verb takes, whatever its operation says.
const takenFlags = ['server', 'organization', 'token-file', 'json', 'table', 'data', 'limit', 'yes', 'web', 'help'];

/** A flag that is taken gets a word more, so that no operation can keep the program from starting. */
function distinctFlags(questions: Question[], body: BodyParts): BodyParts & Pick<Verb, 'questions'> {
  const taken = new Set(takenFlags);
  const distinct = <Flagged extends { flag: string }>(one: Flagged): Flagged => {
    let { flag } = one;
    while (taken.has(flag)) flag = `its-${flag}`;
    taken.add(flag);
    return { ...one, flag };
  };
  return { ...body, questions: questions.map(distinct), members: body.members.map(distinct) };
}

/** A relationship that says what an attribute says is not needed. */
function firstOfEach(members: Member[]): Member[] {
  return members.filter((member, position) => members.findIndex(({ name }) => name === member.name) === position);
}
