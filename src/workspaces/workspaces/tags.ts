/** §4.6 Flat tags of a workspace: list, add, remove. */

import { policy } from '../../access/policy.ts';
import { ApiError, type Fault, faultAt } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { term } from '../../core/jsonapi/query.ts';
import { containing } from '../../core/jsonapi/search.ts';
import { all } from '../../core/store/conditions.ts';
import { newId } from '../../core/store/ids.ts';
import type { Sql } from '../../core/store/store.ts';
import { reviseWorkspaces } from '../../organizations/revisions.ts';
import { tagRecords, tags, withInstances } from '../tags/tag.ts';
import { removeUnusedTags } from '../tags/unused.ts';
import { workspaceById } from './rows.ts';
import { type TagGiven, tagsBody, tagsNamedBody } from './tags-body.ts';

const paths = ['/workspaces/:workspace_id/relationships/tags'] as const;

export const listWorkspaceTags = endpoint({
  operation: 'workspaces.list-tags',
  section: '§4.6',
  summary: 'List the flat tags of a workspace',
  method: 'GET',
  paths,
  subject: workspaceById,
  needs: policy['workspace:read'],
  query: { name: term('Tags whose name contains this, whatever its case') },
  answer: { status: 200, collection: tags, pages: 'always' },
  handle: async ({ store: { search: sql }, actor, subject, query: { name }, page }) => {
    const condition = all(sql, [
      sql`tags.id in (select workspace_tags.tag_id from workspace_tags where workspace_tags.workspace_id = ${subject.id})`,
      name && sql`tags.name ilike ${containing(name)}`,
    ]);
    const { rows, total } = await tagRecords.page({ sql, actor, page }, condition, sql`tags.name, tags.id`);
    return { rows: await withInstances(sql, actor, rows), total };
  },
});

export const addWorkspaceTags = endpoint({
  operation: 'workspaces.add-tags',
  section: '§4.6',
  summary: 'Add flat tags to a workspace',
  method: 'POST',
  paths,
  subject: workspaceById,
  needs: policy['workspace:manage-tags'],
  body: tagsBody,
  answer: { status: 204 },
  handle: async ({ sql, subject, body, note }) => {
    const unknown = await addTags(sql, subject.organization_id, subject.id, body);
    if (unknown.length > 0) throw new ApiError(unknownTags(body, unknown));
    await reviseWorkspaces(sql, [subject.id]);
    note({ tags: body });
  },
});

export const removeWorkspaceTags = endpoint({
  operation: 'workspaces.remove-tags',
  section: '§4.6',
  summary: 'Remove flat tags from a workspace',
  method: 'DELETE',
  paths,
  subject: workspaceById,
  needs: policy['workspace:manage-tags'],
  body: tagsNamedBody,
  answer: { status: 204 },
  check: async ({ sql, subject, body, faults }) => {
    const { ids, names } = byKind(body);
    const found = await sql<{ id: string }[]>`
      select tags.id from tags
      where tags.organization_id = ${subject.organization_id} and (tags.id = any(${ids}) or tags.name = any(${names}))`;
    const known = found.map(({ id }) => id);
    const unknown = ids.filter(id => !known.includes(id));
    faults.push(...unknownTags(body, unknown));
    return known;
  },
  handle: async ({ sql, subject, body, note }, known) => {
    const removed = await sql<{ tag_id: string }[]>`
      delete from workspace_tags
      where workspace_tags.workspace_id = ${subject.id} and workspace_tags.tag_id = any(${known})
      returning workspace_tags.tag_id`;
    await removeUnusedTags(
      sql,
      removed.map(({ tag_id }) => tag_id),
    );
    await reviseWorkspaces(sql, [subject.id]);
    note({ tags: body });
  },
});

function byKind(given: readonly TagGiven[]): { ids: string[]; names: string[] } {
  const ids = given.flatMap(tag => ('id' in tag ? [tag.id] : []));
  const names = new Set(given.flatMap(tag => ('name' in tag ? [tag.name] : [])));
  return { ids, names: [...names].sort() };
}

function unknownTags(given: readonly TagGiven[], unknown: readonly string[]): Fault[] {
  return given.flatMap((tag, position) => {
    if (!('id' in tag) || !unknown.includes(tag.id)) return [];
    const reason = `Tag "${tag.id}" does not exist in this organization.`;
    return [faultAt('invalid-document', `/data/${position}/id`, { reason })];
  });
}

/** Adds tags to the workspace, making those that the organization does not have. Returns the ids that do not exist. */
export async function addTags(
  sql: Sql,
  organizationId: string,
  workspaceId: string,
  given: readonly TagGiven[],
): Promise<string[]> {
  const { ids, names } = byKind(given);
  const found = await heldTags(sql, organizationId, ids, names);
  const unknown = ids.filter(id => !found.includes(id));
  if (unknown.length > 0) return unknown;
  await sql`
    insert into workspace_tags (workspace_id, tag_id)
    select ${workspaceId}, tags.id from tags where tags.id = any(${found}) order by tags.id
    on conflict do nothing`;
  return [];
}

const attemptLimit = 5;

/**
 * The ids of tags by id and by name, each held so that nobody deletes it before it is on the workspace; names that are
 * missing are made. Someone may delete a tag between the two statements: then both are tried again.
 */
async function heldTags(sql: Sql, organizationId: string, ids: string[], names: string[]): Promise<string[]> {
  for (let attempt = 1; attempt <= attemptLimit; attempt += 1) {
    const missing = names.map(name => ({ id: newId('tag'), name }));
    if (missing.length > 0) {
      await sql`
        insert into tags (id, organization_id, name)
        select given.id, ${organizationId}, given.name
        from jsonb_to_recordset(${sql.json(missing)}) as given (id text, name text)
        order by given.name
        on conflict (organization_id, name) do nothing`;
    }
    const found = await sql<{ id: string; name: string }[]>`
      select tags.id, tags.name from tags
      where tags.organization_id = ${organizationId} and (tags.id = any(${ids}) or tags.name = any(${names}))
      order by tags.id
      for key share`;
    const known = new Set(found.map(({ name }) => name));
    if (names.every(name => known.has(name))) return found.map(({ id }) => id);
  }
  throw new ApiError('store-unavailable');
}
