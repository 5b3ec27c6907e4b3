-- When a lock was taken, and when it ends by itself where its holder gave it an end.
alter table workspaces add column locked_at timestamptz(3);
alter table workspaces add column lock_expires_at timestamptz(3);

-- Serves filter[locked]=true and filter[locked-by][id] of the list.
create index workspaces_locked on workspaces (organization_id, locked_by_id, id) where locked;
-- Serves whoever ends the locks whose time has come.
create index workspaces_by_lock_end on workspaces (lock_expires_at) where locked and lock_expires_at is not null;

-- How many workspaces of an organization have a current run of each status, in a few rows of each so that changes at once
-- seldom queue for one. Every list of workspaces says it. Kept by the database itself: servers of the release before this
-- one, which know nothing of it, may still be at work.
create table workspace_status_counts (
  organization_id text not null references organizations on delete cascade,
  slot smallint not null,
  status text not null,
  workspaces integer not null,
  constraint workspace_status_counts_pkey primary key (organization_id, slot, status)
);

create function count_workspace_status() returns trigger language plpgsql as $$
begin
  insert into workspace_status_counts as counts (organization_id, slot, status, workspaces)
  select changes.organization_id, pg_backend_pid() % 8, changes.status, changes.change
  from (values
    (old.organization_id, old.current_run_status, -1),
    (new.organization_id, new.current_run_status, 1)
  ) as changes (organization_id, status, change)
  join organizations on organizations.id = changes.organization_id
  where changes.status is not null
  order by changes.status
  on conflict (organization_id, slot, status) do update set workspaces = counts.workspaces + excluded.workspaces;
  return null;
end
$$;

create trigger workspaces_status_made after insert on workspaces
  for each row when (new.current_run_status is not null) execute function count_workspace_status();
create trigger workspaces_status_changed after update of current_run_status on workspaces
  for each row when (old.current_run_status is distinct from new.current_run_status)
  execute function count_workspace_status();
create trigger workspaces_status_gone after delete on workspaces
  for each row when (old.current_run_status is not null) execute function count_workspace_status();

insert into workspace_status_counts (organization_id, slot, status, workspaces)
select workspaces.organization_id, 0, workspaces.current_run_status, count(*) from workspaces
where workspaces.current_run_status is not null
group by workspaces.organization_id, workspaces.current_run_status;
