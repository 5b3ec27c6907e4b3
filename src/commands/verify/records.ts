/** What the rows of a database say of each other. */
import { readMigrations } from '../../core/store/migrate.ts';
import type { Sql } from '../../core/store/store.ts';
import { byStatement, type Check, finding } from './check.ts';

type Answer = Promise<{ looked: number; problems: string[] | null }[]>;

export const recordChecks: readonly Check[] = [
  {
    name: 'schema',
    means: 'every migration that was applied is one that this program has, and none is missing',
    look: async sql => {
      const found = finding();
      const applied = await sql<{ version: number; name: string; checksum: string }[]>`
        select schema_migrations.version, schema_migrations.name, schema_migrations.checksum from schema_migrations
        where schema_migrations.version > 0 order by schema_migrations.version`;
      const known = new Map(readMigrations().map(migration => [migration.version, migration]));
      found.looked = applied.length;
      for (const { version, name, checksum } of applied)
        if (known.get(version)?.checksum !== checksum)
          found.add(`The migration ${name} is not the one of this program.`);
      const versions = new Set(applied.map(({ version }) => version));
      for (const { version, name } of known.values())
        if (!versions.has(version)) found.add(`The migration ${name} is missing.`);
      return found;
    },
  },
  {
    name: 'references',
    means: 'every record that another one names is there',
    look: async sql => {
      const found = finding();
      for (const { name, text } of await referenceStatements(sql)) {
        const [row] = await sql.unsafe<{ count: number; first: string | null }[]>(text);
        found.looked += 1;
        if (row!.count > 0) found.add(`${row!.count} rows break ${name}, such as ${row!.first}.`);
      }
      return found;
    },
  },
  byStatement('counters', 'what lists count by are the numbers of records that there are', countersHold),
  byStatement('status counters', 'and so are the numbers of workspaces by the status of their run', statusCountersHold),
  byStatement('locks', 'whoever has a workspace is there', locksHold),
  byStatement('states', 'the current state of a workspace is its own, and the newest that is final', statesHold),
  byStatement('runs', 'what a workspace says of its current run is what the run says', runsHold),
  byStatement(
    'revisions',
    'no two versions of a workspace have one place in their order, and every record has a revision',
    revisionsHold,
  ),
  byStatement('audit', 'what the audit says last of a lock is what the workspace says', auditHolds),
];

/** For each foreign key, how many rows name one that is not there. Made by PostgreSQL from its catalog, names quoted. */
function referenceStatements(sql: Sql) {
  return sql<{ name: string; text: string }[]>`
    select pg_constraint.conname as name, format(
        'select count(*)::integer as count, min(referring::text) as first from %s as referring where %s and not exists (select 1 from %s as referred where %s)',
        pg_constraint.conrelid::regclass,
        string_agg(format('referring.%I is not null', own.attname), ' and '),
        pg_constraint.confrelid::regclass,
        string_agg(format('referred.%I = referring.%I', other.attname, own.attname), ' and ')
      ) as text
    from pg_constraint
    cross join lateral unnest(pg_constraint.conkey, pg_constraint.confkey) as pairs(own_number, other_number)
    join pg_attribute as own on own.attrelid = pg_constraint.conrelid and own.attnum = pairs.own_number
    join pg_attribute as other on other.attrelid = pg_constraint.confrelid and other.attnum = pairs.other_number
    where pg_constraint.contype = 'f' and pg_constraint.connamespace = current_schema()::regnamespace
    group by pg_constraint.oid, pg_constraint.conname, pg_constraint.conrelid, pg_constraint.confrelid
    order by pg_constraint.conname`;
}

function countersHold(sql: Sql): Answer {
  return sql`
    with kept as (
      select 'organization' as kind, workspace_counts.organization_id as id, sum(workspace_counts.workspaces) as number
      from workspace_counts group by 2
      union all
      select 'project', project_workspace_counts.project_id, sum(project_workspace_counts.workspaces)
      from project_workspace_counts group by 2
    ), there as (
      select 'organization' as kind, workspaces.organization_id as id, count(*) as number from workspaces group by 2
      union all
      select 'project', workspaces.project_id, count(*) from workspaces group by 2
    ), compared as (
      select kind, id, coalesce(kept.number, 0) as kept, coalesce(there.number, 0) as there
      from kept full join there using (kind, id)
    )
    select count(*)::integer as looked, array_agg(
      format('The %s %s counts %s workspaces and has %s.', compared.kind, compared.id, compared.kept, compared.there)
      order by compared.id
    ) filter (where compared.kept <> compared.there) as problems
    from compared`;
}

