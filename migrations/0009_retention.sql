-- What data retention policies have deleted in the background: by one server at a time, and found quickly.

-- Work that one server at a time does for all. A holder that dies loses its lease when that expires.
create table leases (
  name text constraint leases_pkey primary key,
  -- Null while nobody holds it.
  holder_id text,
  expires_at timestamptz(3)
);
insert into leases (name) values ('data-retention');

-- Serve the search for content past its age: what has lost its content leaves them, so that they stay small.
create index state_versions_with_content on state_versions (workspace_id, created_at)
  where blob_id is not null or json_blob_id is not null;
create index configuration_versions_with_content on configuration_versions (workspace_id, created_at)
  where blob_id is not null;
