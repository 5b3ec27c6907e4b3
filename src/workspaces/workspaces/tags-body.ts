/** §4.6: how a body names flat tags, by id or by name. */
import { type TSchema, Type } from 'typebox';
import { type Body, type Linkage, valueBody } from '../../core/jsonapi/body.ts';

/** A tag that exists, by id, or any tag by name. */
export type TagGiven = { id: string } | { name: string };

/** Letters, digits, `:`, `-` and `_`; upper case becomes lower case. */
const tagName = Type.String({
  pattern: '^[A-Za-z0-9_:-]{1,255}$',
  'x-rule': 'may only contain letters, numbers, :, - and _, and at most 255 of them',
});

const tagLimit = 1000;

function listOf(name: TSchema): TSchema {
  const tag = {
    type: 'object',
    'x-rule': 'needs an id or a name',
    required: ['type'],
    properties: {
      type: { const: 'tags' },
      id: { type: 'string', minLength: 1 },
      attributes: { type: 'object', properties: { name } },
    },
    anyOf: [
      { required: ['id'] },
      { required: ['attributes'], properties: { attributes: { type: 'object', required: ['name'] } } },
    ],
  };
  return Type.Array(Type.Unsafe(tag), { maxItems: tagLimit });
}

function read(data: unknown): TagGiven[] {
  return (data as { id?: string; attributes?: { name?: string } }[]).map(({ id, attributes }) =>
    attributes?.name === undefined ? { id: id! } : { name: attributes.name.toLowerCase() },
  );
}

/** `{ "data": [{ "type": "tags", "id" }] }` or `"attributes": { "name" }` in place of the id. */
export const toTags: Linkage<TagGiven[]> = { schema: listOf(tagName), read };

/** The same as a whole body. */
export const tagsBody = bodyOf(toTags.schema);

/** Removing names any text: one that no tag has does nothing (rule 1). */
export const tagsNamedBody = bodyOf(listOf(Type.String()));

function bodyOf(data: TSchema): Body<TagGiven[]> {
  const schema = Type.Object({ data });
  return valueBody<TagGiven[]>(schema, json => read((json as { data: unknown }).data), []);
}
