/** The OpenAPI 3.1 description of everything served, from the same tables that serve it. */
import type { TSchema } from 'typebox';
import type { ErrorName } from '../errors.ts';
import { refusals } from '../refusals/refusals.ts';
import { type Answer, type AnyEndpoint, routeOf } from './endpoint.ts';
import type { Deployment } from './fields.ts';
import { etag, etagHeader, type Shared, sharedParts, sharedSchema, sharedSchemas } from './openapi-components.ts';
import { pageParameters } from './page.ts';
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

const mayBeEmpty = (one: AnyEndpoint) => 'otherwise' in one.answer || one.isAwaited === true;

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
  const shared = sharedParts();
  for (const one of endpoints.filter(({ when }) => when?.(deployment) ?? true)) {
    one.paths.forEach((path, position) => {
      const whole = one.signed ? routeOf(one, path) : path;
      const address = whole.replaceAll(/:(\w+)/g, '{$1}');
      const beside = one.signed ? { servers: [{ url: '/' }] } : {};
      const described = { [one.method.toLowerCase()]: operation(one, whole, position, deployment, shared) };
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
        ...sharedSchemas,
      },
      headers: { etag },
      ...shared.components,
    },
  };
}

interface NamedParameter {
  name: string;
  [member: string]: unknown;
}

const eventStream = { 'text/event-stream': { schema: { type: 'string' } } };

function operation(
  one: AnyEndpoint,
  path: string,
  position: number,
  deployment: Deployment,
  { share }: Shared,
): object {
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) =>
      share('parameters', name!, { name, in: 'path', required: true, schema: { type: 'string' } }),
    ),
    ...[...queryParameters(one), ...(one.signed === 'in query' ? signatureParameters : [])].map(one =>
      share('parameters', `query.${one.name}`, one),
    ),
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
    responses: responses(one, share),
  };
}

const bytes = { type: 'string', format: 'binary' };

const signatureParameters = ['to', 'expires', 'signature'].map(name => ({
  name,
  in: 'query',
  required: true,
  schema: { type: 'string' },
}));

function queryParameters(one: AnyEndpoint): NamedParameter[] {
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

function queryParameter(name: string, { description, schema, isRequired, isDeep }: Parameter<unknown>): NamedParameter {
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

function responses(one: AnyEndpoint, share: Shared['share']): Record<string, object> {
  const byStatus = new Map<number, ErrorName[]>();
  for (const name of [...new Set(errorNames(one))].sort()) {
    const { status } = refusals[name];
    byStatus.set(status, [...(byStatus.get(status) ?? []), name]);
  }
  const refused = [...byStatus].map(([status, names]) => [
    String(status),
    share('responses', names.join('.'), {
      description: names.join(', '),
      content: { [mediaType]: { schema: sharedSchema('errors') } },
    }),
  ]);
  const nothing = share('responses', 'nothing', { description: 'Success, without a body' });
  return {
    [one.answer.status]: success(one, share) ?? nothing,
    ...(isTagged(one) && { 304: { $ref: '#/components/responses/notModified' } }),
    ...(mayBeEmpty(one) && { 204: nothing }),
    ...Object.fromEntries(refused),
  };
}

function success({ answer, follows, operation }: AnyEndpoint, share: Shared['share']): object | null {
  const schema = answerSchema(answer);
  if (!schema) return null;
  const name =
    'document' in answer ? answer.document.type : 'collection' in answer ? `${answer.collection.type}.page` : operation;
  return share('responses', name, {
    description: 'Success',
    ...(!('content' in answer) && { headers: etagHeader }),
    content: { ['content' in answer ? answer.content : mediaType]: { schema }, ...(follows && eventStream) },
  });
}

function answerSchema(answer: Answer): object | null {
  const included = sharedSchema('included');
  if ('document' in answer) {
    const data = { $ref: `#/components/schemas/${answer.document.type}` };
    return { type: 'object', required: ['data'], properties: { data, included } };
  }
  if ('collection' in answer) {
    const data = { type: 'array', items: { $ref: `#/components/schemas/${answer.collection.type}` } };
    const isCounted = answer.pages !== 'uncounted';
    const pagination = sharedSchema(isCounted ? 'pagination' : 'uncounted-pagination');
    const links = sharedSchema(isCounted ? 'page-links' : 'uncounted-page-links');
    const isAlwaysPaged = answer.pages === 'always' || !isCounted;
    return {
      type: 'object',
      required: ['data', ...(isAlwaysPaged ? ['links', 'meta'] : [])],
      properties: {
        data,
        included,
        links: answer.pages === 'never' ? linksSchema : links,
        meta: { type: 'object', properties: { pagination } },
      },
    };
  }
  if ('content' in answer) return bytes;
  return 'json' in answer ? (answer.json as TSchema) : null;
}
