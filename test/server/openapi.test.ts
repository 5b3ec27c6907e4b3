/** The OpenAPI description: everything served is described and the other way round, and the checked-in copy is true. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { endpoints, resources } from '../../src/http/endpoints.ts';
import { type Document, openApp, useApp } from '../app.ts';
import { resolved } from '../nets/references.ts';

const app = useApp();
const golden = new URL('../../openapi.json', import.meta.url);

async function served(environment: Record<string, string> = {}): Promise<{ document: Document; routes: string[] }> {
  const one = Object.keys(environment).length > 0 ? await openApp(environment) : app;
  const { document } = await one.get('openapi.json', null);
  const routes = routesOf(one.app.printRoutes({ commonPrefix: false }));
  if (one !== app) await one.close();
  return { document, routes };
}

test('openapi.json of the repository is what the server of the default edition serves', async () => {
  const { document } = await served();
  if (process.env['UPDATE_GOLDEN']) writeFileSync(golden, `${JSON.stringify(document, null, 1)}\n`);
  expect(existsSync(golden)).toBe(true);
  const copy = JSON.parse(readFileSync(golden, 'utf8'));
  // By name first: the whole difference would be thousands of lines. `npm run openapi` renews the copy.
  expect(differences(copy.paths, document.paths)).toEqual([]);
  expect(differences(copy.components.schemas, document.components.schemas)).toEqual([]);
  expect(JSON.stringify(copy) === JSON.stringify(document)).toBe(true);
});

describe.each([{}, { TERRANE_EDITION: 'hosted' }, { TERRANE_PROFILE: 'vendor' }])('served with %j', environment => {
  test('every route is described, and everything described is a route', async () => {
    const { document, routes } = await served(environment);
    const described = Object.entries(document.paths as Record<string, Record<string, unknown>>).flatMap(
      ([path, item]) => {
        const address = item['servers'] ? path : `/api/v2${path}`;
        const methods = Object.keys(item).filter(name => name !== 'servers');
        return methods.map(method => `${method.toUpperCase()} ${address.replaceAll(/\{(\w+)\}/g, ':$1')}`);
      },
    );
    // The web interface and the pages for readers are served beside the API.
    const ofApi = routes.filter(route => !/^GET \/(app\/?\*?|docs\*?)?$/.test(route));
    expect(ofApi.length).toBeGreaterThanOrEqual(routes.length - 5);
    expect(described.sort()).toEqual(ofApi.sort());
  });

  test('the document has the structure of OpenAPI 3.1, and each schema of it compiles', async () => {
    const { document } = await served(environment);
    const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
    const validate = ajv.compile(structure);
    expect(validate(document) ? [] : validate.errors).toEqual([]);
    ajv.addSchema({ ...document, $id: 'document' });
    // Most of the 3,000 are one of some hundred: endpoints refuse alike.
    const texts = schemasOf(document).map(schema => JSON.stringify(schema));
    for (const text of new Set(texts)) {
      const schema = JSON.parse(text.replaceAll('"#/components', '"document#/components'));
      expect(() => ajv.compile(schema)).not.toThrow();
    }
  });

  test('operations have names of their own, and every parameter of a path is declared', async () => {
    const { document } = await served(environment);
    const operations = operationsOf(document);
    const names = operations.map(({ operation }) => operation.operationId);
    expect(names.filter((name, position) => names.indexOf(name) !== position)).toEqual([]);
    for (const { path, operation } of operations) {
      const parameters: Document[] = (operation.parameters ?? []).map((one: Document) => resolved(document, one));
      const inPath = parameters.filter(one => one.in === 'path');
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect([path, inPath.map(one => one.name)]).toEqual([path, named]);
      const all = parameters.map(one => `${one.in} ${one.name}`);
      expect([path, all.length]).toEqual([path, new Set(all).size]);
    }
  });
});

test('every document that an endpoint answers is a resource that is described', () => {
  const described = new Set(resources.map(({ type }) => type));
  const answered = endpoints.flatMap(({ answer }) =>
    'document' in answer ? [answer.document] : 'collection' in answer ? [answer.collection] : [],
  );
  expect(answered.map(({ type }) => type).filter(type => !described.has(type))).toEqual([]);
});

function differences(copy: Record<string, unknown>, served: Record<string, unknown>): string[] {
  const names = [...new Set([...Object.keys(copy), ...Object.keys(served)])];
  return names.filter(name => JSON.stringify(copy[name]) !== JSON.stringify(served[name]));
}

/** `GET /api/v2/ping` for each route of Fastify's printed tree; HEAD comes with GET. */
function routesOf(tree: string): string[] {
  const segments: string[] = [];
  return tree.split('\n').flatMap(line => {
    const found = /^((?:│ {3}| {4})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (!found) return [];
    const [, indent = '', segment = '', methods] = found;
    segments.splice(indent.length / 4, segments.length, segment);
    const shown = (methods ?? '').split(', ').filter(method => method !== '' && method !== 'HEAD');
    return shown.map(method => `${method} ${segments.join('')}`);
  });
}

function operationsOf(document: Document): { path: string; operation: Document }[] {
  return Object.entries(document.paths as Record<string, object>).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([name]) => name !== 'servers')
      .map(([, operation]) => ({ path, operation })),
  );
}

