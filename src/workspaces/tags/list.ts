/** §4.6 The tags of an organization: searched, paginated; those on workspaces that the caller may read (§5.4). */

import { policy } from '../../access/policy.ts';
import { workspaceIsReadable } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import { type Collection, endpoint } from '../../core/jsonapi/endpoint.ts';
import { type Page, single } from '../../core/jsonapi/page.ts';
import { containing } from '../../core/jsonapi/search.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { isVisible, tags, visibleTags } from './tag.ts';

export const listTags = endpoint({
  operation: 'tags.list',
  section: '§4.6',
  summary: 'List the tags of an organization',
  method: 'GET',
  paths: ['/organizations/:organization_name/tags'],
  subject: organizationByName,
  needs: policy['organization:list-tags'],
  query: {
    q: 'Tags whose name contains this, whatever its case',
    'filter[exclude][taggable][id]': 'Leaves out the tags of this workspace',
  },
  answer: { status: 200, collection: tags, pages: 'always' },
  handle: ({ store: { search: sql }, actor, subject, query, page }) => {
    const search = single(query, 'q');
    const excluded = single(query, 'filter[exclude][taggable][id]');
    const condition = sql`
      tags.organization_id = ${subject.organization_id}
      ${search ? sql`and tags.name ilike ${containing(search)}` : sql``}
      ${excluded ? sql`and ${isNotOn(sql, actor, excluded)}` : sql``}`;
    return tagPage(sql, actor, condition, page);
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

async function tagPage(sql: Sql, actor: Actor, condition: Fragment, page: Page): Promise<Collection> {
  const [counts, rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*) as total from tags where ${condition} and ${isVisible(sql, actor)}`,
    visibleTags(sql, actor, condition, sql`order by tags.name, tags.id limit ${page.size} offset ${page.offset}`),
  ]);
  return { rows, total: counts[0]!.total };
}
