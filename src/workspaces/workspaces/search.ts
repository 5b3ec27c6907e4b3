/** §4.3: the searches and filters of the list, each a condition of its own, joined by AND. */
import { list, type QueryOf, term, word, words } from '../../core/jsonapi/query.ts';
import { containing, literal } from '../../core/jsonapi/search.ts';
import { limits } from '../../core/limits.ts';
import { all } from '../../core/store/conditions.ts';
import { joined } from '../../core/store/sql.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { projectExecutionMode } from '../projects/execution-mode.ts';
import { directInEffect, inheritedInEffect } from '../tags/effective-tag-binding.ts';
import { type TagFilter, tagFilters } from '../tags/tagged-parameter.ts';

export const parameters = {
  'search[name]': term('Workspaces whose name contains this, whatever its case'),
  'search[tags]': list('Workspaces that have all these tags'),
  'search[exclude-tags]': list('Workspaces that have none of these tags'),
  'search[wildcard-name]': term('A name with * as prefix, suffix or both'),
  'filter[project][id]': term('Workspaces of this project'),
  'filter[current-run][status]': list(
    'Workspaces whose current run has one of these statuses',
    limits.queryNames_items.value,
  ),
  'filter[locked]': word('true: workspaces that are locked; false: those that are open', 'true', 'false'),
  'filter[locked-by][id]': term('Workspaces that this user, team or run has locked'),
  'filter[execution-mode]': words(
    'Workspaces in one of these modes, of their own or inherited',
    'remote',
    'local',
    'agent',
  ),
  'filter[tagged]': tagFilters,
};

export type Search = QueryOf<typeof parameters>;

export function isFiltered(query: Search): boolean {
  return Object.keys(parameters).some(name => {
    const value = query[name as keyof Search];
    return value !== undefined && value.length > 0;
  });
}

/** Whether tags match by a workspace's own bindings alone, or also by those that it inherits from its project (§2.3). */
export type Inheritance = 'direct' | 'effective';

/** The condition on `workspaces`. */
export function matching(sql: Sql, organizationId: string, query: Search, inheritance: Inheritance): Fragment {
  const {
    'search[name]': name,
    'search[wildcard-name]': wildcard,
    'filter[project][id]': project,
    'filter[current-run][status]': runStatuses,
    'filter[locked]': locked,
    'filter[locked-by][id]': holder,
    'filter[execution-mode]': modes,
  } = query;
  const wanted = query['search[tags]'];
  const excluded = query['search[exclude-tags]'];
  const bound = (filter: TagFilter) => withBinding(sql, organizationId, filter, inheritance);
  return all(sql, [
    name && isNamedLike(sql, containing(name)),
    wildcard && isNamedLike(sql, wildcardPattern(wildcard)),
    wanted.length > 0 && sql`workspaces.id in (${withTags(sql, organizationId, wanted, inheritance)})`,
    excluded.length > 0 && withoutTags(sql, organizationId, excluded),
    project && sql`workspaces.project_id = ${project}`,
    runStatuses.length > 0 && sql`workspaces.current_run_status = any(${runStatuses as string[]})`,
    locked === 'true' && sql`workspaces.locked`,
    locked === 'false' && sql`not workspaces.locked`,
    holder && sql`workspaces.locked and workspaces.locked_by_id = ${holder}`,
    modes.length > 0 && inMode(sql, organizationId, modes),
    ...query['filter[tagged]'].map(filter => sql`workspaces.id in (${bound(filter)})`),
  ]);
}

/** Whatever the case. As the index is written, which would not be used for `ilike`. */
const isNamedLike = (sql: Sql, pattern: string): Fragment => sql`lower(workspaces.name) like lower(${pattern})`;

/** What a workspace inherits is looked up once for its project, not once for each of them. */
function inMode(sql: Sql, organizationId: string, modes: readonly string[]): Fragment {
  return sql`
    case when workspaces.overwrites_execution_mode then workspaces.execution_mode = any(${modes as string[]})
    else workspaces.project_id in (
      select projects.id from projects
      join organizations on organizations.id = projects.organization_id
      where projects.organization_id = ${organizationId} and ${projectExecutionMode(sql)} = any(${modes as string[]})
    ) end`;
}

/** The keys by which a workspace could match through its project. */
export function inheritableKeys(query: Search): string[] {
  return [...query['search[tags]'], ...query['filter[tagged]'].map(({ key }) => key)];
}

/** `*` as prefix, suffix or both; elsewhere, and everything that `like` would read as a wildcard, is literal. */
function wildcardPattern(wildcard: string): string {
  const [, before, middle, after] = /^(\*?)(.*?)(\*?)$/s.exec(wildcard)!;
  return `${before ? '%' : ''}${literal(middle!)}${after ? '%' : ''}`;
}

/**
 * A tag is a flat tag's name or the key of a tag binding: clients rely on both giving the same set. Each tag as a condition of its
 * own would be planned as a join of its own: twelve of them took ten times as long.
 */
function withTags(sql: Sql, organizationId: string, tags: readonly string[], inheritance: Inheritance): Fragment {
  const tagged = tags.map(
    tag => sql`(
      select workspace_tags.workspace_id from tags join workspace_tags on workspace_tags.tag_id = tags.id
      where tags.organization_id = ${organizationId} and tags.name = ${tag.toLowerCase()}
      union
      ${withBinding(sql, organizationId, { key: tag, value: undefined }, inheritance)}
    )`,
  );
  return joined(tagged, ' intersect ');
}

/**
 * None of them, neither its own nor its project's. Each kind is a condition by itself, so that PostgreSQL can look one
 * workspace up in an index where few are left by the others: of their union it would read all for each of those.
 */
function withoutTags(sql: Sql, organizationId: string, tags: readonly string[]): Fragment {
  const names = tags.map(tag => tag.toLowerCase());
  return sql`
    not exists (
      select from workspace_tags
      where workspace_tags.workspace_id = workspaces.id and workspace_tags.tag_id = any(array(
        select tags.id from tags where tags.organization_id = ${organizationId} and tags.name = any(${names})
      ))
    )
    and not exists (
      select from workspace_tag_bindings as bindings
      where bindings.workspace_id = workspaces.id and bindings.key = any(${tags as string[]})
    )
    and workspaces.project_id not in (
      select bindings.project_id from project_tag_bindings as bindings
      where bindings.organization_id = ${organizationId} and bindings.key = any(${tags as string[]})
    )`;
}

/**
 * Direct bindings, and those of the project that no direct binding of the same key overrides (§2.3). Which of two holds
 * matters only where a value is asked for: the workspace has the key either way. Of `union all` PostgreSQL would expect 200
 * workspaces, however many there are, and look up one by one what it could read in a row.
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
    union
    select inheriting.id from project_tag_bindings as bindings
    join workspaces as inheriting on inheriting.project_id = bindings.project_id
    where bindings.organization_id = ${organizationId} and bindings.key = ${key} ${hasValue}
      ${isAnyValue ? sql`` : sql`and ${inheritedInEffect(sql)}`}`;
}
