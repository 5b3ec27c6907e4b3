/** The parts of an OpenAPI document that many operations say alike: each stands once, and is referred to. */
import { pageSchemas, uncountedPageSchemas } from './page.ts';

export const etag = {
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

export const etagHeader = { ETag: { $ref: '#/components/headers/etag' } };

const errors = {
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

const included = { type: 'array', items: { type: 'object', required: ['id', 'type', 'attributes'] } };

/** Schemas beside those of the resources, whose names are types of the API. */
export const sharedSchemas = {
  errors,
  included,
  'page-links': pageSchemas.links,
  pagination: pageSchemas.pagination,
  'uncounted-page-links': uncountedPageSchemas.links,
  'uncounted-pagination': uncountedPageSchemas.pagination,
};

export const sharedSchema = (name: keyof typeof sharedSchemas) => ({ $ref: `#/components/schemas/${name}` });

type Part = 'parameters' | 'responses';
type Share = (part: Part, name: string, value: object) => object;

export interface Shared {
  /** A reference to the value under its name. The first value of a name is shared; others stand where they are used. */
  share: Share;
  components: Record<Part, Record<string, object>>;
}

export function sharedParts(): Shared {
  const components: Shared['components'] = {
    parameters: { ifMatch, ifNoneMatch },
    responses: { notModified: { description: 'What was answered before still holds', headers: etagHeader } },
  };
  return {
    components,
    share: (part, name, value) => {
      const key = name.replaceAll(/[^\w-]+/g, '.').replace(/\.$/, '');
      components[part][key] ??= value;
      return JSON.stringify(components[part][key]) === JSON.stringify(value)
        ? { $ref: `#/components/${part}/${key}` }
        : value;
    },
  };
}
