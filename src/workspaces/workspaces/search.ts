/** §4.3: the searches and filters of the list, each a condition of its own, joined by AND. */
import { type RawQuery, single } from '../../core/jsonapi/page.ts';
import { commaSeparated, containing, literal } from '../../core/jsonapi/search.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
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

/** Whether tags match by a workspace's own bindings alone, or also by those that it inherits from its project (§2.3). */
export type Inheritance = 'direct' | 'effective';

/** The conditions on `workspaces`, each beginning with `and`. */
export function matching(sql: Sql, organizationId: string, query: RawQuery, inheritance: Inheritance): Fragment {
  const name = single(query, 'search[name]');
  const wildcard = single(query, 'search[wildcard-name]');
  const project = single(query, 'filter[project][id]');
  const statuses = commaSeparated(single(query, 'filter[current-run][status]'));
  const tagged = (tag: string) => withTag(sql, organizationId, tag, inheritance);
  const bound = (filter: TagFilter) => withBinding(sql, organizationId, filter, inheritance);
  const conditions = [
    ...(name ? [sql`workspaces.name ilike ${containing(name)}`] : []),
    ...(wildcard ? [sql`workspaces.name ilike ${wildcardPattern(wildcard)}`] : []),
    ...commaSeparated(single(query, 'search[tags]')).map(tag => sql`workspaces.id in (${tagged(tag)})`),
    ...commaSeparated(single(query, 'search[exclude-tags]')).map(
      tag => sql`not exists (select from (${tagged(tag)}) as excluded where excluded.workspace_id = workspaces.id)`,
    ),
    ...(project ? [sql`workspaces.project_id = ${project}`] : []),
    ...(statuses.length > 0 ? [sql`workspaces.current_run_status = any(${statuses})`] : []),
    ...readTagFilters(query).map(filter => sql`workspaces.id in (${bound(filter)})`),
  ];
  return conditions.reduce((all, condition) => sql`${all} and ${condition}`, sql``);
}

/** The keys by which a workspace could match through its project. */
export function inheritableKeys(query: RawQuery): string[] {
  return [
    ...commaSeparated(single(query, 'search[tags]')),
    ...commaSeparated(single(query, 'search[exclude-tags]')),
    ...readTagFilters(query).map(({ key }) => key),
  ];
}

/** `*` as prefix, suffix or both; elsewhere, and everything that `like` would read as a wildcard, is literal. */
function wildcardPattern(wildcard: string): string {
  const [, before, middle, after] = /^(\*?)(.*?)(\*?)$/s.exec(wildcard)!;
  return `${before ? '%' : ''}${literal(middle!)}${after ? '%' : ''}`;
}

/** A tag is a flat tag's name or the key of a tag binding: clients rely on both giving the same set. */
function withTag(sql: Sql, organizationId: string, tag: string, inheritance: Inheritance): Fragment {
  return sql`
    select workspace_tags.workspace_id from tags
    join workspace_tags on workspace_tags.tag_id = tags.id
    where tags.organization_id = ${organizationId} and tags.name = ${tag.toLowerCase()}
    union all ${withBinding(sql, organizationId, { key: tag, value: undefined }, inheritance)}`;
}

/**
 * Direct bindings, and those of the project that no direct binding of the same key overrides (§2.3). Which of two holds
 * matters only where a value is asked for: the workspace has the key either way.
 */
function withBinding(sql: Sql, organizationId: string, { key, value }: TagFilter, inheritance: Inheritance): Fragment {
  const isAnyValue = value === undefined;
  const hasValue = isAnyValue ? sql`` : sql`and bindings.value = ${value}`;
  const direct = sql`
    select bindings.workspace_id from workspace_tag_bindings as bindings
    where bindings.organization_id = ${organizationId} and bindings.key = ${key} ${hasValue}`;
  if (inheritance === 'direct') return direct;
  return sql`
    ${direct} ${isAnyValue ? sql`` : sql`and ${directInEffect(sql)}`}
    union all
    select inheriting.id from project_tag_bindings as bindings
    join workspaces as inheriting on inheriting.project_id = bindings.project_id
    where bindings.organization_id = ${organizationId} and bindings.key = ${key} ${hasValue}
      ${isAnyValue ? sql`` : sql`and ${inheritedInEffect(sql)}`}`;
}
