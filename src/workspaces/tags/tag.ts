/** §2.3 Flat tag: the document, the SELECT and the finder. A tag is seen through the workspaces that carry it. */

import { tagPowers } from '../../access/policy.ts';
import { readsWhole } from '../../access/workspaces.ts';
import { type Actor, organizationsWhere } from '../../core/access/actor.ts';
import { addressed, column, integer, text, timestamp } from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';

const attributes = {
  name: column(text),
  'created-at': column(timestamp),
  'instance-count': column(integer),
};

export const tags = resource({
  type: 'tags',
  attributes,
  relationships: {
    organization: addressed('organizations', 'organization_name'),
  },
  load: async (sql, actor, ids) => withInstances(sql, actor, await tagRecords.load(sql, actor, ids)),
});

export interface Tag extends Omit<RowOf<typeof attributes>, 'instance_count'>, Subject<'tag'> {
  id: string;
  organization_id: string;
  organization_name: string;
}

export type CountedTag = Tag & { instance_count: number };

/** The workspaces that the actor's teams open, found from the teams: few beside all those that carry a tag. */
const opened = (sql: Sql, actor: Actor): Fragment => sql`
  select team_workspaces.workspace_id from team_workspaces
  where team_workspaces.team_id = any(${actor.teamIds as string[]})
  union
  select workspaces.id from team_projects
  join workspaces on workspaces.project_id = team_projects.project_id
  where team_projects.team_id = any(${actor.teamIds as string[]})`;

/** A tag is seen through the workspaces that carry it and that the actor may read (§5.4). */
export const tagRecords = records<Tag>({
  table: 'tags',
  columns: sql => sql`
    tags.id, tags.organization_id, organizations.name as organization_name, tags.name, tags.created_at`,
  from: sql => sql`
    tags
    join organizations on organizations.id = tags.organization_id`,
  isVisible: (sql, actor) => sql`(
    tags.organization_id = any(${organizationsWhere(actor, (_standing, id) => readsWhole(actor, id))})
    or tags.id in (
      select workspace_tags.tag_id from workspace_tags
      where workspace_tags.workspace_id in (${opened(sql, actor)})
    )
  )`,
  powers: () => tagPowers.bit.read,
});

export const tagById = tagRecords.byId('tag_id');

/** The tags as their documents show them: how many workspaces carry each takes a statement of its own, for all at once. */
export async function withInstances(sql: Sql, actor: Actor, found: readonly Tag[]): Promise<CountedTag[]> {
  const [whole, part] = [true, false].map(isWhole =>
    found.filter(tag => readsWhole(actor, tag.organization_id) === isWhole).map(({ id }) => id),
  );
  const counts = await sql<{ tag_id: string; total: number }[]>`
    select workspace_tags.tag_id, count(*) as total from workspace_tags
    where workspace_tags.tag_id = any(${whole!})
    group by workspace_tags.tag_id
    union all
    select workspace_tags.tag_id, count(*) as total from workspace_tags
    where workspace_tags.tag_id = any(${part!}) and workspace_tags.workspace_id in (${opened(sql, actor)})
    group by workspace_tags.tag_id`;
  const totals = new Map(counts.map(({ tag_id, total }) => [tag_id, total]));
  return found.map(tag => ({ ...tag, instance_count: totals.get(tag.id) ?? 0 }));
}
