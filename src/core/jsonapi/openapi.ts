/** The OpenAPI 3.1 description of everything served, from the same tables that serve it. */
import type { TSchema } from 'typebox';
import { catalogue } from '../catalogue.ts';
import type { ErrorName } from '../errors.ts';
import { type Answer, type AnyEndpoint, routeOf } from './endpoint.ts';
import type { Deployment } from './fields.ts';
import { pageParameters, pageSchemas, uncountedPageSchemas } from './page.ts';
import type { Parameter } from './query.ts';
import { linksSchema, type Resource, schemaOf } from './resource.ts';

const mediaType = 'application/vnd.api+json';

/** What every endpoint may refuse with, whatever it does. */
const commonErrors: readonly ErrorName[] = [
  'second-factor-required',
  'not-found',
  'malformed-request',
  'rate-limited',
  'internal',
  'store-unavailable',
];

/** And with what else, by what its callers show. */
const errorsOfCallers = ['unauthorized', 'request-from-elsewhere'] as const;
const errorsOfAddresses = ['address-not-signed', 'address-ended'] as const;

const preconditions = ['precondition-failed', 'precondition-unknown'] as const;

/** Whether whoever has read it before may be told that it still holds. */
const isTagged = ({ method, answer }: AnyEndpoint) =>
  method === 'GET' && ('document' in answer || 'collection' in answer || 'json' in answer);

/** The statuses that an endpoint may answer with; an answer outside of them fails a test. */
export function declaredStatuses(one: AnyEndpoint): Set<number> {
  return new Set([
    one.answer.status,
    ...(isTagged(one) ? [304] : []),
    ...('otherwise' in one.answer ? [204] : []),
    ...errorNames(one).map(name => catalogue[name].status),
  ]);
}

function errorNames(one: AnyEndpoint): ErrorName[] {
  return [
    ...commonErrors,
    ...(one.signed ? errorsOfAddresses : errorsOfCallers),
    ...(one.method === 'GET' ? [] : (['body-too-large', ...preconditions] as const)),
    ...(one.method === 'GET' || one.signed ? [] : (['media-type'] as const)),
    ...(one.receives ? (['request-too-slow'] as const) : []),
    ...(one.body ? (['malformed-json', 'invalid-attribute'] as const) : []),
    ...(one.include ? (['invalid-include', 'include-too-large'] as const) : []),
    ...('collection' in one.answer ? (['invalid-parameter'] as const) : []),
    ...(one.needs.refusal ? [one.needs.refusal.name] : []),
    ...(one.errors ?? []),
  ];
}

/** `others` are path items of what is served beside the endpoints. */
export function openApiDocument(
  endpoints: readonly AnyEndpoint[],
  resources: readonly Resource[],
  deployment: Deployment,
  others: Record<string, object> = {},
): object {
  const paths: Record<string, object> = { ...others };
  for (const one of endpoints.filter(({ when }) => when?.(deployment) ?? true)) {
    one.paths.forEach((path, position) => {
      const whole = one.signed ? routeOf(one, path) : path;
      const address = whole.replaceAll(/:(\w+)/g, '{$1}');
      const beside = one.signed ? { servers: [{ url: '/' }] } : {};
      const described = { [one.method.toLowerCase()]: operation(one, whole, position, deployment) };
      paths[address] = { ...beside, ...paths[address], ...described };
    });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Terrane',
      version: '2',
      description: 'Teams and workspaces over JSON:API. § marks are sections of docs/spec.md.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v2' }],
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-terrane-session',
          description: 'From pages of this site alone; named terrane-session where the site has no TLS.',
        },
      },
      schemas: {
        ...Object.fromEntries(resources.map(resource => [resource.type, schemaOf(resource, deployment)])),
        errors: errorsSchema,
      },
      headers: { etag },
      parameters: { ifMatch, ifNoneMatch },
      responses: { notModified },
    },
  };
}

const etag = {
  description: 'Names what the answer shows: for If-None-Match, and for If-Match of changes.',
  schema: { type: 'string' },
};
const ifMatch = {
  name: 'If-Match',
  in: 'header',
  description: 'The entity tag of the record as it was read: 412 where it has changed since, and nothing is done.',
  schema: { type: 'string' },
};
const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'Entity tags of earlier answers: 304 without a body where one of them still holds.',
  schema: { type: 'string' },
};
const notModified = { description: 'What was answered before still holds', headers: etagHeader() };

function etagHeader(): object {
  return { ETag: { $ref: '#/components/headers/etag' } };
}

const eventStream = { 'text/event-stream': { schema: { type: 'string' } } };

