/** List the projects of an organization: searched, filtered, sorted, paginated; only what the caller may read counts. */

import { policy } from '../../access/policy.ts';
import { projectGives, projectIsReadable } from '../../access/projects.ts';
import type { Actor } from '../../core/access/actor.ts';
import { ApiError } from '../../core/errors.ts';
import { type Collection, endpoint } from '../../core/jsonapi/endpoint.ts';
import { type Page, type RawQuery, single } from '../../core/jsonapi/page.ts';
import { commaSeparated, containing } from '../../core/jsonapi/search.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { readTagFilters } from '../tags/tag-filters.ts';
import { projects, readProjects } from './project.ts';

export const listProjects = endpoint({
  operation: 'projects.list',
  section: '§1',
  summary: 'List the projects of an organization',
  method: 'GET',
  paths: ['/organizations/:organization_name/projects'],
  subject: organizationByName,
  needs: policy['organization:list-projects'],
  query: {
    q: 'Projects whose name contains this, whatever its case',
    'filter[names]': 'Projects with any of these names, comma separated, whatever their case; q is then ignored',
    'filter[tagged][i][key]': 'Projects with a binding of this key; several are joined by AND',
    'filter[tagged][i][value]': 'The value that goes with the key of the same index; empty matches any',
    'filter[permissions][create-workspace]': 'true: projects in which the caller may create workspaces',
    'filter[permissions][update]': 'true: projects that the caller may update',
    sort: 'name or -name; newest first otherwise',
  },
  include: ['organization', 'default_agent_pool', 'effective_tag_bindings'],
  answer: { status: 200, collection: projects, pages: 'always' },
  handle: ({ store, actor, subject, query, page }) =>
    projectPage(store.search, actor, subject.organization_id, query, page),
});

async function projectPage(
  sql: Sql,
  actor: Actor,
  organizationId: string,
  query: RawQuery,
  page: Page,
): Promise<Collection> {
  const inOrganization = sql`projects.organization_id = ${organizationId}`;
  const asked = matching(sql, actor, query);
  const [counts, rows] = await Promise.all([
    sql<{ total: number; matching: number }[]>`
      select count(*) as total, count(*) filter (where ${asked}) as matching
      from projects where ${inOrganization} and ${projectIsReadable(sql, actor)}`,
    readProjects(
      sql,
      actor,
      sql`${inOrganization} and ${asked}`,
      sql`order by ${order(sql, query)} limit ${page.size} offset ${page.offset}`,
    ),
  ]);
  const { total, matching: found } = counts[0]!;
  return { rows, total: found, meta: { 'status-counts': { total, matching: found } } };
}

function matching(sql: Sql, actor: Actor, query: RawQuery): Fragment {
  const search = single(query, 'q');
  const names = commaSeparated(single(query, 'filter[names]')).map(name => name.toLowerCase());
  const conditions = [
    ...(names.length > 0 ? [sql`lower(projects.name) = any(${names})`] : []),
    ...(search && names.length === 0 ? [sql`lower(projects.name) like lower(${containing(search)})`] : []),
    ...readTagFilters(query).map(
      ({ key, value }) => sql`
        exists (
          select from project_tag_bindings
          where project_tag_bindings.project_id = projects.id and project_tag_bindings.key = ${key}
            ${value === undefined ? sql`` : sql`and project_tag_bindings.value = ${value}`}
        )`,
    ),
    ...(isAsked(query, 'create-workspace') ? [projectGives(sql, actor, 'create-workspaces')] : []),
    ...(isAsked(query, 'update') ? [projectGives(sql, actor, 'update')] : []),
  ];
  return conditions.reduce((all, condition) => sql`${all} and ${condition}`, sql`true`);
}

function isAsked(query: RawQuery, permission: string): boolean {
  const parameter = `filter[permissions][${permission}]`;
  const value = single(query, parameter) ?? '';
  if (value === 'true') return true;
  if (value === '' || value === 'false') return false;
  throw new ApiError('invalid-parameter', { reason: `${parameter} must be true or false.` }, { parameter });
}

function order(sql: Sql, query: RawQuery): Fragment {
  switch (single(query, 'sort') ?? '') {
    case '':
      return sql`projects.created_at desc, projects.id`;
    case 'name':
      return sql`projects.name, projects.id`;
    case '-name':
      return sql`projects.name desc, projects.id desc`;
    default:
      throw new ApiError('invalid-parameter', { reason: 'sort must be name or -name.' }, { parameter: 'sort' });
  }
}
