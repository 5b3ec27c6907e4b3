/** List the projects of an organization: searched, filtered, sorted, paginated; only what the caller may read counts. */

import { policy } from '../../access/policy.ts';
import { projectGives, projectIsReadable } from '../../access/projects.ts';
import type { Actor } from '../../core/access/actor.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { flag, list, type Order, sort, term } from '../../core/jsonapi/query.ts';
import { containing, listing } from '../../core/jsonapi/search.ts';
import { limits } from '../../core/limits.ts';
import { all } from '../../core/store/conditions.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { tagFilters } from '../tags/tagged-parameter.ts';
import { projectRecords, projects, withCounts } from './project.ts';

export const listProjects = endpoint({
  operation: 'projects.list',
  section: '§1',
  summary: 'List the projects of an organization',
  method: 'GET',
  paths: ['/organizations/:organization_name/projects'],
  subject: organizationByName,
  needs: policy['organization:list-projects'],
  query: {
    q: term('Projects whose name contains this, whatever its case'),
    'filter[names]': list(
      'Projects with any of these names, whatever their case; q is then ignored',
      limits.queryNames_items.value,
    ),
    'filter[tagged]': tagFilters,
    'filter[permissions][create-workspace]': flag('true: projects in which the caller may create workspaces'),
    'filter[permissions][update]': flag('true: projects that the caller may update'),
    sort: sort('The order: by name whatever its case when nothing is said', 'name'),
  },
  include: ['organization', 'default_agent_pool', 'effective_tag_bindings'],
  answer: { status: 200, collection: projects, pages: 'always' },
  handle: async ({ store, actor, subject, query, page }) => {
    const sql = listing(store, query);
    const inOrganization = sql`projects.organization_id = ${subject.organization_id}`;
    const asked = matching(sql, actor, query);
    const [found, total] = await Promise.all([
      projectRecords.page({ sql, actor, page }, sql`${inOrganization} and ${asked}`, order(sql, query.sort)),
      countReadable(sql, actor, inOrganization),
    ]);
    const rows = await withCounts(sql, actor, found.rows);
    return { rows, total: found.total, meta: { 'status-counts': { total, matching: found.total } } };
  },
});

async function countReadable(sql: Sql, actor: Actor, condition: Fragment): Promise<number> {
  const [counted] = await sql<{ total: number }[]>`
    select count(*) as total from projects where ${condition} and ${projectIsReadable(sql, actor)}`;
  return counted!.total;
}

type Asked = Parameters<NonNullable<typeof listProjects.handle>>[0]['query'];

function matching(sql: Sql, actor: Actor, query: Asked): Fragment {
  const { q, 'filter[names]': names, 'filter[tagged]': tagged } = query;
  return all(sql, [
    names.length > 0 && sql`lower(projects.name) = any(${names.map(name => name.toLowerCase())})`,
    names.length === 0 && q && sql`lower(projects.name) like lower(${containing(q)})`,
    ...tagged.map(
      ({ key, value }) => sql`
        exists (
          select from project_tag_bindings
          where project_tag_bindings.project_id = projects.id and project_tag_bindings.key = ${key}
            ${value === undefined ? sql`` : sql`and project_tag_bindings.value = ${value}`}
        )`,
    ),
    query['filter[permissions][create-workspace]'] && projectGives(sql, actor, 'create-workspaces'),
    query['filter[permissions][update]'] && projectGives(sql, actor, 'update'),
  ]);
}

function order(sql: Sql, asked: Order<'name'> | undefined): Fragment {
  if (!asked) return sql`lower(projects.name), projects.id`;
  return asked.isReversed ? sql`projects.name desc, projects.id desc` : sql`projects.name, projects.id`;
}
