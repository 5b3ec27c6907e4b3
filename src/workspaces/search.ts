/** §4.3: the searches and filters of the list, each a condition of its own, joined by AND. */
import { type RawQuery, single } from '../jsonapi/page.ts';
import { commaSeparated, containing, literal } from '../jsonapi/search.ts';
import type { Fragment, Sql } from '../store/store.ts';
import { directInEffect, inheritedInEffect } from '../tags/effective-tag-binding.ts';
import { readTagFilters, type TagFilter } from '../tags/tag-filters.ts';

const filterNames = [
  'search[name]',
  'search[tags]',
  'search[exclude-tags]',
  'search[wildcard-name]',
  'filter[project][id]',
  'filter[current-run][status]',
];

export function isFiltered(query: RawQuery): boolean {
  return filterNames.some(name => single(query, name)) || readTagFilters(query).length > 0;
}

/** The conditions on `workspaces`, each beginning with `and`. */
export function matching(sql: Sql, organizationId: string, query: RawQuery): Fragment {
  const name = single(query, 'search[name]');
  const wildcard = single(query, 'search[wildcard-name]');
  const project = single(query, 'filter[project][id]');
  const statuses = commaSeparated(single(query, 'filter[current-run][status]'));
  const conditions = [
    ...(name ? [sql`workspaces.name ilike ${containing(name)}`] : []),
    ...(wildcard ? [sql`workspaces.name ilike ${wildcardPattern(wildcard)}`] : []),
    ...commaSeparated(single(query, 'search[tags]')).map(
      tag => sql`workspaces.id in (${withTag(sql, organizationId, tag)})`,
    ),
    ...commaSeparated(single(query, 'search[exclude-tags]')).map(
      tag => sql`workspaces.id not in (${withTag(sql, organizationId, tag)})`,
    ),
    ...(project ? [sql`workspaces.project_id = ${project}`] : []),
    ...(statuses.length > 0 ? [sql`workspaces.current_run_status = any(${statuses})`] : []),
    ...readTagFilters(query).map(filter => sql`workspaces.id in (${withBinding(sql, organizationId, filter)})`),
  ];
  return conditions.reduce((all, condition) => sql`${all} and ${condition}`, sql``);
}

/** `*` as prefix, suffix or both; elsewhere, and everything that `like` would read as a wildcard, is literal. */
function wildcardPattern(wildcard: string): string {
  const [, before, middle, after] = /^(\*?)(.*?)(\*?)$/s.exec(wildcard)!;
  return `${before ? '%' : ''}${literal(middle!)}${after ? '%' : ''}`;
}

/** A tag is a flat tag's name or the key of an effective tag binding: clients rely on both giving the same set. */
function withTag(sql: Sql, organizationId: string, tag: string): Fragment {
  return sql`
    select workspace_tags.workspace_id from tags
    join workspace_tags on workspace_tags.tag_id = tags.id
    where tags.organization_id = ${organizationId} and tags.name = ${tag.toLowerCase()}
    union all ${withBinding(sql, organizationId, { key: tag, value: undefined })}`;
}

/**
 * Direct bindings, and those of the project that no direct binding of the same key overrides (§2.3). Which of two holds
 * matters only where a value is asked for: the workspace has the key either way.
 */
function withBinding(sql: Sql, organizationId: string, { key, value }: TagFilter): Fragment {
  const isAnyValue = value === undefined;
  return sql`
    select bindings.workspace_id from workspace_tag_bindings as bindings
    where bindings.organization_id = ${organizationId} and bindings.key = ${key}
      ${isAnyValue ? sql`` : sql`and bindings.value = ${value} and ${directInEffect(sql)}`}
    union all
    select inheriting.id from project_tag_bindings as bindings
    join workspaces as inheriting on inheriting.project_id = bindings.project_id
    where bindings.organization_id = ${organizationId} and bindings.key = ${key}
      ${isAnyValue ? sql`` : sql`and bindings.value = ${value} and ${inheritedInEffect(sql)}`}`;
}
