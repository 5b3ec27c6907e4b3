/** §2.3 flat tags of a workspace: organization tags added to it. */
import { type TSchema, Type } from 'typebox';
import type { Linkage } from '../jsonapi/body.ts';
import { newId } from '../store/ids.ts';
import type { Sql } from '../store/store.ts';

/** A tag that exists, by id, or any tag by name. */
export type TagGiven = { id: string } | { name: string };

/** Letters, digits, `:`, `-` and `_`; upper case becomes lower case. */
const tagName = Type.String({
  pattern: '^[A-Za-z0-9_:-]{1,255}$',
  'x-rule': 'may only contain letters, numbers, :, - and _, and at most 255 of them',
});

const tagSchema = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { const: 'tags' },
    id: { type: 'string' },
    attributes: { type: 'object', required: ['name'], properties: { name: tagName } },
  },
  anyOf: [{ required: ['id'] }, { required: ['attributes'] }],
};

/** `{ "data": [{ "type": "tags", "id" }] }` or `"attributes": { "name" }` in place of the id. */
export const toTags: Linkage<TagGiven[]> = {
  schema: Type.Array(Type.Unsafe(tagSchema)) as TSchema,
  read: data =>
    (data as { id?: string; attributes?: { name: string } }[]).map(({ id, attributes }) =>
      attributes ? { name: attributes.name.toLowerCase() } : { id: id! },
    ),
};

/** Adds tags to the workspace, making those that the organization does not have. Returns the ids that do not exist. */
export async function addTags(
  sql: Sql,
  organizationId: string,
  workspaceId: string,
  given: readonly TagGiven[],
): Promise<string[]> {
  const names = [...new Set(given.flatMap(tag => ('name' in tag ? [tag.name] : [])))].sort();
  for (const name of names) {
    await sql`
      insert into tags (id, organization_id, name) values (${newId('tag')}, ${organizationId}, ${name})
      on conflict (organization_id, name) do nothing`;
  }
  const ids = given.flatMap(tag => ('id' in tag ? [tag.id] : []));
  const added = await sql<{ id: string }[]>`
    with named as (
      select tags.id from tags
      where tags.organization_id = ${organizationId} and (tags.name = any(${names}) or tags.id = any(${ids}))
    ), added as (
      insert into workspace_tags (workspace_id, tag_id) select ${workspaceId}, named.id from named
      on conflict do nothing
    )
    select named.id from named`;
  const known = new Set(added.map(({ id }) => id));
  return ids.filter(id => !known.has(id));
}
