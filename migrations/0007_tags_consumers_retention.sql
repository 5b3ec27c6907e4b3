-- Who may read a workspace's state, which keys an organization keeps for its projects, and how long data is kept.

create table remote_state_consumers (
  workspace_id text not null references workspaces on delete cascade,
  consumer_id text not null references workspaces on delete cascade,
  constraint remote_state_consumers_pkey primary key (workspace_id, consumer_id),
  constraint remote_state_consumers_not_itself check (workspace_id <> consumer_id)
);
-- Serves the reference when a consumer goes.
create index remote_state_consumers_by_consumer on remote_state_consumers (consumer_id, workspace_id);

create table reserved_tag_keys (
  id text constraint reserved_tag_keys_pkey primary key,
  organization_id text not null references organizations on delete cascade,
  key text not null,
  -- Whether a workspace's own value for the key yields to its project's.
  disable_overrides boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Serves the list, and the look-up by key beside every binding.
  constraint reserved_tag_keys_key_unique unique (organization_id, key)
);

create table data_retention_policies (
  id text constraint data_retention_policies_pkey primary key,
  organization_id text not null references organizations on delete cascade,
  -- Null for the organization's own policy: the default of its workspaces.
  workspace_id text references workspaces on delete cascade,
  type text not null,
  -- Null where nothing is ever deleted.
  delete_older_than_n_days integer,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint data_retention_policies_workspace_unique unique (workspace_id)
);
create unique index data_retention_policies_organization_unique on data_retention_policies (organization_id)
  where workspace_id is null;
