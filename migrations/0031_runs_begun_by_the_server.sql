-- Runs that nobody asks for at the moment: those of run triggers, and those that destroy what is past its time.

-- What an applied run has still to begin elsewhere: written in its own transaction, done in another one.
create table pending_run_triggers (
  id text constraint pending_run_triggers_pkey primary key,
  run_id text not null references runs on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  created_at timestamptz(3) not null default clock_timestamp()
);
-- Serves the order in which they begin.
create index pending_run_triggers_by_age on pending_run_triggers (created_at, id);
-- Serve the removal of runs and workspaces.
create index pending_run_triggers_by_run on pending_run_triggers (run_id);
create index pending_run_triggers_by_workspace on pending_run_triggers (workspace_id);

-- How many triggers lie between the run and one that somebody asked for.
alter table runs add column trigger_depth integer not null default 0;

alter table workspaces
  -- The run that destroys it because its time had come, until that run is over.
  add column auto_destroy_run_id text,
  -- When such a run could not be made, or failed.
  add column auto_destroy_errored_at timestamptz(3);
-- Serve what looks for workspaces whose time has come, whose run is over, and that follow a duration.
create index workspaces_by_auto_destroy on workspaces (auto_destroy_at) where auto_destroy_at is not null;
create index workspaces_by_auto_destroy_run on workspaces (auto_destroy_run_id) where auto_destroy_run_id is not null;
create index workspaces_with_own_duration on workspaces (id) where auto_destroy_activity_duration is not null;
create index projects_with_duration on projects (id) where auto_destroy_activity_duration is not null;

-- Whether whoever made the version may apply runs: what its upload begins follows the workspace's auto-apply only then.
alter table configuration_versions add column creator_may_apply boolean not null default false;
