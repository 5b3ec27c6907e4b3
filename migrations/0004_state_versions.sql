-- State versions: the records, their content, their outputs, and the resources that the current one manages.

-- Content of any kind, compressed and sealed, in pieces. It goes with its workspace.
create table blobs (
  id text constraint blobs_pkey primary key,
  workspace_id text not null constraint blobs_workspace_gone references workspaces on delete cascade,
  -- False until the record that refers to it is committed; what stays false is swept away.
  is_kept boolean not null default false,
  size_bytes bigint not null default 0,
  chunk_count integer not null default 0,
  sha256 bytea,
  created_at timestamptz(3) not null default now()
);
-- Serves the sweep of what nobody kept.
create index blobs_not_kept on blobs (created_at) where not is_kept;
-- Serves the removal of a workspace.
create index blobs_by_workspace on blobs (workspace_id);

create table blob_chunks (
  blob_id text not null constraint blob_chunks_blob_gone references blobs on delete cascade,
  position integer not null,
  sealed bytea not null,
  constraint blob_chunks_pkey primary key (blob_id, position)
);

create table state_versions (
  id text constraint state_versions_pkey primary key,
  workspace_id text not null references workspaces on delete cascade,
  -- The order of a workspace's versions, given under the lock of its row.
  position integer not null,
  status text not null,
  -- Made under a lock that still holds: the latest final one becomes current when the lock goes (§3).
  intermediate boolean not null,
  -- Whether the second upload, of the same state in its documented form, may still come.
  awaits_json boolean not null,
  -- Uploaded whatever the lineage of the state before it.
  is_forced boolean not null default false,
  serial bigint not null,
  md5 text not null,
  lineage text,
  created_by_id text not null,
  run_id text,
  created_at timestamptz(3) not null default now(),
  blob_id text references blobs on delete set null,
  json_blob_id text references blobs on delete set null,
  size bigint not null default 0,
  format_version integer,
  engine_version text,
  -- False for a content whose resources cannot be told, such as one that the client encrypted.
  is_readable boolean not null default true,
  resources_processed boolean not null default false,
  resource_count integer not null default 0,
  billable_rum_count integer not null default 0,
  modules jsonb,
  providers jsonb,
  resources jsonb not null default '[]',
  -- What becomes rows of workspace_resources when the version becomes current; null afterwards.
  instances jsonb,
  constraint state_versions_position_unique unique (workspace_id, position)
);
-- Serves the change of the current version: the few that are not settled yet, of all that there are.
create index state_versions_unsettled on state_versions (workspace_id, position)
  where intermediate or instances is not null;
-- Serve the removal of blobs.
create index state_versions_by_blob on state_versions (blob_id) where blob_id is not null;
create index state_versions_by_json_blob on state_versions (json_blob_id) where json_blob_id is not null;

create table state_version_outputs (
  id text constraint state_version_outputs_pkey primary key,
  state_version_id text not null references state_versions on delete cascade,
  name text not null,
  sensitive boolean not null,
  type text not null,
  detailed_type jsonb,
  sealed_value bytea not null
);
-- Serves the outputs of a version, and their ids in documents.
create index state_version_outputs_by_version on state_version_outputs (state_version_id, id);

create table workspace_resources (
  id text constraint workspace_resources_pkey primary key,
  workspace_id text not null references workspaces on delete cascade,
  address text not null,
  -- Of the address, which may be longer than an index can hold.
  address_digest text not null,
  name text not null,
  name_index text,
  module text not null,
  provider text not null,
  provider_type text not null,
  -- Of everything that the state says about the resource: another one means that it was modified.
  fingerprint text not null,
  modified_by_state_version_id text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint workspace_resources_address_unique unique (workspace_id, address_digest)
);
-- Serves the list of a workspace's resources.
create index workspace_resources_by_address on workspace_resources (workspace_id, left(address, 500), id);
