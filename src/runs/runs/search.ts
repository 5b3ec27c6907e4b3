/** The searches and filters of the lists of runs, each a condition of its own, joined by AND. */
import { ApiError } from '../../core/errors.ts';
import { type RawQuery, single } from '../../core/jsonapi/page.ts';
import { commaSeparated, containing, literal } from '../../core/jsonapi/search.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { statusesThat } from '../queue/statuses.ts';

export const listQuery = {
  'filter[status]': 'Runs with one of these statuses, comma separated',
  'filter[source]': 'Runs from one of these sources, comma separated',
  'filter[operation]':
    'plan_only, plan_and_apply, save_plan, refresh_only, destroy or empty_apply: any of these, comma separated',
  'filter[status_group]': 'non_final, final or discardable',
  'search[user]': 'Runs that somebody of this username created or whose commit they sent',
  'search[commit]': 'Runs whose commit begins with this',
  'search[basic]': 'Runs with this id, or with this in their message, commit or username',
};

export const organizationListQuery = {
  ...listQuery,
  'filter[timeframe]': 'year for the last 365 days, or a calendar year such as 2026',
  'filter[agent_pool_names]': 'Runs that agents of one of these pools execute, comma separated',
  'filter[workspace_names]': 'Runs of these workspaces, comma separated',
};

/** The conditions on `runs` (with its `workspaces`), each beginning with `and`. */
export function matching(sql: Sql, query: RawQuery): Fragment {
  const statuses = commaSeparated(single(query, 'filter[status]'));
  const sources = commaSeparated(single(query, 'filter[source]'));
  const operations = commaSeparated(single(query, 'filter[operation]'));
  const group = single(query, 'filter[status_group]');
  const user = single(query, 'search[user]');
  const commit = single(query, 'search[commit]');
  const basic = single(query, 'search[basic]');
  return joined(sql, [
    ...(statuses.length > 0 ? [sql`runs.status = any(${statuses})`] : []),
    ...(sources.length > 0 ? [sql`runs.source = any(${sources})`] : []),
    ...(operations.length > 0
      ? [
          anyOf(
            sql,
            operations.map(name => operationIs(sql, name)),
          ),
        ]
      : []),
    ...(group ? [inGroup(sql, group)] : []),
    ...(user ? [isOfUser(sql, user)] : []),
    ...(commit ? [isOfCommit(sql, commit)] : []),
    ...(basic
      ? [
          anyOf(sql, [
            sql`runs.id = ${basic}`,
            sql`runs.message ilike ${containing(basic)}`,
            isOfUser(sql, basic),
            isOfCommit(sql, basic),
          ]),
        ]
      : []),
  ]);
}

/** As `matching`, with the filters that only the list of an organization has. */
export function matchingInOrganization(sql: Sql, query: RawQuery): Fragment {
  const timeframe = single(query, 'filter[timeframe]');
  const pools = commaSeparated(single(query, 'filter[agent_pool_names]'));
  const names = commaSeparated(single(query, 'filter[workspace_names]'));
  return joined(sql, [
    ...(timeframe ? [isWithin(sql, timeframe)] : []),
    ...(names.length > 0 ? [sql`workspaces.name = any(${names})`] : []),
    ...(pools.length > 0
      ? [
          sql`runs.agent_pool_id in (
            select agent_pools.id from agent_pools
            where agent_pools.organization_id = runs.organization_id and agent_pools.name = any(${pools})
          )`,
        ]
      : []),
  ]);
}

function joined(sql: Sql, conditions: readonly Fragment[]): Fragment {
  return conditions.reduce((all, condition) => sql`${all} and ${condition}`, sql``);
}

function anyOf(sql: Sql, conditions: readonly Fragment[]): Fragment {
  return sql`(${conditions.reduce((all, condition) => sql`${all} or ${condition}`)})`;
}

function operationIs(sql: Sql, name: string): Fragment {
  switch (name) {
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
    default:
      throw malformed('filter[operation]', listQuery['filter[operation]']);
  }
}

function inGroup(sql: Sql, group: string): Fragment {
  switch (group) {
    case 'non_final':
      return sql`runs.finished_at is null`;
    case 'final':
      return sql`runs.finished_at is not null`;
    case 'discardable':
      return sql`runs.status = any(${statusesThat('discardable')})`;
    default:
      throw malformed('filter[status_group]', listQuery['filter[status_group]']);
  }
}

function isWithin(sql: Sql, timeframe: string): Fragment {
  if (timeframe === 'year') return sql`runs.created_at > now() - interval '365 days'`;
  if (!/^[12]\d{3}$/.test(timeframe)) {
    throw malformed('filter[timeframe]', organizationListQuery['filter[timeframe]']);
  }
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

function malformed(parameter: string, expected: string): ApiError {
  return new ApiError('invalid-parameter', { reason: `${parameter} takes: ${expected}.` }, { parameter });
}
