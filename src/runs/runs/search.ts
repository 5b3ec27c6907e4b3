/** The searches and filters of the lists of runs, each a condition of its own, joined by AND. */

import { list, pattern, type QueryOf, term, word, words } from '../../core/jsonapi/query.ts';
import { containing, literal } from '../../core/jsonapi/search.ts';
import { limits } from '../../core/limits.ts';
import { all, any } from '../../core/store/conditions.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { runStatuses, statusesThat } from '../queue/statuses.ts';

const operations = ['plan_only', 'plan_and_apply', 'save_plan', 'refresh_only', 'destroy', 'empty_apply'] as const;

const timeframe = pattern('year for the last 365 days, or a calendar year such as 2026', /^(year|[12]\d{3})$/);

export const listQuery = {
  'filter[status]': list('Runs with one of these statuses', runStatuses.length),
  'filter[source]': list('Runs from one of these sources'),
  'filter[operation]': words('Runs of any of these kinds', ...operations),
  'filter[status_group]': word('Runs in one of these groups', 'non_final', 'final', 'discardable'),
  'search[user]': term('Runs that somebody of this username created or whose commit they sent'),
  'search[commit]': term('Runs whose commit begins with this'),
  'search[basic]': term('Runs with this id, or with this in their message, commit or username'),
  'filter[configuration_version][id]': list('Runs of one of these configuration versions'),
};

export const queueQuery = {
  'filter[agent_pool_names]': list('Runs that agents of one of these pools execute', limits.queryNames_items.value),
};

export const organizationListQuery = {
  ...listQuery,
  ...queueQuery,
  'filter[timeframe]': timeframe,
  'filter[workspace_names]': list('Runs of these workspaces', limits.queryNames_items.value),
};

type Search = QueryOf<typeof listQuery>;

/** The condition on `runs` with its `workspaces`. */
export function matching(sql: Sql, query: Search): Fragment {
  const {
    'filter[status]': statuses,
    'filter[source]': sources,
    'filter[operation]': kinds,
    'filter[status_group]': group,
    'search[user]': user,
    'search[commit]': commit,
    'search[basic]': basic,
    'filter[configuration_version][id]': versions,
  } = query;
  return all(sql, [
    statuses.length > 0 && sql`runs.status = any(${statuses as string[]})`,
    sources.length > 0 && sql`runs.source = any(${sources as string[]})`,
    kinds.length > 0 &&
      any(
        sql,
        kinds.map(kind => operationIs(sql, kind)),
      ),
    group && inGroup(sql, group),
    user && isOfUser(sql, user),
    commit && isOfCommit(sql, commit),
    basic &&
      any(sql, [
        sql`runs.id = ${basic}`,
        sql`runs.message ilike ${containing(basic)}`,
        isOfUser(sql, basic),
        isOfCommit(sql, basic),
      ]),
    versions.length > 0 && sql`runs.configuration_version_id = any(${versions as string[]})`,
  ]);
}

/** As `matching`, with the filters that only the list of an organization has. */
export function matchingInOrganization(sql: Sql, query: QueryOf<typeof organizationListQuery>): Fragment {
  const { 'filter[timeframe]': within, 'filter[workspace_names]': names } = query;
  return all(sql, [
    matching(sql, query),
    within && isWithin(sql, within),
    names.length > 0 && sql`workspaces.name = any(${names as string[]})`,
    isOfPools(sql, query),
  ]);
}

/** Of all pools where none is named. */
export function isOfPools(sql: Sql, { 'filter[agent_pool_names]': pools }: QueryOf<typeof queueQuery>): Fragment {
  if (pools.length === 0) return sql`true`;
  return sql`runs.agent_pool_id in (
    select agent_pools.id from agent_pools
    where agent_pools.organization_id = runs.organization_id and agent_pools.name = any(${pools as string[]})
  )`;
}

function operationIs(sql: Sql, kind: (typeof operations)[number]): Fragment {
  switch (kind) {
    case 'plan_only':
      return sql`runs.plan_only`;
    case 'plan_and_apply':
      return sql`(not runs.plan_only and not runs.save_plan and not runs.refresh_only and not runs.is_destroy)`;
    case 'save_plan':
      return sql`runs.save_plan`;
    case 'refresh_only':
      return sql`runs.refresh_only`;
    case 'destroy':
      return sql`runs.is_destroy`;
    case 'empty_apply':
      return sql`runs.allow_empty_apply`;
  }
}

function inGroup(sql: Sql, group: 'non_final' | 'final' | 'discardable'): Fragment {
  switch (group) {
    case 'non_final':
      return sql`runs.finished_at is null`;
    case 'final':
      return sql`runs.finished_at is not null`;
    case 'discardable':
      return sql`runs.status = any(${statusesThat('discardable')})`;
  }
}

function isWithin(sql: Sql, timeframe: string): Fragment {
  if (timeframe === 'year') return sql`runs.created_at > now() - interval '365 days'`;
  const [from, to] = [Number(timeframe), Number(timeframe) + 1].map(year => `${year}-01-01T00:00:00Z`);
  return sql`runs.created_at >= ${from!}::timestamptz and runs.created_at < ${to!}::timestamptz`;
}

function isOfUser(sql: Sql, username: string): Fragment {
  return sql`(
    runs.created_by_id in (select users.id from users where lower(users.username) = lower(${username}))
    or ${ingress(sql, sql`lower(configuration_versions.ingress_attributes ->> 'sender-username') = lower(${username})`)}
  )`;
}

function isOfCommit(sql: Sql, commit: string): Fragment {
  return ingress(
    sql,
    sql`configuration_versions.ingress_attributes ->> 'commit-sha' like ${`${literal(commit.toLowerCase())}%`}`,
  );
}

function ingress(sql: Sql, condition: Fragment): Fragment {
  return sql`exists (
    select from configuration_versions
    where configuration_versions.id = runs.configuration_version_id
      and configuration_versions.ingress_attributes is not null and ${condition}
  )`;
}
