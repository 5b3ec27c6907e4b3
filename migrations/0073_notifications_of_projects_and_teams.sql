-- Projects and teams are told, too: a project of what happens in each of its workspaces.

alter table notification_configurations
  alter column workspace_id drop not null,
  add column project_id text references projects on delete cascade,
  add column team_id text references teams on delete cascade,
  add constraint notification_configurations_of_one check (num_nonnulls(workspace_id, project_id, team_id) = 1);
-- Serve the lists of a project and of a team, their removal, and the search for those that are to be told.
create index notification_configurations_by_project on notification_configurations (project_id, created_at, id)
  where project_id is not null;
create index notification_configurations_by_team on notification_configurations (team_id, created_at, id)
  where team_id is not null;

-- Where it happened; null for what an older server has announced, which is of the configuration's own workspace.
alter table pending_notifications add column workspace_id text references workspaces on delete cascade;
-- Serves the removal of a workspace.
create index pending_notifications_by_workspace on pending_notifications (workspace_id) where workspace_id is not null;
