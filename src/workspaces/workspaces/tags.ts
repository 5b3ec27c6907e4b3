/** §4.6 Flat tags of a workspace: list, add, remove. */

import { policy } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import { ApiError, type Fault, faultAt } from '../../core/errors.ts';
import { type Collection, endpoint } from '../../core/jsonapi/endpoint.ts';
import { type Page, single } from '../../core/jsonapi/page.ts';
import { containing } from '../../core/jsonapi/search.ts';
import { newId } from '../../core/store/ids.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { reviseWorkspaces } from '../../organizations/revisions.ts';
import { tags, visibleTags } from '../tags/tag.ts';
import { removeUnusedTags } from '../tags/unused.ts';
import { type TagGiven, tagsBody, tagsNamedBody } from './tags-body.ts';
import { workspaceById } from './workspace.ts';

const paths = ['/workspaces/:workspace_id/relationships/tags'] as const;

export const listWorkspaceTags = endpoint({
  operation: 'workspaces.list-tags',
  section: '§4.6',
  summary: 'List the flat tags of a workspace',
  method: 'GET',
  paths,
  subject: workspaceById,
  needs: policy['workspace:read'],
  query: { name: 'Tags whose name contains this, whatever its case' },
  answer: { status: 200, collection: tags, pages: 'always' },
  handle: ({ store: { search: sql }, actor, subject, query, page }) => {
    const search = single(query, 'name');
    const condition = sql`
      tags.id in (select workspace_tags.tag_id from workspace_tags where workspace_tags.workspace_id = ${subject.id})
      ${search ? sql`and tags.name ilike ${containing(search)}` : sql``}`;
    return tagPage(sql, actor, condition, page);
  },
});

async function tagPage(sql: Sql, actor: Actor, condition: Fragment, page: Page): Promise<Collection> {
  const [counts, rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*) as total from tags where ${condition}`,
    visibleTags(sql, actor, condition, sql`order by tags.name, tags.id limit ${page.size} offset ${page.offset}`),
  ]);
  return { rows, total: counts[0]!.total };
}

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
    const { ids, names } = sorted(body);
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

function sorted(given: readonly TagGiven[]): { ids: string[]; names: string[] } {
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
  const { ids, names } = sorted(given);
  const held = await heldTags(sql, organizationId, ids, names);
  const unknown = ids.filter(id => !held.includes(id));
  if (unknown.length > 0) return unknown;
  await sql`
    insert into workspace_tags (workspace_id, tag_id)
    select ${workspaceId}, tags.id from tags where tags.id = any(${held}) order by tags.id
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