const errorsSchema = {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['status', 'title'],
        additionalProperties: false,
        properties: {
          status: { type: 'string', pattern: '^[45][0-9][0-9]$' },
          title: { type: 'string' },
          detail: { type: 'string' },
          source: {
            type: 'object',
            properties: { pointer: { type: 'string' }, parameter: { type: 'string' }, header: { type: 'string' } },
          },
        },
      },
    },
  },
};

function operation(one: AnyEndpoint, path: string, position: number, deployment: Deployment): object {
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...queryParameters(one),
    ...(one.signed === 'in query' ? signatureParameters : []),
    ...(isTagged(one) ? [{ $ref: '#/components/parameters/ifNoneMatch' }] : []),
    ...(one.method === 'GET' ? [] : [{ $ref: '#/components/parameters/ifMatch' }]),
  ];
  return {
    operationId: position === 0 ? one.operation : `${one.operation}.${position + 1}`,
    summary: one.summary,
    description: one.section,
    tags: [one.operation.split('.')[0]],
    ...((one.isOpen || one.signed) && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(one.body && {
      requestBody: { required: true, content: { [mediaType]: { schema: one.body.schema(deployment) } } },
    }),
    ...(one.receives &&
      !one.body && { requestBody: { required: true, content: { 'application/octet-stream': { schema: bytes } } } }),
    responses: responses(one),
  };
}

const bytes = { type: 'string', format: 'binary' };

const signatureParameters = ['to', 'expires', 'signature'].map(name => ({
  name,
  in: 'query',
  required: true,
  schema: { type: 'string' },
}));

function queryParameters(one: AnyEndpoint): object[] {
  const declared = Object.entries({ ...one.query, ...pageParameters(one.answer) });
  const include = one.include && {
    name: 'include',
    in: 'query',
    description: `Comma separated: ${one.include.join(', ')}`,
    schema: { type: 'array', items: { type: 'string', enum: one.include } },
    style: 'form',
    explode: false,
  };
  return [
    ...declared.map(([name, parameter]) => queryParameter(name, parameter as Parameter<unknown>)),
    ...(include ? [include] : []),
  ];
}

function queryParameter(name: string, { description, schema, isRequired, isDeep }: Parameter<unknown>): object {
  const isList = (schema as { type?: string }).type === 'array';
  return {
    name,
    in: 'query',
    description,
    ...(isRequired && { required: true }),
    schema,
    ...(isList && { style: 'form', explode: false }),
    ...(isDeep && { style: 'deepObject', explode: true }),
  };
}

function responses(one: AnyEndpoint): Record<string, object> {
  const success = answerSchema(one.answer);
  const successType = 'content' in one.answer ? one.answer.content : mediaType;
  const byStatus = new Map<number, ErrorName[]>();
  for (const name of new Set(errorNames(one))) {
    const { status } = catalogue[name];
    byStatus.set(status, [...(byStatus.get(status) ?? []), name]);
  }
  const refusals = [...byStatus].map(([status, names]) => [
    String(status),
    {
      description: names.join(', '),
      content: { [mediaType]: { schema: { $ref: '#/components/schemas/errors' } } },
    },
  ]);
  return {
    [one.answer.status]: {
      description: success ? 'Success' : 'Success, without a body',
      ...(success && !('content' in one.answer) && { headers: etagHeader() }),
      ...(success && { content: { [successType]: { schema: success }, ...(one.follows && eventStream) } }),
    },
    ...(isTagged(one) && { 304: { $ref: '#/components/responses/notModified' } }),
    ...('otherwise' in one.answer && { [204]: { description: 'Success, without a body' } }),
    ...Object.fromEntries(refusals),
  };
}

function answerSchema(answer: Answer): object | null {
  const included = { type: 'array', items: { type: 'object', required: ['id', 'type', 'attributes'] } };
  if ('document' in answer) {
    const data = { $ref: `#/components/schemas/${answer.document.type}` };
    return { type: 'object', required: ['data'], properties: { data, included } };
  }
  if ('collection' in answer) {
    const data = { type: 'array', items: { $ref: `#/components/schemas/${answer.collection.type}` } };
    const schemas = answer.pages === 'uncounted' ? uncountedPageSchemas : pageSchemas;
    const meta = { type: 'object', properties: { pagination: schemas.pagination } };
    const isAlwaysPaged = answer.pages === 'always' || answer.pages === 'uncounted';
    return {
      type: 'object',
      required: ['data', ...(isAlwaysPaged ? ['links', 'meta'] : [])],
      properties: { data, included, links: answer.pages === 'never' ? linksSchema : schemas.links, meta },
    };
  }
  if ('content' in answer) return bytes;
  return 'json' in answer ? (answer.json as TSchema) : null;
}