function statusCountersHold(sql: Sql): Answer {
  return sql`
    with kept as (
      select workspace_status_counts.organization_id, workspace_status_counts.status, sum(workspace_status_counts.workspaces) as number
      from workspace_status_counts group by 1, 2
    ), there as (
      select workspaces.organization_id, workspaces.current_run_status as status, count(*) as number
      from workspaces where workspaces.current_run_status is not null group by 1, 2
    ), compared as (
      select organization_id, status, coalesce(kept.number, 0) as kept, coalesce(there.number, 0) as there
      from kept full join there using (organization_id, status)
    )
    select count(*)::integer as looked, array_agg(
      format('The organization %s counts %s workspaces that are %s and has %s.', compared.organization_id, compared.kept,
        compared.status, compared.there)
      order by compared.organization_id, compared.status
    ) filter (where compared.kept <> compared.there) as problems
    from compared`;
}

function locksHold(sql: Sql): Answer {
  return sql`
    select count(*)::integer as looked, array_agg(
      format('The workspace %s is locked by %s of %s, which is not there.', workspaces.id, workspaces.locked_by_id, workspaces.locked_by_type)
      order by workspaces.id
    ) filter (where case workspaces.locked_by_type
        when 'users' then not exists (select 1 from users where users.id = workspaces.locked_by_id)
        when 'runs' then not exists (select 1 from runs where runs.id = workspaces.locked_by_id and runs.workspace_id = workspaces.id)
        when 'teams' then not exists (select 1 from teams where teams.id = workspaces.locked_by_id)
        else true
      end) as problems
    from workspaces where workspaces.locked`;
}

function statesHold(sql: Sql): Answer {
  return sql`
    select count(*)::integer as looked, array_agg(
      format('The workspace %s has the current state %s, which is not its own, or has a newer one.', workspaces.id,
        workspaces.current_state_version_id)
      order by workspaces.id
    ) filter (where own.id is null or exists (
        select 1 from state_versions as newer
        where newer.workspace_id = workspaces.id and newer.status = 'finalized' and not newer.intermediate
          and newer.position > own.position
      )) as problems
    from workspaces
    left join state_versions as own
      on own.id = workspaces.current_state_version_id and own.workspace_id = workspaces.id
    where workspaces.current_state_version_id is not null`;
}

function runsHold(sql: Sql): Answer {
  return sql`
    select count(*)::integer as looked, array_agg(
      format('The workspace %s says that its run %s is %s; the run says %s.', workspaces.id, workspaces.current_run_id,
        workspaces.current_run_status, coalesce(runs.status, 'nothing: it is not there'))
      order by workspaces.id
    ) filter (where runs.status is distinct from workspaces.current_run_status) as problems
    from workspaces
    left join runs on runs.id = workspaces.current_run_id and runs.workspace_id = workspaces.id
    where workspaces.current_run_id is not null`;
}

function revisionsHold(sql: Sql): Answer {
  return sql`
    with places as (
      select state_versions.workspace_id, state_versions.position, count(*) as number from state_versions group by 1, 2
    ), problems as (
      select format('The workspace %s has %s states at place %s.', places.workspace_id, places.number, places.position) as problem
      from places where places.number > 1
      union all
      select format('The workspace %s has no revision.', workspaces.id) from workspaces where workspaces.revision is null
    )
    select (select count(*)::integer from workspaces) as looked, (select array_agg(problems.problem) from problems) as problems`;
}

/** Those of one moment count together: the clock of the audit has milliseconds. Who has no event was made by no request. */
function auditHolds(sql: Sql): Answer {
  return sql`
    with events as (
      select audit_events.resource_id, audit_events.action = 'workspaces.lock' as is_lock,
        audit_events.occurred_at = max(audit_events.occurred_at) over (partition by audit_events.resource_id) as is_last
      from audit_events
      where audit_events.action in (
        'workspaces.lock', 'workspaces.unlock', 'workspaces.force-unlock', 'workspaces.end-lock-lease'
      )
    ), last as (
      select events.resource_id, bool_or(events.is_lock) as says_locked, bool_or(not events.is_lock) as says_unlocked
      from events where events.is_last group by events.resource_id
    )
    select count(*)::integer as looked, array_agg(
      format('The audit says last that the workspace %s was %s, and it is not so.', workspaces.id,
        case when last.says_locked then 'locked' else 'unlocked' end)
      order by workspaces.id
    ) filter (where case when workspaces.locked and workspaces.locked_by_type = 'users' then not last.says_locked
        when not workspaces.locked then not last.says_unlocked
        else false end) as problems
    from workspaces join last on last.resource_id = workspaces.id`;
}
