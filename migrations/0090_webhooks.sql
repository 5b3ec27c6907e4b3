-- What hosts of code tell of their repositories, and what follows from it.

-- Signs the deliveries of a connection. Null until somebody has asked for one: then nothing that comes is believed.
alter table oauth_clients add column sealed_webhook_secret bytea;

-- Each counts once. They are kept for as long as a replay is to be known for one.
create table webhook_deliveries (
  id text constraint webhook_deliveries_pkey primary key,
  -- The order in which they came: pushes of one connection are worked off in it.
  position bigint generated always as identity,
  oauth_client_id text not null references oauth_clients on delete cascade,
  -- As the host names it. No signature covers that name, so the content counts once, too.
  delivery_id text not null,
  body_hash bytea not null,
  received_at timestamptz(3) not null default clock_timestamp(),
  -- An array. Once they are worked off, only what is shown of them.
  events jsonb not null,
  -- What is to be said of the delivery as a whole; null while nothing is.
  explanation text,
  -- Null while it waits.
  worked_off_at timestamptz(3),
  attempts integer not null default 0,
  due_at timestamptz(3) not null default clock_timestamp(),
  -- A server is at work on it until then, unless it has died.
  claimed_until timestamptz(3),
  constraint webhook_deliveries_id_once unique (oauth_client_id, delivery_id),
  constraint webhook_deliveries_content_once unique (oauth_client_id, body_hash)
);
-- Serves the list of a connection, and the count of those that came lately.
create index webhook_deliveries_by_client on webhook_deliveries (oauth_client_id, position);
create index webhook_deliveries_by_time on webhook_deliveries (oauth_client_id, received_at);
-- Serves the search for what waits.
create index webhook_deliveries_waiting on webhook_deliveries (oauth_client_id, position) where worked_off_at is null;
-- Serves the removal of those that are old enough.
create index webhook_deliveries_by_age on webhook_deliveries (received_at);

-- What followed in each workspace, and why.
create table webhook_outcomes (
  webhook_delivery_id text not null references webhook_deliveries on delete cascade,
  -- Of the delivery's events, from 0.
  event_position smallint not null,
  workspace_id text not null references workspaces on delete cascade,
  -- run, speculative run, or null for nothing
  begins text,
  reason text not null,
  configuration_version_id text references configuration_versions on delete set null,
  constraint webhook_outcomes_pkey primary key (webhook_delivery_id, event_position, workspace_id)
);
-- Serve the removal of workspaces and configuration versions.
create index webhook_outcomes_by_workspace on webhook_outcomes (workspace_id);
create index webhook_outcomes_by_version on webhook_outcomes (configuration_version_id)
  where configuration_version_id is not null;

-- Workspaces that were linked to a repository, or to another branch of it: its head is fetched, and this row is gone.
create table pending_links (
  workspace_id text constraint pending_links_pkey primary key references workspaces on delete cascade,
  created_by_id text references users on delete set null,
  created_at timestamptz(3) not null default clock_timestamp()
);
-- Serves the removal of a user.
create index pending_links_by_creator on pending_links (created_by_id) where created_by_id is not null;

-- Of a run that came from a repository: its status is to be told at its commit. One row, however often it moved meanwhile.
create table pending_commit_statuses (
  run_id text constraint pending_commit_statuses_pkey primary key references runs on delete cascade,
  -- Counts the moves: who told of an earlier one leaves the row to be told again.
  revision integer not null default 1,
  attempts integer not null default 0,
  due_at timestamptz(3) not null default clock_timestamp(),
  claimed_until timestamptz(3)
);
-- Serves the search for what is due.
create index pending_commit_statuses_by_time on pending_commit_statuses (due_at, run_id);
