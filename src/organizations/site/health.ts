/** §1 How the installation is, at one look: for site administrators, 404 for everybody else. */
import { statfs } from 'node:fs/promises';
import { Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import type { Config } from '../../core/config.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import {
  boolean,
  column,
  computed,
  integer,
  nullable,
  type Row,
  text,
  texts,
  word,
} from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { knownVersion, schemaVersion } from '../../core/store/migrate.ts';
import type { Sql, Store } from '../../core/store/store.ts';
import { attentionTo } from './attention.ts';
import { knownServers } from './servers.ts';
import { site } from './site.ts';

const number = Type.Number();
const closed = { additionalProperties: false };

const lane = Type.Object(
  {
    name: text,
    connections: integer,
    'connections-limit': integer,
    'under-way': integer,
    waiting: integer,
    refusals: integer,
  },
  closed,
);
const replica = Type.Object(
  { name: text, state: nullable(text), 'lag-bytes': nullable(number), 'lag-seconds': nullable(number) },
  closed,
);
const job = Type.Object(
  { name: text, 'holder-id': nullable(text), 'expires-at': nullable(text), 'finished-at': nullable(text) },
  closed,
);
const server = Type.Object(
  {
    id: text,
    host: text,
    'process-id': integer,
    version: text,
    'node-version': text,
    'schema-version': integer,
    'started-at': text,
    'seen-at': text,
    'is-answering': boolean,
  },
  closed,
);

export const healthReports = resource({
  type: 'health-reports',
  attributes: {
    status: computed(word('ok', 'attention'), ({ attention }: Row & { attention: string[] }) =>
      attention.length === 0 ? 'ok' : 'attention',
    ),
    /** What an operator should look at, in sentences that say what to do. */
    attention: column(texts),
    schema: column(Type.Object({ version: integer, known: integer }, closed)),
    database: column(
      Type.Object(
        {
          version: text,
          'is-embedded': boolean,
          'size-bytes': number,
          connections: integer,
          'connections-limit': integer,
          'oldest-write-seconds': number,
        },
        closed,
      ),
    ),
    /** Of the server that answers. */
    lanes: column(Type.Array(lane)),
    replicas: column(Type.Array(replica)),
    /** Work that one of the servers does for all of them, and who has it. */
    jobs: column(Type.Array(job)),
    /** Where the server that answers keeps its data. */
    disk: column(Type.Object({ 'free-bytes': nullable(number), 'total-bytes': nullable(number) }, closed)),
    servers: column(Type.Array(server)),
    agents: column(
      Type.Object(
        { answering: integer, 'jobs-queued': integer, 'jobs-under-way': integer, 'oldest-queued-seconds': number },
        closed,
      ),
    ),
  },
  relationships: {},
  links: () => ({ self: '/api/v2/admin/health' }),
});

export const showHealth = endpoint({
  operation: 'health-reports.show',
  section: '§1',
  summary: 'Show how the installation is: database, lanes, replicas, jobs, disk, servers and agents',
  method: 'GET',
  paths: ['/admin/health'],
  subject: site,
  needs: policy['site:administer'],
  answer: { status: 200, document: healthReports },
  handle: async ({ store, config }) => {
    const sql = store.watch;
    const [version, database, replicas, jobs, servers, agents, disk] = await Promise.all([
      schemaVersion(sql),
      readDatabase(sql),
      readReplicas(sql),
      readJobs(sql),
      knownServers(sql),
      readAgents(sql),
      readDisk(config),
    ]);
    const report = {
      schema: { version, known: knownVersion() },
      database: { ...database, 'is-embedded': config.databaseUrl === undefined },
      lanes: lanesOf(store),
      replicas,
      jobs: jobs.map(({ name, holder_id, expires_at, finished_at }) => ({
        ...{ name, 'holder-id': holder_id },
        ...{ 'expires-at': expires_at, 'finished-at': finished_at },
      })),
      disk,
      servers: servers.map(dashed),
      agents,
    };
    return { id: 'health', attention: attentionTo(report), ...report };
  },
});

/** Members as documents spell them. */
const dashed = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name.replaceAll('_', '-'), value]));

function lanesOf(store: Store) {
  return Object.entries(store.figures().lanes).map(([name, { connections, size, underWay, waiting, refusals }]) => ({
    ...{ name, connections, 'connections-limit': size },
    ...{ 'under-way': underWay, waiting, refusals },
  }));
}

async function readDatabase(sql: Sql) {
  const [row] = await sql`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as size_bytes,
      current_setting('max_connections')::integer as connections_limit,
      count(*)::integer as connections,
      coalesce(extract(epoch from now() - min(pg_stat_activity.xact_start)
        filter (where pg_stat_activity.backend_xid is not null)), 0)::float8 as oldest_write_seconds
    from pg_stat_activity where pg_stat_activity.datname = current_database()`;
  return dashed(row!) as {
    version: string;
    connections: number;
    'connections-limit': number;
    'oldest-write-seconds': number;
  };
}

/** Without the right `pg_monitor` PostgreSQL tells their names alone. */
async function readReplicas(sql: Sql) {
  const rows = await sql`
    select pg_stat_replication.application_name as name, pg_stat_replication.state,
      case when not pg_is_in_recovery()
        then pg_wal_lsn_diff(pg_current_wal_lsn(), pg_stat_replication.replay_lsn)::float8 end as lag_bytes,
      extract(epoch from pg_stat_replication.replay_lag)::float8 as lag_seconds
    from pg_stat_replication order by pg_stat_replication.application_name, pg_stat_replication.pid limit 50`;
  return rows.map(dashed) as { name: string; 'lag-bytes': number | null; 'lag-seconds': number | null }[];
}

function readJobs(sql: Sql) {
  return sql<{ name: string; holder_id: string | null; expires_at: string | null; finished_at: string | null }[]>`
    select leases.name, leases.holder_id, leases.expires_at, leases.finished_at from leases order by leases.name limit 50`;
}

async function readAgents(sql: Sql) {
  const [row] = await sql`
    select (
        select count(*)::integer from agents
        where agents.exited_at is null and agents.last_ping_at > now() - interval '1 minute'
      ) as answering,
      count(*) filter (where jobs.status = 'queued')::integer as jobs_queued,
      count(*) filter (where jobs.status <> 'queued')::integer as jobs_under_way,
      coalesce(extract(epoch from now() - min(jobs.created_at) filter (where jobs.status = 'queued')), 0)::float8
        as oldest_queued_seconds
    from jobs where jobs.status in ('queued', 'allocated', 'running')`;
  return dashed(row!) as { answering: number; 'jobs-queued': number; 'oldest-queued-seconds': number };
}

/** With a database elsewhere there may be no such directory; then this is nobody's concern. */
async function readDisk({ dataDirectory }: Config) {
  try {
    const { bavail, blocks, bsize } = await statfs(dataDirectory);
    return { 'free-bytes': bavail * bsize, 'total-bytes': blocks * bsize };
  } catch {
    return { 'free-bytes': null, 'total-bytes': null };
  }
}
