-- The servers on this database: each says every few seconds that it is there, so that one can tell of all of them.
create table servers (
  id text constraint servers_pkey primary key,
  host text not null,
  process_id integer not null,
  version text not null,
  node_version text not null,
  schema_version integer not null,
  started_at timestamptz(3) not null,
  seen_at timestamptz(3) not null default clock_timestamp()
);
