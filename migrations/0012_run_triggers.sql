-- Which workspaces' applied runs are to begin runs in another one.

create table run_triggers (
  id text constraint run_triggers_pkey primary key,
  workspace_id text not null references workspaces on delete cascade,
  -- Counted under the lock of the row of `workspace_id`: a workspace has few sources.
  sourceable_id text not null references workspaces on delete cascade,
  created_at timestamptz(3) not null default now(),
  -- Serves the inbound list, and the count of sources.
  constraint run_triggers_source_unique unique (workspace_id, sourceable_id),
  constraint run_triggers_not_itself check (workspace_id <> sourceable_id)
);
-- Serves the outbound list, and the reference when a source goes.
create index run_triggers_by_source on run_triggers (sourceable_id, workspace_id);
