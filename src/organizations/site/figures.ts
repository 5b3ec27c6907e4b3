/** What the database says of the whole installation: one small statement for each figure, so that one that fails takes no other one with it. */
import type { Sql } from '../../core/store/store.ts';

export interface DatabaseFigure {
  name: string;
  meaning: string;
  /** What an operator is to be woken for. */
  alarm: string;
  labels?: readonly string[];
  /** Rows of `value` and the labels. One without a value is left out. */
  read: (sql: Sql) => Promise<readonly Record<string, string | number | null>[]>;
}

export const databaseFigures: readonly DatabaseFigure[] = [
  {
    name: 'locked_workspaces',
    meaning: 'Workspaces that somebody has locked',
    alarm: 'more than is usual: clients that die leave locks behind',
    read: sql => sql`select count(*)::integer as value from workspaces where workspaces.locked`,
  },
  {
    name: 'oldest_lock_seconds',
    meaning: 'How long the oldest lock has been held',
    alarm: 'longer than your longest apply, for locks that nobody means to keep',
    read: sql => sql`
      select extract(epoch from now() - min(workspaces.locked_at))::float8 as value
      from workspaces where workspaces.locked`,
  },
  {
    name: 'runs',
    meaning: 'Runs that are not finished, by status',
    alarm: '`pending` or `plan_queued` that grow while nothing plans',
    labels: ['status'],
    read: sql => sql`
      select runs.status, count(*)::integer as value from runs where runs.finished_at is null
      group by runs.status order by runs.status`,
  },
  {
    name: 'jobs',
    meaning: 'What agents are to execute or are executing, by status',
    alarm: 'see the next one',
    labels: ['status'],
    read: sql => sql`
      select jobs.status, count(*)::integer as value from jobs where jobs.status in ('queued', 'allocated', 'running')
      group by jobs.status order by jobs.status`,
  },
  {
    name: 'oldest_queued_job_seconds',
    meaning: 'How long the oldest job has waited for an agent',
    alarm: 'over 300: its pool has no agent that is alive, or too few',
    read: sql => sql`
      select extract(epoch from now() - min(jobs.created_at))::float8 as value from jobs where jobs.status = 'queued'`,
  },
  {
    name: 'agents',
    meaning: 'Agents that were heard of in the last minute',
    alarm: 'fewer than you run',
    read: sql => sql`
      select count(*)::integer as value from agents
      where agents.exited_at is null and agents.last_ping_at > now() - interval '1 minute'`,
  },
  {
    name: 'webhook_deliveries_waiting',
    meaning: 'Deliveries of hosts of repositories that were taken, and of which nothing has followed yet',
    alarm: 'growth over minutes: no server works them off, or each fails and is tried again; the log says which',
    read: sql => sql`
      select count(*)::integer as value from webhook_deliveries where webhook_deliveries.worked_off_at is null`,
  },
  {
    name: 'oldest_webhook_delivery_seconds',
    meaning: 'How long the oldest of them has waited',
    alarm: 'over 300: pushes begin nothing',
    read: sql => sql`
      select extract(epoch from now() - min(webhook_deliveries.received_at))::float8 as value
      from webhook_deliveries where webhook_deliveries.worked_off_at is null`,
  },
  {
    name: 'fetches_waiting',
    meaning:
      'Configurations that wait for an agent to fetch them from their repository; they are among the queued jobs',
    alarm: 'growth over minutes: the agents that are alive have no git, or are too few',
    read: sql => sql`
      select count(*)::integer as value from jobs where jobs.status = 'queued' and jobs.phase = 'ingress'`,
  },
  {
    name: 'blobs_estimated',
    meaning: 'Contents of states and configurations, as the statistics of PostgreSQL estimate',
    alarm: 'nothing; for trends',
    read: sql => sql`
      select greatest(pg_class.reltuples, 0)::float8 as value from pg_class where pg_class.oid = 'blobs'::regclass`,
  },
  {
    name: 'blobs_unkept',
    meaning: 'Contents that were written and belong to no record (yet); they go after 26 hours',
    alarm: 'growth over days: uploads break off',
    read: sql => sql`select count(*)::integer as value from blobs where not blobs.is_kept`,
  },
  {
    name: 'objects_unneeded',
    meaning: 'Objects in the store of `TERRANE_BLOBS` that nothing needs any more, until they are removed a day later',
    alarm: 'growth over days: the store does not let them be removed',
    read: sql => sql`select count(*)::integer as value from object_removals`,
  },
  {
    name: 'blob_storage_bytes',
    meaning: 'What the contents take on the disk of the database, compressed',
    alarm: 'with the free room of that disk',
    read: sql => sql`select pg_total_relation_size('blob_chunks')::float8 as value`,
  },
  {
    name: 'database_bytes',
    meaning: 'What the database takes on its disk',
    alarm: 'with the free room of that disk',
    read: sql => sql`select pg_database_size(current_database())::float8 as value`,
  },
  {
    name: 'database_connections',
    meaning: 'Connections to the database, of all programs',
    alarm: 'over 0.9 of the next one',
    read: sql => sql`
      select count(*)::integer as value from pg_stat_activity where pg_stat_activity.datname = current_database()`,
  },
  {
    name: 'database_connections_limit',
    meaning: 'How many the database takes',
    alarm: 'nothing',
    read: sql => sql`select current_setting('max_connections')::integer as value`,
  },
  {
    name: 'audit_lag_seconds',
    meaning:
      'How long the oldest transaction that writes has been open: what was changed since is in the audit, but who follows the changes is not told yet',
    alarm: 'over 30: somebody left a transaction open',
    read: sql => sql`
      select coalesce(extract(epoch from now() - min(pg_stat_activity.xact_start)), 0)::float8 as value
      from pg_stat_activity
      where pg_stat_activity.datname = current_database() and pg_stat_activity.backend_xid is not null`,
  },
  {
    name: 'retention_age_seconds',
    meaning: 'How long ago data retention last came to its end, on whichever server',
    alarm: 'over 10,800: it runs every hour',
    read: sql => sql`
      select extract(epoch from now() - leases.finished_at)::float8 as value
      from leases where leases.name = 'data-retention'`,
  },
  {
    name: 'replication_lag_bytes',
    meaning: 'How far each replica of PostgreSQL is behind; needs the right `pg_monitor`',
    alarm: 'growth over minutes, or a replica that is missing',
    labels: ['replica'],
    read: sql => sql`
      select pg_stat_replication.application_name as replica,
        max(pg_wal_lsn_diff(pg_current_wal_lsn(), pg_stat_replication.replay_lsn))::float8 as value
      from pg_stat_replication where not pg_is_in_recovery()
      group by pg_stat_replication.application_name order by pg_stat_replication.application_name limit 20`,
  },
];
