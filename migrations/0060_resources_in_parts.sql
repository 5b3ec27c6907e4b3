-- The resources of a large state are taken over in parts, behind the request that made it the current one.

-- The workspaces whose resources are not yet those of their current state.
create table unfinished_resources (
  workspace_id text constraint unfinished_resources_pkey primary key references workspaces on delete cascade,
  state_version_id text not null references state_versions on delete cascade,
  -- Resources whose address has a lower digest are taken over.
  next_digest text not null default '',
  began_at timestamptz(3) not null default clock_timestamp()
);
