-- Variables of workspaces. The value of a sensitive one is sealed; it goes in and never comes out.

create table variables (
  id text constraint variables_pkey primary key,
  organization_id text not null references organizations on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  key text not null,
  category text not null,
  value text,
  sealed_value bytea,
  sensitive boolean not null,
  hcl boolean not null,
  description text,
  version_id text not null,
  created_at timestamptz(3) not null default now(),
  constraint variables_key_unique unique (workspace_id, category, key),
  constraint variables_value_once check ((value is null) = sensitive and (sealed_value is not null) = sensitive)
);
-- Serves the list of a workspace's variables, and their ids in its document.
create index variables_by_workspace on variables (workspace_id, created_at, id);
