/** §2.3 Flat tag: the document, the SELECT and the finder. A tag is seen through the workspaces that carry it. */
import type { Actor } from '../access/actor.ts';
import { organizationPowersOf } from '../access/organization-access.ts';
import { policy, tagPowers } from '../access/policy.ts';
import type { Finder, Subject } from '../jsonapi/endpoint.ts';
import { column, integer, type Row, reference, text, timestamp } from '../jsonapi/fields.ts';
import { type RowOf, resource } from '../jsonapi/resource.ts';
import { type Fragment, held, type Sql } from '../store/store.ts';
import { visibleTo } from '../workspaces/workspace.ts';

const attributes = {
  name: column(text),
  'created-at': column(timestamp),
  'instance-count': column(integer),
};

export const tags = resource({
  type: 'tags',
  attributes,
  relationships: {
    organization: reference(
      'organizations',
      'organization_name',
      row => `/api/v2/organizations/${row['organization_name']}`,
    ),
  },
  load: (sql, actor, ids) => visibleTags(sql, actor, sql`tags.id = any(${ids as string[]})`),
});

export interface Tag extends RowOf<typeof attributes>, Subject {
  id: string;
  organization_id: string;
  organization_name: string;
}

/** The workspaces that carry a tag, as far as the actor may read them: what is counted, and what makes a tag visible. */
const carriers = (sql: Sql, actor: Actor): Fragment => sql`
  from workspace_tags
  join workspaces on workspaces.id = workspace_tags.workspace_id
  where workspace_tags.tag_id = tags.id and ${visibleTo(sql, actor)}`;

export const isVisible = (sql: Sql, actor: Actor): Fragment => sql`exists (select ${carriers(sql, actor)})`;

/** The tags of a condition that the actor may see. */
export async function visibleTags(sql: Sql, actor: Actor, condition: Fragment, rest?: Fragment): Promise<Tag[]> {
  const rows = await sql<Row[]>`
    select
      tags.id, tags.organization_id, organizations.name as organization_name, tags.name, tags.created_at,
      (select count(*) ${carriers(sql, actor)}) as instance_count
    from tags
    join organizations on organizations.id = tags.organization_id
    where ${condition} and ${isVisible(sql, actor)}
    ${rest ?? sql``}`;
  return rows.map(row => ({ ...row, powers: powersOn(actor, row['organization_id']) }) as unknown as Tag);
}

/** Whoever may remove a tag from the organization may do so from every workspace. */
function powersOn(actor: Actor, organizationId: string): number {
  const isManager = (organizationPowersOf(actor, organizationId) & policy['organization:manage-tags'].anyOf) !== 0;
  return tagPowers.bit.read | (isManager ? tagPowers.bit.manage : 0);
}

export const tagById: Finder<Tag> = {
  find: async (sql, actor, params, lock) => {
    const [found] = await visibleTags(sql, actor, sql`tags.id = ${params['tag_id']!}`, held(sql, lock, 'tags'));
    return found;
  },
};
