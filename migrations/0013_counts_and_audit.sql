-- What happened outside of every organization, for site administrators; and counters of the workspaces of projects.

-- Serves their list, newest first.
create index audit_events_of_site on audit_events (occurred_at, id) where organization_id is null;

-- The end of an organization is an event of none: nobody is left in it to read that.
update audit_events
set organization_id = null, changes = changes || jsonb_build_object('organization_id', organization_id)
where action = 'organizations.delete';

-- How many workspaces a project has, in a few rows so that creations at once do not queue for one.
create table project_workspace_counts (
  project_id text not null references projects on delete cascade,
  slot smallint not null,
  workspaces integer not null,
  constraint project_workspace_counts_pkey primary key (project_id, slot)
);
insert into project_workspace_counts (project_id, slot, workspaces)
select workspaces.project_id, 0, count(*) from workspaces group by workspaces.project_id;
