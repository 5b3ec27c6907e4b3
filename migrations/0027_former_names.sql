-- Where a renamed workspace went: old links lead to it for a while. Written by the database, whoever renames.
create table workspace_former_names (
  organization_id text not null references organizations on delete cascade,
  name text not null,
  workspace_id text not null references workspaces on delete cascade,
  renamed_at timestamptz(3) not null default clock_timestamp(),
  -- Serves whoever follows an old link.
  constraint workspace_former_names_pkey primary key (organization_id, name, workspace_id)
);
-- Serves the deletion of a workspace, and that of names past their time.
create index workspace_former_names_of_workspace on workspace_former_names (workspace_id);
create index workspace_former_names_by_time on workspace_former_names (organization_id, renamed_at);

create function keep_former_workspace_name() returns trigger language plpgsql as $$
begin
  delete from workspace_former_names as known
  where known.organization_id = new.organization_id and known.renamed_at < now() - interval '30 days';
  insert into workspace_former_names (organization_id, name, workspace_id)
  values (old.organization_id, old.name, old.id)
  on conflict (organization_id, name, workspace_id) do update set renamed_at = clock_timestamp();
  return null;
end
$$;
create trigger workspaces_former_name_kept after update of name on workspaces
  for each row when (old.name <> new.name) execute function keep_former_workspace_name();