function schemasOf(document: Document): object[] {
  const contents = operationsOf(document).flatMap(({ operation }) => [
    operation.requestBody?.content,
    ...Object.values(operation.responses as Record<string, Document>).map(one => resolved(document, one).content),
  ]);
  const inOperations = contents.filter(Boolean).flatMap(content => Object.values(content as Record<string, Document>));
  return [...inOperations.map(({ schema }) => schema), ...Object.values(document.components.schemas as object)];
}

const content = { type: 'object', minProperties: 1, additionalProperties: { type: 'object', required: ['schema'] } };

/** The parts of the OpenAPI 3.1 meta-schema that this description uses; nothing else may appear. */
const structure = {
  type: 'object',
  required: ['openapi', 'info', 'paths', 'components'],
  additionalProperties: false,
  properties: {
    openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$' },
    info: {
      type: 'object',
      required: ['title', 'version'],
      properties: { license: { type: 'object', required: ['name', 'identifier'] } },
    },
    servers: { $ref: '#/$defs/servers' },
    security: { type: 'array' },
    paths: {
      type: 'object',
      propertyNames: { pattern: '^/' },
      additionalProperties: {
        type: 'object',
        additionalProperties: { $ref: '#/$defs/operation' },
        properties: { servers: { $ref: '#/$defs/servers' } },
        propertyNames: { enum: ['get', 'post', 'patch', 'delete', 'put', 'servers'] },
      },
    },
    components: {
      type: 'object',
      additionalProperties: false,
      properties: {
        securitySchemes: { type: 'object' },
        schemas: { type: 'object', propertyNames: { pattern: '^[A-Za-z0-9._-]+$' } },
        headers: { type: 'object', additionalProperties: { type: 'object', required: ['schema'] } },
        parameters: {
          type: 'object',
          propertyNames: { pattern: '^[A-Za-z0-9._-]+$' },
          additionalProperties: { $ref: '#/$defs/parameter' },
        },
        responses: { type: 'object', additionalProperties: { $ref: '#/$defs/response' } },
      },
    },
  },
  $defs: {
    servers: { type: 'array', items: { type: 'object', required: ['url'] } },
    reference: {
      type: 'object',
      required: ['$ref'],
      additionalProperties: false,
      properties: { $ref: { type: 'string', pattern: '^#/components/(parameters|responses)/[A-Za-z0-9._-]+$' } },
    },
    parameter: {
      type: 'object',
      required: ['name', 'in', 'schema'],
      properties: { in: { enum: ['path', 'query', 'header'] }, required: { type: 'boolean' } },
      if: { properties: { in: { const: 'path' } }, required: ['in'] },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema.
      then: { required: ['required'], properties: { required: { const: true } } },
    },
    response: { type: 'object', required: ['description'], properties: { content } },
    operation: {
      type: 'object',
      required: ['operationId', 'summary', 'responses'],
      additionalProperties: false,
      properties: {
        operationId: { type: 'string', minLength: 1 },
        summary: { type: 'string', minLength: 1 },
        description: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
        security: { type: 'array' },
        parameters: {
          type: 'array',
          items: { oneOf: [{ $ref: '#/$defs/parameter' }, { $ref: '#/$defs/reference' }] },
        },
        requestBody: { type: 'object', required: ['content'], properties: { content } },
        responses: {
          type: 'object',
          minProperties: 1,
          propertyNames: { pattern: '^[1-5]\\d\\d$' },
          additionalProperties: { oneOf: [{ $ref: '#/$defs/response' }, { $ref: '#/$defs/reference' }] },
        },
      },
    },
  },
};
