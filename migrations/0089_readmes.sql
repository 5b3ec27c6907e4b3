-- The README of the repository that a workspace's configuration was fetched from.
create table workspace_readmes (
  id text constraint workspace_readmes_pkey primary key,
  workspace_id text not null constraint workspace_readmes_workspace_unique unique
    references workspaces on delete cascade,
  raw_markdown text not null
);

-- The one of it, or null: documents name it without another table being read.
alter table workspaces add column readme_id text;
