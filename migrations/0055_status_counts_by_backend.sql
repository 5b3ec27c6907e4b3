-- A transaction moves a run through several statuses, and holds a row of counts for each of them until it ends. Where two
-- connections shared a slot they waited for each other: 100 agents that reported at once were deadlocked most of the
-- time. A backend is in one transaction at a time, so with a slot of its own it waits for nobody.
alter table workspace_status_counts alter column slot type integer;

create or replace function count_workspace_status() returns trigger language plpgsql as $$
begin
  insert into workspace_status_counts as counts (organization_id, slot, status, workspaces)
  select changes.organization_id, pg_backend_pid(), changes.status, changes.change
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
