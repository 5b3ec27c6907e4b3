/** §4.6 The tags of an organization: searched, paginated; those on workspaces that the caller may read (§5.4). */

import { policy } from '../../access/policy.ts';
import { workspaceIsReadable } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { term } from '../../core/jsonapi/query.ts';
import { containing } from '../../core/jsonapi/search.ts';
import { all } from '../../core/store/conditions.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { tagRecords, tags, withInstances } from './tag.ts';

export const listTags = endpoint({
  operation: 'tags.list',
  section: '§4.6',
  summary: 'List the tags of an organization',
  method: 'GET',
  paths: ['/organizations/:organization_name/tags'],
  subject: organizationByName,
  needs: policy['organization:list-tags'],
  query: {
    q: term('Tags whose name contains this, whatever its case'),
    'filter[exclude][taggable][id]': term('Leaves out the tags of this workspace'),
  },
  answer: { status: 200, collection: tags, pages: 'always' },
  handle: async ({ store: { search: sql }, actor, subject, query, page }) => {
    const { q, 'filter[exclude][taggable][id]': excluded } = query;
    const condition = all(sql, [
      sql`tags.organization_id = ${subject.organization_id}`,
      q && sql`tags.name ilike ${containing(q)}`,
      excluded && isNotOn(sql, actor, excluded),
    ]);
    const { rows, total } = await tagRecords.page({ sql, actor, page }, condition, sql`tags.name, tags.id`);
    return { rows: await withInstances(sql, actor, rows), total };
  },
});

/** A workspace that the caller may not read hides nothing, as one that does not exist. */
function isNotOn(sql: Sql, actor: Actor, workspaceId: string): Fragment {
  return sql`not exists (
    select from workspace_tags
    join workspaces on workspaces.id = workspace_tags.workspace_id
    where workspace_tags.tag_id = tags.id and workspaces.id = ${workspaceId} and ${workspaceIsReadable(sql, actor)}
  )`;
}
