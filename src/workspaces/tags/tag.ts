/** §2.3 Flat tag: the document, the SELECT and the finder. A tag is seen through the workspaces that carry it. */

import { tagPowers } from '../../access/policy.ts';
import { readsWhole } from '../../access/workspaces.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Finder, Subject } from '../../core/jsonapi/endpoint.ts';
import { column, integer, type Row, reference, text, timestamp } from '../../core/jsonapi/fields.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { type Fragment, held, type Sql } from '../../core/store/store.ts';

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

export interface Tag extends Omit<RowOf<typeof attributes>, 'instance_count'>, Subject {
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
export function isVisible(sql: Sql, actor: Actor): Fragment {
  const whole = [...actor.standings.keys()].filter(id => readsWhole(actor, id));
  return sql`(
    tags.organization_id = any(${whole})
    or tags.id in (
      select workspace_tags.tag_id from workspace_tags
      where workspace_tags.workspace_id in (${opened(sql, actor)})
    )
  )`;
}

/** The tags of a condition that the actor may see. */
async function findTags(sql: Sql, actor: Actor, condition: Fragment, rest?: Fragment): Promise<Tag[]> {
  const rows = await sql<Row[]>`
    select tags.id, tags.organization_id, organizations.name as organization_name, tags.name, tags.created_at
    from tags
    join organizations on organizations.id = tags.organization_id
    where ${condition} and ${isVisible(sql, actor)}
    ${rest ?? sql``}`;
  return rows.map(row => ({ ...row, powers: tagPowers.bit.read }) as unknown as Tag);
}

/** As their documents show them: counting takes its time, so that only documents do it, all of a page at once. */
export async function visibleTags(sql: Sql, actor: Actor, condition: Fragment, rest?: Fragment): Promise<CountedTag[]> {
  const found = await findTags(sql, actor, condition, rest);
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

export const tagById: Finder<Tag> = {
  find: async (sql, actor, params, lock) => {
    const [found] = await findTags(sql, actor, sql`tags.id = ${params['tag_id']!}`, held(sql, lock, 'tags'));
    return found;
  },
};
